#include "client/tests/duplex_simulation.h"

#include <stdlib.h>

enum { MESSAGE_BYTES_MAX = 64 * 1024 * 1024 };

static void *checked(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

struct duplex_simulation duplex_simulation_start(const struct duplex_client_config *config)
{
    return (struct duplex_simulation){.profile = config->profile,
                                      .client = checked(duplex_client_new(config)),
                                      .actions = checked(calloc(1, sizeof(struct client_actions)))};
}

struct duplex_simulation duplex_simulation_of(const char *profile, const struct duplex_client_seams *seams)
{
    static const uint8_t JPEG[] = {0xFF, 0xD8, 0xFF, 0xD9}; /* the core does not look inside */
    static const struct bytes PICTURES[] = {{JPEG, sizeof JPEG}};
    const struct duplex_client_config config = {
        .profile = duplex_profile_by_name(profile), .pictures = PICTURES, .picture_count = 1, .seams = seams};
    return duplex_simulation_start(&config);
}

void duplex_simulation_end(struct duplex_simulation *simulation)
{
    for (size_t i = 0; i < simulation->count; i++)
        free(simulation->records[i].data);
    free(simulation->records);
    free(simulation->actions);
    duplex_client_free(simulation->client);
}

void duplex_simulation_record(struct duplex_simulation *simulation)
{
    for (size_t i = 0; i < simulation->actions->count; i++) {
        const struct client_action *action = &simulation->actions->list[i];
        if (simulation->count == simulation->capacity) {
            simulation->capacity = simulation->capacity == 0 ? 256 : simulation->capacity * 2;
            simulation->records =
                checked(realloc(simulation->records, simulation->capacity * sizeof *simulation->records));
        }
        struct duplex_recorded *record = &simulation->records[simulation->count++];
        *record = (struct duplex_recorded){.at_us = simulation->now_us,
                                           .kind = action->kind,
                                           .code = action->code,
                                           .observation = action->observation,
                                           .len = action->data.len};
        record->data = checked(malloc(action->data.len + 1));
        if (action->data.len > 0)
            memcpy(record->data, action->data.data, action->data.len);
    }
    simulation->actions->count = 0;
}

/* Told of its pings as a server would answer them, at once. */
static void answer_pings(struct duplex_simulation *simulation, size_t from)
{
    for (size_t i = from; i < simulation->count && !simulation->no_pongs; i++)
        if (simulation->records[i].kind == CLIENT_SEND_PING)
            duplex_simulation_event(simulation, CLIENT_PONG, 0, (struct bytes){0});
}

void duplex_simulation_event(struct duplex_simulation *simulation, enum client_event_kind kind, uint16_t code,
                             struct bytes data)
{
    /* An exact copy on the heap, gone after the call, as a host's would be. */
    uint8_t *copy = checked(malloc(data.len > 0 ? data.len : 1));
    if (data.len > 0)
        memcpy(copy, data.data, data.len);
    const struct client_event event = {.kind = kind,
                                       .now_us = simulation->now_us,
                                       .code = code,
                                       .data = bytes_of(copy, data.len),
                                       .unsent = simulation->unsent};
    const size_t from = simulation->count;
    DUPLEX_CLIENT_CLASS.step(simulation->client, &event, simulation->actions);
    free(copy);
    duplex_simulation_record(simulation);
    answer_pings(simulation, from);
}

void duplex_simulation_run(struct duplex_simulation *simulation, uint64_t until_us)
{
    for (;;) {
        const uint64_t due_us = DUPLEX_CLIENT_CLASS.deadline_us(simulation->client);
        if (due_us > until_us)
            break;
        if (due_us > simulation->now_us)
            simulation->now_us = due_us;
        duplex_simulation_event(simulation, CLIENT_TICK, 0, (struct bytes){0});
    }
    simulation->now_us = until_us;
    duplex_simulation_event(simulation, CLIENT_TICK, 0, (struct bytes){0});
}

/* ---- the server ---- */

void duplex_simulation_text(struct duplex_simulation *simulation, const char *text)
{
    duplex_simulation_event(simulation, CLIENT_TEXT, 0, bytes_of_text(text));
}

void duplex_simulation_say(struct duplex_simulation *simulation, const struct duplex_message *message)
{
    struct buffer text;
    buffer_init(&text, MESSAGE_BYTES_MAX);
    if (!duplex_message_write(simulation->profile, message, &text))
        abort();
    duplex_simulation_event(simulation, CLIENT_TEXT, 0, buffer_bytes(&text));
    buffer_free(&text);
}

void duplex_simulation_error(struct duplex_simulation *simulation, const char *code)
{
    const struct duplex_message message = {.type = DUPLEX_MESSAGE_ERROR,
                                           .code = bytes_of_text(code),
                                           .error_message = bytes_of_text("that is wrong"),
                                           .error_type = bytes_of_text(DUPLEX_ERROR_TYPE_CLIENT)};
    duplex_simulation_say(simulation, &message);
}

void duplex_simulation_closed(struct duplex_simulation *simulation, const char *reason)
{
    const struct duplex_message message = {
        .type = DUPLEX_MESSAGE_CLOSED, .has_reason = true, .reason = bytes_of_text(reason)};
    duplex_simulation_say(simulation, &message);
}

void duplex_simulation_listen(struct duplex_simulation *simulation)
{
    const struct duplex_message message = {
        .type = DUPLEX_MESSAGE_LISTEN, .has_kv_cache_length = true, .kv_cache_length = 300};
    duplex_simulation_say(simulation, &message);
}

float duplex_simulation_sample(uint32_t position)
{
    return (float)position / (float)(1 << 20);
}

void duplex_simulation_delta(struct duplex_simulation *simulation, uint32_t first, size_t samples,
                             const char *text, bool end_of_turn)
{
    uint8_t *pcm = checked(malloc(samples * FLOAT32_BYTES + 1));
    for (size_t i = 0; i < samples; i++)
        float32_put(pcm + i * FLOAT32_BYTES, duplex_simulation_sample(first + (uint32_t)i));
    const struct duplex_message message = {.type = DUPLEX_MESSAGE_DELTA,
                                           .has_text = true,
                                           .text = bytes_of_text(text),
                                           .has_audio = true,
                                           .audio = bytes_of(pcm, samples * FLOAT32_BYTES),
                                           .has_end_of_turn = true,
                                           .end_of_turn = end_of_turn,
                                           .has_kv_cache_length = true,
                                           .kv_cache_length = 512};
    duplex_simulation_say(simulation, &message);
    free(pcm);
}

void duplex_simulation_created(struct duplex_simulation *simulation)
{
    duplex_simulation_event(simulation, CLIENT_OPENED, 0, (struct bytes){0});
    duplex_simulation_text(simulation, "{\"type\":\"session.queue_done\"}");
    duplex_simulation_text(simulation, "{\"type\":\"session.created\",\"session_id\":\"rt_1714200000000\"}");
}

void duplex_simulation_talk(struct duplex_simulation *simulation, size_t samples)
{
    float *speech = checked(malloc(samples * sizeof *speech));
    for (size_t i = 0; i < samples; i++)
        speech[i] = duplex_simulation_sample((uint32_t)i + 1);
    if (!duplex_client_talk(simulation->client, speech, samples))
        abort();
    free(speech);
}

/* ---- the record ---- */

size_t duplex_count_kind(const struct duplex_simulation *simulation, enum client_action_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < simulation->count; i++)
        count += simulation->records[i].kind == kind;
    return count;
}

