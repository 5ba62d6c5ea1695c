#include "client/tests/ojin_simulation.h"
#include "codec/ojin/frame.h"
#include "codec/ojin/profile.h"

#include <stdlib.h>

struct simulation simulation_start(const struct ojin_client_config *config)
{
    struct ojin_client_config with_epoch = *config;
    with_epoch.life.epoch_ms = SIMULATION_EPOCH_MS;
    return simulation_with(&OJIN_CLIENT_CLASS, config->profile, ojin_client_new(&with_epoch));
}

struct simulation simulation_of(const char *profile)
{
    struct ojin_client_config config = {.profile = ojin_profile_by_name(profile)};
    return simulation_start(&config);
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
    uint8_t *data = simulation_checked(malloc(size));
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
    uint8_t *owned = simulation_checked(malloc(frame.len));
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
    if (!ojin_client_speak(simulation->client, simulation->now_us, samples, count, simulation->actions))
        abort();
    simulation_record(simulation);
}

void simulation_cancel(struct simulation *simulation)
{
    ojin_client_cancel(simulation->client, simulation->now_us, simulation->actions);
    simulation_record(simulation);
}

void simulation_client_end(struct simulation *simulation)
{
    ojin_client_end(simulation->client, simulation->now_us, simulation->actions);
    simulation_record(simulation);
}

void simulation_close(struct simulation *simulation)
{
    ojin_client_close(simulation->client, simulation->now_us, simulation->actions);
    simulation_record(simulation);
}

int16_t *simulation_ramp(size_t count)
{
    int16_t *samples = simulation_checked(malloc(count * sizeof *samples));
    for (size_t i = 0; i < count; i++)
        samples[i] = (int16_t)(i % 30000 + 1);
    return samples;
}

size_t count_played(const struct simulation *simulation, uint32_t index)
{
    size_t count = 0;
    for (size_t i = 0; i < simulation->count; i++)
        count += recorded_is_seen(&simulation->records[i], OBSERVED_PLAYED) &&
                 simulation->records[i].observation.index == index;
    return count;
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
