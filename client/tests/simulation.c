#include "client/tests/simulation.h"
#include "codec/ojin/profile.h"

#include <stdlib.h>

static void *checked(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

struct simulation simulation_start(const struct client_config *config)
{
    struct client_config with_epoch = *config;
    with_epoch.epoch_ms = SIMULATION_EPOCH_MS;
    return (struct simulation){.client = checked(client_new(&with_epoch)),
                               .actions = checked(calloc(1, sizeof(struct client_actions)))};
}

struct simulation simulation_of(const char *profile, const struct client_seams *seams)
{
    struct client_config config = {.profile = ojin_profile_by_name(profile), .seams = seams};
    return simulation_start(&config);
}

void simulation_end(struct simulation *simulation)
{
    for (size_t i = 0; i < simulation->count; i++)
        free(simulation->records[i].data);
    free(simulation->records);
    free(simulation->actions);
    client_free(simulation->client);
}

void simulation_record(struct simulation *simulation)
{
    for (size_t i = 0; i < simulation->actions->count; i++) {
        const struct client_action *action = &simulation->actions->list[i];
        if (simulation->count == simulation->capacity) {
            simulation->capacity = simulation->capacity == 0 ? 256 : simulation->capacity * 2;
            simulation->records =
                checked(realloc(simulation->records, simulation->capacity * sizeof *simulation->records));
        }
        struct recorded *record = &simulation->records[simulation->count++];
        *record = (struct recorded){.at_us = simulation->now_us,
                                    .kind = action->kind,
                                    .code = action->code,
                                    .observation = action->observation,
                                    .len = action->data.len,
                                    .has_samples = action->samples != NULL};
        record->data = checked(malloc(action->data.len + 1));
        if (action->data.len > 0)
            memcpy(record->data, action->data.data, action->data.len);
        if (action->samples != NULL)
            memcpy(record->samples, action->samples, sizeof record->samples);
    }
    simulation->actions->count = 0;
}

/* Told of its pings as a server would answer them, at once. */
static void answer_pings(struct simulation *simulation, size_t from)
{
    for (size_t i = from; i < simulation->count && !simulation->no_pongs; i++)
        if (simulation->records[i].kind == CLIENT_SEND_PING)
            simulation_event(simulation, CLIENT_PONG, 0, (struct bytes){0});
}

void simulation_event(struct simulation *simulation, enum client_event_kind kind, uint16_t code,
                      struct bytes data)
{
    /* An exact copy on the heap, gone after the call, as a host's would be. */
    uint8_t *copy = checked(malloc(data.len > 0 ? data.len : 1));
    if (data.len > 0)
        memcpy(copy, data.data, data.len);
    struct client_event event = {
        .kind = kind, .now_us = simulation->now_us, .code = code, .data = bytes_of(copy, data.len)};
    size_t from = simulation->count;
    client_step(simulation->client, &event, simulation->actions);
    free(copy);
    simulation_record(simulation);
    answer_pings(simulation, from);
}

void simulation_run(struct simulation *simulation, uint64_t until_us)
{
    for (;;) {
        uint64_t due_us = client_deadline_us(simulation->client);
        if (due_us > until_us)
            break;
        if (due_us > simulation->now_us)
            simulation->now_us = due_us;
        simulation_event(simulation, CLIENT_TICK, 0, (struct bytes){0});
    }
    simulation->now_us = until_us;
    simulation_event(simulation, CLIENT_TICK, 0, (struct bytes){0});
}

void simulation_text(struct simulation *simulation, const char *text)
{
    simulation_event(simulation, CLIENT_TEXT, 0, bytes_of_text(text));
}

void simulation_ready(struct simulation *simulation)
{
    simulation_event(simulation, CLIENT_OPENED, 0, (struct bytes){0});
    simulation_text(
        simulation,
        "{\"type\":\"sessionReady\",\"payload\":{\"trace_id\":\"t\",\"status\":\"success\",\"load\":0.5}}");
}

struct bytes simulation_frame_bytes(const struct frame_spec *spec, uint32_t picture)
{
    uint8_t audio[OJIN_FRAME_AUDIO_BYTES];
    for (size_t i = 0; i < OJIN_FRAME_SAMPLES; i++) {
        audio[2 * i] = (uint8_t)((uint16_t)spec->fill & 0xFF);
        audio[2 * i + 1] = (uint8_t)((uint16_t)spec->fill >> 8);
    }
    struct ojin_frame frame = {.is_final = spec->final ? 1 : 0,
                               .timestamp_ms = SIMULATION_EPOCH_MS,
                               .index = spec->index,
                               .payload_count = spec->empty ? 0 : 2};
    memset(frame.interaction, spec->id, sizeof frame.interaction);
    uint8_t image[4] = {(uint8_t)(picture >> 24), (uint8_t)(picture >> 16), (uint8_t)(picture >> 8),
                        (uint8_t)picture};
    size_t size = OJIN_FRAME_HEADER_BYTES + 2 * OJIN_ENTRY_HEADER_BYTES + sizeof audio + sizeof image;
    uint8_t *data = checked(malloc(size));
    struct writer writer = writer_of(data, size);
    ojin_frame_write_header(&writer, &frame);
    if (!spec->empty) {
        ojin_frame_write_entry(&writer, OJIN_PAYLOAD_AUDIO, bytes_of(audio, sizeof audio));
        ojin_frame_write_entry(&writer, OJIN_PAYLOAD_IMAGE, bytes_of(image, sizeof image));
    }
    return bytes_of(data, writer.len);
}

void simulation_frame(struct simulation *simulation, const struct frame_spec *spec)
{
    struct bytes frame = simulation_frame_bytes(spec, simulation->picture++);
    uint8_t *owned = checked(malloc(frame.len));
    memcpy(owned, frame.data, frame.len);
    simulation_event(simulation, CLIENT_BINARY, 0, bytes_of(owned, frame.len));
    free(owned);
    free((void *)(uintptr_t)frame.data);
}

void simulation_frames(struct simulation *simulation, size_t count, uint64_t interval_us,
                       const struct frame_spec *spec)
{
    uint64_t start_us = simulation->now_us;
    for (size_t i = 0; i < count; i++) {
        simulation_run(simulation, start_us + i * interval_us);
        simulation_frame(simulation, spec);
    }
}

void simulation_speak(struct simulation *simulation, const int16_t *samples, size_t count)
{
    if (!client_speak(simulation->client, simulation->now_us, samples, count, simulation->actions))
        abort();
    simulation_record(simulation);
}

void simulation_cancel(struct simulation *simulation)
{
    client_cancel(simulation->client, simulation->now_us, simulation->actions);
    simulation_record(simulation);
}

void simulation_client_end(struct simulation *simulation)
{
    client_end(simulation->client, simulation->now_us, simulation->actions);
    simulation_record(simulation);
}

void simulation_close(struct simulation *simulation)
{
    client_close(simulation->client, simulation->now_us, simulation->actions);
    simulation_record(simulation);
}

int16_t *simulation_ramp(size_t count)
{
    int16_t *samples = checked(malloc(count * sizeof *samples));
    for (size_t i = 0; i < count; i++)
        samples[i] = (int16_t)(i % 30000 + 1);
    return samples;
}

size_t count_kind(const struct simulation *simulation, enum client_action_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < simulation->count; i++)
        count += simulation->records[i].kind == kind;
    return count;
}

