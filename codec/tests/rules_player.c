#include "codec/tests/rules_player.h"

#include <check.h>
#include <stdlib.h>

#include "codec/ojin/constants.h"
#include "codec/ojin/profile.h"
#include "codec/rules/ojin/classes.h"
#include "codec/tests/exact_copy.h"
#include "codec/wire/writer.h"

enum {
    CHUNK_BYTES = 6400,
    QUIET_START_SAMPLES = 1600 /* of the second speech */
};

static const uint64_t EPOCH_MS = 1750000000000;
static const size_t SPEECH_SAMPLES[SPEECH_COUNT] = {9600, 6400, 8000};

int16_t *speech_make(size_t count, uint32_t seed, size_t quiet)
{
    int16_t *samples = malloc(count * sizeof *samples);
    ck_assert_ptr_nonnull(samples);
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        /* Never zero, and never the same when its bytes are swapped. */
        samples[i] = i < quiet ? 0 : (int16_t)(((int32_t)(seed >> 18) | 1) - 8192);
        if (i >= quiet && (samples[i] & 0xFF) == ((uint16_t)samples[i] >> 8))
            samples[i] = 17;
    }
    return samples;
}

void player_init(struct player *player, const struct session_case *session)
{
    *player = (struct player){.session = session,
                              .gap_us = 200000,
                              .payload_type = OJIN_PAYLOAD_AUDIO,
                              .params_size = -1,
                              .kept_max = MESSAGE_ROOM};
    player->context = (struct rule_context){.profile = ojin_profile_by_name(session->profile),
                                            .key = bytes_of_text(SESSION_KEY),
                                            .config = bytes_of_text(SESSION_CONFIG),
                                            .epoch_ms = EPOCH_MS,
                                            .speech_known = true,
                                            .speech_exact = true,
                                            .speech_count = SPEECH_COUNT};
    ck_assert_ptr_nonnull(player->context.profile);
    for (size_t i = 0; i < SPEECH_COUNT; i++) {
        player->samples[i] =
            speech_make(SPEECH_SAMPLES[i], (uint32_t)i + 1, i == 1 ? QUIET_START_SAMPLES : 0);
        player->context.speech[i] = (struct rule_speech){player->samples[i], SPEECH_SAMPLES[i]};
    }
}

void player_free(struct player *player)
{
    OJIN_RULES.destroy(player->rules);
    for (size_t i = 0; i < SPEECH_COUNT; i++)
        free(player->samples[i]);
}

void player_take_findings(struct player *player)
{
    while (player->finding_count < FINDINGS_ROOM &&
           OJIN_RULES.take_finding(player->rules, &player->findings[player->finding_count]))
        player->finding_count++;
}

void player_emit(struct player *player, enum wire_direction direction, enum wire_event_kind kind,
                 uint16_t code, struct bytes data)
{
    if (player->rules == NULL)
        player->rules = OJIN_RULES.create(&player->context);
    ck_assert_ptr_nonnull(player->rules);
    uint64_t true_size = data.len;
    if (data.len > player->kept_max)
        data.len = player->kept_max;
    struct exact_copy copy = exact_copy_of(data);
    struct wire_event event = {.at_us = player->now_us,
                               .direction = direction,
                               .kind = kind,
                               .code = code,
                               .fault = player->fault,
                               .message_bytes = true_size,
                               .data = copy.bytes};
    OJIN_RULES.event(player->rules, &event);
    exact_copy_free(copy);
    player_take_findings(player);
}

void player_from_client(struct player *player, enum wire_event_kind kind, struct bytes data)
{
    player->now_us += player->gap_us;
    player_emit(player, WIRE_FROM_CLIENT, kind, 0, data);
}

void player_from_server(struct player *player, enum wire_event_kind kind, const char *text)
{
    player_emit(player, WIRE_FROM_SERVER, kind, 0, bytes_of_text(text));
}

uint64_t player_timestamp(const struct player *player)
{
    uint64_t now_ms = EPOCH_MS + player->now_us / 1000;
    switch (player->clock) {
    case 's':
        return now_ms / 1000;
    case 'u':
        return now_ms * 1000;
    case 'n':
        return now_ms * 1000000;
    case 'l':
        return now_ms & UINT32_MAX;
    case 'm':
        return 123456 + player->now_us / 1000;
    case '0':
        return 0;
    case '+': /* as far off as is allowed */
        return now_ms + 60000;
    case '*':
        return now_ms + 60001;
    default:
        return now_ms;
    }
}

static void write_number(const struct player *player, struct writer *writer, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        unsigned shift = 8 * (player->little_endian ? i : bytes - 1 - i);
        writer_u8(writer, (uint8_t)(value >> shift));
    }
}

size_t player_speech_left(const struct player *player)
{
    return 2 * player->context.speech[player->speech].sample_count - player->position;
}

void player_send_audio(struct player *player, size_t bytes, size_t zero_samples)
{
    static uint8_t room[MESSAGE_ROOM];
    static const uint8_t nothing[7];
    struct writer writer = writer_of(room, sizeof room);
    struct bytes params =
        player->params ? bytes_of(player->session->data, player->session->len) : bytes_of(NULL, 0);
    player->now_us += player->gap_us;
    writer_u8(&writer, player->payload_type);
    if (player->padded)
        writer_bytes(&writer, bytes_of(nothing, sizeof nothing));
    write_number(player, &writer, player_timestamp(player), 8);
    write_number(player, &writer, player->params_size < 0 ? params.len : (uint64_t)player->params_size, 4);
    writer_bytes(&writer, params);
    ck_assert(bytes == 0 || bytes <= player_speech_left(player));
    for (size_t i = 0; i < bytes; i++, player->position++) {
        size_t at = player->swap_samples ? player->position ^ 1 : player->position;
        uint16_t sample = (uint16_t)player->context.speech[player->speech].samples[at / 2];
        writer_u8(&writer, (uint8_t)((at & 1) != 0 ? sample >> 8 : sample & 0xFF));
    }
    for (size_t i = 0; i < 2 * zero_samples; i++)
        writer_u8(&writer, 0);
    ck_assert(!writer.overflow);
    player_emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_BINARY, 0, bytes_of(room, writer.len));
}

void player_next_speech(struct player *player)
{
    player->speech++;
    player->position = 0;
}

void player_send_all(struct player *player)
{
    while (player_speech_left(player) > 0) {
        size_t left = player_speech_left(player);
        player_send_audio(player, left < CHUNK_BYTES ? left : CHUNK_BYTES, 0);
    }
    player_next_speech(player);
}

void player_request(struct player *player, struct bytes head)
{
    player_emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_REQUEST, 0, head);
    player_emit(player, WIRE_FROM_SERVER, WIRE_EVENT_RESPONSE, 101, bytes_of_text("HTTP/1.1 101 x\r\n\r\n"));
}