static bool is_seen(const struct duplex_recorded *record, enum observation_kind kind)
{
    return record->kind == CLIENT_OBSERVE && record->observation.kind == kind;
}

size_t duplex_count_seen(const struct duplex_simulation *simulation, enum observation_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < simulation->count; i++)
        count += is_seen(&simulation->records[i], kind);
    return count;
}

size_t duplex_count_errors(const struct duplex_simulation *simulation, const char *code)
{
    size_t count = 0;
    for (size_t i = 0; i < simulation->count; i++)
        count += is_seen(&simulation->records[i], OBSERVED_ERROR) &&
                 strcmp(simulation->records[i].observation.code, code) == 0;
    return count;
}

const struct duplex_recorded *duplex_nth_kind(const struct duplex_simulation *simulation,
                                              enum client_action_kind kind, size_t n)
{
    for (size_t i = 0; i < simulation->count; i++)
        if (simulation->records[i].kind == kind && n-- == 0)
            return &simulation->records[i];
    return NULL;
}

const struct duplex_recorded *duplex_nth_seen(const struct duplex_simulation *simulation,
                                              enum observation_kind kind, size_t n)
{
    for (size_t i = 0; i < simulation->count; i++)
        if (is_seen(&simulation->records[i], kind) && n-- == 0)
            return &simulation->records[i];
    return NULL;
}

struct duplex_message duplex_nth_sent(const struct duplex_simulation *simulation,
                                      enum duplex_message_type type, size_t n, uint64_t *at_us)
{
    const struct duplex_read_options options = {.profile = simulation->profile};
    struct duplex_message message;
    for (size_t i = 0; i < simulation->count; i++) {
        const struct duplex_recorded *record = &simulation->records[i];
        if (record->kind != CLIENT_SEND_TEXT)
            continue;
        duplex_message_read(bytes_of(record->data, record->len), &options, &message);
        if (message.type == type && n-- == 0) {
            if (at_us != NULL)
                *at_us = record->at_us;
            return message;
        }
        duplex_message_free(&message);
    }
    return (struct duplex_message){.type = DUPLEX_MESSAGE_OTHER};
}

size_t duplex_count_sent(const struct duplex_simulation *simulation, enum duplex_message_type type)
{
    size_t count = 0;
    for (;; count++) {
        struct duplex_message message = duplex_nth_sent(simulation, type, count, NULL);
        const bool found = message.type == type;
        duplex_message_free(&message);
        if (!found)
            return count;
    }
}