static bool is_seen(const struct recorded *record, enum observation_kind kind)
{
    return record->kind == CLIENT_OBSERVE && record->observation.kind == kind;
}

size_t count_seen(const struct simulation *simulation, enum observation_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < simulation->count; i++)
        count += is_seen(&simulation->records[i], kind);
    return count;
}

size_t count_played(const struct simulation *simulation, uint32_t index)
{
    size_t count = 0;
    for (size_t i = 0; i < simulation->count; i++)
        count += is_seen(&simulation->records[i], OBSERVED_PLAYED) &&
                 simulation->records[i].observation.index == index;
    return count;
}

const struct recorded *nth_kind(const struct simulation *simulation, enum client_action_kind kind, size_t n)
{
    for (size_t i = 0; i < simulation->count; i++)
        if (simulation->records[i].kind == kind && n-- == 0)
            return &simulation->records[i];
    return NULL;
}

const struct recorded *nth_seen(const struct simulation *simulation, enum observation_kind kind, size_t n)
{
    for (size_t i = 0; i < simulation->count; i++)
        if (is_seen(&simulation->records[i], kind) && n-- == 0)
            return &simulation->records[i];
    return NULL;
}

static bool contains(const struct recorded *record, const char *text)
{
    size_t len = strlen(text);
    for (size_t i = 0; i + len <= record->len; i++)
        if (memcmp(record->data + i, text, len) == 0)
            return true;
    return false;
}

size_t count_sent_type(const struct simulation *simulation, const char *type)
{
    size_t count = 0;
    for (size_t i = 0; i < simulation->count; i++)
        count += simulation->records[i].kind == CLIENT_SEND_TEXT && contains(&simulation->records[i], type);
    return count;
}
