#include "client/tests/interview_simulation.h"

#include <stdlib.h>

enum { EPOCH_MS = 1700000000 };

struct simulation interview_simulation_of(const char *profile, uint32_t reconnects)
{
    const struct interview_client_config config = {.profile = interview_profile_by_name(profile),
                                                   .life.epoch_ms = UINT64_C(1000) * EPOCH_MS,
                                                   .life.reconnect_times = reconnects};
    return simulation_with(&INTERVIEW_CLIENT_CLASS, &config.profile->base, interview_client_new(&config));
}

/* ---- the server ---- */

static const struct interview_dialect *dialect_of(const struct simulation *simulation)
{
    return interview_profile_of(simulation->profile)->dialect;
}

void interview_simulation_say(struct simulation *simulation, const struct interview_message *message)
{
    struct buffer text;
    buffer_init(&text, INTERVIEW_MESSAGE_BYTES_MAX);
    if (!interview_message_write(dialect_of(simulation), message, &text))
        abort();
    simulation_event(simulation, CLIENT_TEXT, 0, buffer_bytes(&text));
    buffer_free(&text);
}

void interview_simulation_connected(struct simulation *simulation)
{
    const struct interview_message message = {.type = INTERVIEW_MESSAGE_STATUS,
                                              .has_status = true,
                                              .status = INTERVIEW_STATUS_CONNECTED,
                                              .has_message = true,
                                              .message = bytes_of_text("Realtime session initialized")};
    simulation_event(simulation, CLIENT_OPENED, 0, (struct bytes){0});
    interview_simulation_say(simulation, &message);
}

int16_t interview_simulation_sample(uint32_t position)
{
    return (int16_t)(position % 65521 - 32760);
}

void interview_simulation_chunk(struct simulation *simulation, uint32_t first, size_t samples,
                                const char *text, bool is_final)
{
    uint8_t *pcm = simulation_checked(malloc(samples * INTERVIEW_SAMPLE_BYTES + 1));
    for (size_t i = 0; i < samples; i++) {
        const uint16_t value = (uint16_t)interview_simulation_sample(first + (uint32_t)i);
        pcm[i * INTERVIEW_SAMPLE_BYTES] = (uint8_t)(value & 0xFF);
        pcm[i * INTERVIEW_SAMPLE_BYTES + 1] = (uint8_t)(value >> 8);
    }
    const struct interview_message message = {.type = INTERVIEW_MESSAGE_AI_AUDIO_CHUNK,
                                              .has_audio = true,
                                              .audio = bytes_of(pcm, samples * INTERVIEW_SAMPLE_BYTES),
                                              .has_text = text != NULL,
                                              .text = bytes_of_text(text != NULL ? text : ""),
                                              .has_is_final = true,
                                              .is_final = is_final};
    interview_simulation_say(simulation, &message);
    free(pcm);
}

void interview_simulation_transcript(struct simulation *simulation, enum interview_speaker speaker,
                                     const char *text)
{
    const struct interview_message message = {.type = INTERVIEW_MESSAGE_TRANSCRIPT,
                                              .has_speaker = true,
                                              .speaker = speaker,
                                              .has_text = true,
                                              .text = bytes_of_text(text),
                                              .has_timestamp = true,
                                              .timestamp = EPOCH_MS};
    interview_simulation_say(simulation, &message);
}

void interview_simulation_error(struct simulation *simulation, const char *code)
{
    const struct interview_message message = {.type = INTERVIEW_MESSAGE_ERROR,
                                              .has_code = true,
                                              .code = bytes_of_text(code),
                                              .has_message = true,
                                              .message = bytes_of_text("that is wrong")};
    interview_simulation_say(simulation, &message);
}

void interview_simulation_answer(struct simulation *simulation, uint32_t first, size_t samples)
{
    int16_t *speech = simulation_checked(malloc((samples + 1) * sizeof *speech));
    for (size_t i = 0; i < samples; i++)
        speech[i] = interview_simulation_sample(first + (uint32_t)i);
    if (!interview_client_answer(simulation->client, speech, samples))
        abort();
    free(speech);
}

/* ---- the record ---- */

struct interview_message interview_nth_sent(const struct simulation *simulation,
                                            enum interview_message_type type, size_t n, uint64_t *at_us)
{
    struct interview_message message;
    for (size_t i = 0; i < simulation->count; i++) {
        const struct recorded *record = &simulation->records[i];
        if (record->kind != CLIENT_SEND_TEXT)
            continue;
        interview_message_read(bytes_of(record->data, record->len), dialect_of(simulation), &message);
        if ((type == INTERVIEW_MESSAGE_OTHER || message.type == type) && n-- == 0) {
            *at_us = record->at_us;
            return message;
        }
        interview_message_free(&message);
    }
    *at_us = UINT64_MAX;
    return (struct interview_message){.type = INTERVIEW_MESSAGE_OTHER};
}

size_t interview_count_sent(const struct simulation *simulation, enum interview_message_type type)
{
    for (size_t count = 0;; count++) {
        uint64_t at_us = 0;
        struct interview_message message = interview_nth_sent(simulation, type, count, &at_us);
        interview_message_free(&message);
        if (at_us == UINT64_MAX)
            return count;
    }
}

size_t interview_count_errors(const struct simulation *simulation, const char *code)
{
    size_t count = 0;
    for (size_t i = 0; i < simulation->count; i++)
        count += recorded_is_seen(&simulation->records[i], OBSERVED_ERROR) &&
                 strcmp(simulation->records[i].observation.code, code) == 0;
    return count;
}
