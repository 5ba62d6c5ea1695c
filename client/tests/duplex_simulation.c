#include "client/tests/duplex_simulation.h"

#include <stdlib.h>

enum { MESSAGE_BYTES_MAX = 64 * 1024 * 1024 };

struct simulation duplex_simulation_start(const struct duplex_client_config *config)
{
    return simulation_with(&DUPLEX_CLIENT_CLASS, &config->profile->base, duplex_client_new(config));
}

struct simulation duplex_simulation_of(const char *profile)
{
    static const uint8_t JPEG[] = {0xFF, 0xD8, 0xFF, 0xD9}; /* the core does not look inside */
    static const struct bytes PICTURES[] = {{JPEG, sizeof JPEG}};
    const struct duplex_client_config config = {
        .profile = duplex_profile_by_name(profile), .pictures = PICTURES, .picture_count = 1};
    return duplex_simulation_start(&config);
}

/* ---- the server ---- */

void duplex_simulation_say(struct simulation *simulation, const struct duplex_message *message)
{
    struct buffer text;
    buffer_init(&text, MESSAGE_BYTES_MAX);
    if (!duplex_message_write(duplex_profile_of(simulation->profile), message, &text))
        abort();
    simulation_event(simulation, CLIENT_TEXT, 0, buffer_bytes(&text));
    buffer_free(&text);
}

void duplex_simulation_error(struct simulation *simulation, const char *code)
{
    const struct duplex_message message = {.type = DUPLEX_MESSAGE_ERROR,
                                           .code = bytes_of_text(code),
                                           .error_message = bytes_of_text("that is wrong"),
                                           .error_type = bytes_of_text(DUPLEX_ERROR_TYPE_CLIENT)};
    duplex_simulation_say(simulation, &message);
}

void duplex_simulation_closed(struct simulation *simulation, const char *reason)
{
    const struct duplex_message message = {
        .type = DUPLEX_MESSAGE_CLOSED, .has_reason = true, .reason = bytes_of_text(reason)};
    duplex_simulation_say(simulation, &message);
}

void duplex_simulation_listen(struct simulation *simulation)
{
    const struct duplex_message message = {
        .type = DUPLEX_MESSAGE_LISTEN, .has_kv_cache_length = true, .kv_cache_length = 300};
    duplex_simulation_say(simulation, &message);
}

float duplex_simulation_sample(uint32_t position)
{
    return (float)position / (float)(1 << 20);
}

void duplex_simulation_delta(struct simulation *simulation, uint32_t first, size_t samples, const char *text,
                             bool end_of_turn)
{
    uint8_t *pcm = simulation_checked(malloc(samples * FLOAT32_BYTES + 1));
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

void duplex_simulation_created(struct simulation *simulation)
{
    simulation_event(simulation, CLIENT_OPENED, 0, (struct bytes){0});
    simulation_text(simulation, "{\"type\":\"session.queue_done\"}");
    simulation_text(simulation, "{\"type\":\"session.created\",\"session_id\":\"rt_1714200000000\"}");
}

void duplex_simulation_talk(struct simulation *simulation, size_t samples)
{
    float *speech = simulation_checked(malloc(samples * sizeof *speech));
    for (size_t i = 0; i < samples; i++)
        speech[i] = duplex_simulation_sample((uint32_t)i + 1);
    if (!duplex_client_talk(simulation->client, speech, samples))
        abort();
    free(speech);
}

/* ---- the record ---- */

size_t duplex_count_errors(const struct simulation *simulation, const char *code)
{
    size_t count = 0;
    for (size_t i = 0; i < simulation->count; i++)
        count += recorded_is_seen(&simulation->records[i], OBSERVED_ERROR) &&
                 strcmp(simulation->records[i].observation.code, code) == 0;
    return count;
}

struct duplex_message duplex_nth_sent(const struct simulation *simulation, enum duplex_message_type type,
                                      size_t n, uint64_t *at_us)
{
    const struct duplex_read_options options = {.profile = duplex_profile_of(simulation->profile)};
    struct duplex_message message;
    for (size_t i = 0; i < simulation->count; i++) {
        const struct recorded *record = &simulation->records[i];
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

size_t duplex_count_sent(const struct simulation *simulation, enum duplex_message_type type)
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
