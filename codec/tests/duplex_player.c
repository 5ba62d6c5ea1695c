#include "codec/tests/duplex_player.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "codec/tests/duplex_text.h"

struct player {
    const struct duplex_profile *profile;
    duplex_test_sink *sink;
    void *context;
    uint64_t now_us;
    size_t speech;
    size_t sample;
    int64_t kv_cache_length;
    bool big_endian; /* samples from now on */
    bool faint;      /* the same: far below what can be heard */
};

const int16_t *duplex_test_speech(size_t n, size_t *count)
{
    static int16_t samples[2][DUPLEX_TEST_SPEECH];
    *count = n == 0 ? DUPLEX_TEST_SPEECH : DUPLEX_TEST_SPEECH / 2;
    for (size_t i = 0; i < *count; i++)
        samples[n][i] = n == 1 && i < 100 ? 0 : (int16_t)((int)(i * 7919 % 20011) - 10005);
    return samples[n];
}

static void emit(struct player *player, enum wire_direction direction, enum wire_event_kind kind,
                 uint16_t code, struct bytes data)
{
    struct exact_copy copy = exact_copy_of(data);
    const struct wire_event event = {.at_us = player->now_us,
                                     .direction = direction,
                                     .kind = kind,
                                     .code = code,
                                     .message_bytes = data.len,
                                     .data = copy.bytes};
    player->sink(player->context, &event);
    exact_copy_free(copy);
}

static void emit_message(struct player *player, const struct duplex_message *message)
{
    struct buffer out;
    buffer_init(&out, 1 << 22);
    ck_assert(duplex_message_write(player->profile, message, &out));
    emit(player, duplex_message_is_clients(message->type) ? WIRE_FROM_CLIENT : WIRE_FROM_SERVER,
         WIRE_EVENT_TEXT, 0, buffer_bytes(&out));
    buffer_free(&out);
}

static void emit_text(struct player *player, enum wire_direction direction, const char *json)
{
    struct exact_copy copy = duplex_test_text(json);
    emit(player, direction, WIRE_EVENT_TEXT, 0, copy.bytes);
    exact_copy_free(copy);
}

/* --- the client --- */

static void open_session(struct player *player, const char *target)
{
    char head[300];
    struct text text = text_of(head, sizeof head);
    text_add(&text, "GET ");
    text_add(&text, target);
    if (*target == '\0') {
        text_add(&text, "/v1/realtime?mode=");
        text_add(&text, player->profile->mode_word);
    }
    text_add(&text, " HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n");
    emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_REQUEST, 0, bytes_of_text(head));
    emit(player, WIRE_FROM_SERVER, WIRE_EVENT_RESPONSE, 101, bytes_of_text("HTTP/1.1 101 OK\r\n\r\n"));
}

static void send_update(struct player *player)
{
    const struct duplex_message message = {
        .type = DUPLEX_MESSAGE_UPDATE, .has_instructions = true, .instructions = bytes_of_text("Be kind.")};
    emit_message(player, &message);
}

/* `quiet`: samples of silence before the speech. */
static void send_append(struct player *player, size_t samples, bool speaks, size_t quiet, bool force,
                        int64_t slices)
{
    uint8_t *pcm = calloc(samples + 1, FLOAT32_BYTES);
    ck_assert_ptr_nonnull(pcm);
    size_t count;
    const int16_t *speech = duplex_test_speech(player->speech, &count);
    for (size_t i = quiet; i < samples; i++) {
        float32_put(pcm + i * FLOAT32_BYTES, speaks ? (float)speech[player->sample++] / 32767.0F : 0.25F);
        if (player->sample == count) {
            player->sample = 0;
            player->speech = 1 - player->speech;
            speech = duplex_test_speech(player->speech, &count);
        }
    }
    for (size_t i = 0; player->faint && i < samples; i++)
        float32_put(pcm + i * FLOAT32_BYTES, (float)(i * 7919 % 1000) / 1e10F);
    if (player->big_endian)
        for (size_t at = 0; at < samples * FLOAT32_BYTES; at += FLOAT32_BYTES) {
            const uint8_t turned[FLOAT32_BYTES] = {pcm[at + 3], pcm[at + 2], pcm[at + 1], pcm[at]};
            memcpy(pcm + at, turned, sizeof turned);
        }
    const struct duplex_message message = {.type = DUPLEX_MESSAGE_APPEND,
                                           .has_audio = true,
                                           .audio = bytes_of(pcm, samples * FLOAT32_BYTES),
                                           .has_pictures = player->profile->pictures,
                                           .picture_count = player->profile->pictures ? 1 : 0,
                                           .pictures = {{.jpeg = bytes_of("\xff\xd8\xff\xd9", 4)}},
                                           .has_force_listen = force,
                                           .force_listen = force,
                                           .has_max_slices = slices > 0,
                                           .max_slices = slices};
    emit_message(player, &message);
    free(pcm);
}

static size_t number_or(const char *text, size_t other)
{
    return *text == '\0' ? other : strtoul(text, NULL, 10);
}

/* False: it is no word of the client. */
static bool obey_client(struct player *player, const char *word, const char *text)
{
    const bool is_append = strcmp(word, "append") == 0 || strcmp(word, "speak") == 0 ||
                           strcmp(word, "lead") == 0 || strcmp(word, "force") == 0 ||
                           strcmp(word, "slices") == 0;
    if (is_append)
        player->now_us += DUPLEX_APPEND_US;
    if (strcmp(word, "open") == 0)
        open_session(player, text);
    else if (strcmp(word, "big-endian") == 0)
        player->big_endian = true;
    else if (strcmp(word, "faint") == 0)
        player->faint = true;
    else if (strcmp(word, "update") == 0)
        send_update(player);
    else if (strcmp(word, "append") == 0 || strcmp(word, "now") == 0)
        send_append(player, number_or(text, DUPLEX_APPEND_SAMPLES), false, 0, false, 0);
    else if (strcmp(word, "speak") == 0)
        send_append(player, number_or(text, DUPLEX_APPEND_SAMPLES), true, 0, false, 0);
    else if (strcmp(word, "lead") == 0)
        send_append(player, DUPLEX_APPEND_SAMPLES, true, number_or(text, 0), false, 0);
    else if (strcmp(word, "force") == 0)
        send_append(player, DUPLEX_APPEND_SAMPLES, false, 0, true, 0);
    else if (strcmp(word, "slices") == 0)
        send_append(player, DUPLEX_APPEND_SAMPLES, false, 0, false, (int64_t)number_or(text, 1));
    else if (strcmp(word, "close") == 0)
        emit_message(player,
                     &(struct duplex_message){.type = DUPLEX_MESSAGE_CLOSE,
                                              .has_reason = true,
                                              .reason = bytes_of_text(*text == '\0' ? "user_stop" : text)});
    else if (strcmp(word, "c") == 0)
        emit_text(player, WIRE_FROM_CLIENT, text);
    else if (strcmp(word, "b") == 0)
        emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_BINARY, 0, bytes_of_text(text));
    else if (strcmp(word, "violation") == 0)
        emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_VIOLATION, (uint16_t)number_or(text, 1), bytes_of(NULL, 0));
    else if (strcmp(word, "pong") == 0)
        emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_PONG, 0, bytes_of_text(text));
    else if (strcmp(word, "cclose") == 0)
        emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_CLOSE, (uint16_t)number_or(text, 1000), bytes_of(NULL, 0));
    else if (strcmp(word, "cend") == 0)
        emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_END, 0, bytes_of(NULL, 0));
    else
        return false;
    return true;
}

/* --- the server --- */

static void send_delta(struct player *player, size_t samples, bool end)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    uint8_t *pcm = calloc(samples + 1, FLOAT32_BYTES);
    ck_assert_ptr_nonnull(pcm);
    player->kv_cache_length += 20;
    const struct duplex_message message = {.type = DUPLEX_MESSAGE_DELTA,
                                           .has_text = true,
                                           .text = bytes_of(letters, samples / 2400 + 1),
                                           .has_audio = true,
                                           .audio = bytes_of(pcm, samples * FLOAT32_BYTES),
                                           .has_end_of_turn = true,
                                           .end_of_turn = end,
                                           .has_kv_cache_length = true,
                                           .kv_cache_length = player->kv_cache_length};
    emit_message(player, &message);
    free(pcm);
}

static void send_listen(struct player *player, int64_t kv_cache_length)
{
    player->kv_cache_length = kv_cache_length;
    emit_message(player, &(struct duplex_message){.type = DUPLEX_MESSAGE_LISTEN,
                                                  .has_kv_cache_length = true,
                                                  .kv_cache_length = kv_cache_length});
}

static void send_place(struct player *player, enum duplex_message_type type)
{
    emit_message(player, &(struct duplex_message){.type = type, .has_position = true, .position = 1});
}

static void send_error(struct player *player, const char *name)
{
    enum duplex_error_code code = DUPLEX_ERROR_COUNT;
    ck_assert(duplex_error_by_name(bytes_of_text(name), &code));
    emit_message(player,
                 &(struct duplex_message){.type = DUPLEX_MESSAGE_ERROR,
                                          .code = bytes_of_text(name),
                                          .error_message = bytes_of_text(duplex_error_description(code)),
                                          .error_type = bytes_of_text(duplex_error_type(code))});
}

static bool obey_server(struct player *player, const char *word, const char *text)
{
    if (strcmp(word, "ping") == 0)
        emit(player, WIRE_FROM_SERVER, WIRE_EVENT_PING, 0, bytes_of_text(text));
    else if (strcmp(word, "queued") == 0)
        send_place(player, DUPLEX_MESSAGE_QUEUED);
    else if (strcmp(word, "qupdate") == 0)
        send_place(player, DUPLEX_MESSAGE_QUEUE_UPDATE);
    else if (strcmp(word, "qdone") == 0)
        emit_message(player, &(struct duplex_message){.type = DUPLEX_MESSAGE_QUEUE_DONE});
    else if (strcmp(word, "created") == 0)
        emit_message(player, &(struct duplex_message){.type = DUPLEX_MESSAGE_CREATED,
                                                      .has_session_id = true,
                                                      .session_id = bytes_of_text("rt_1714200000000")});
    else if (strcmp(word, "listen") == 0)
        send_listen(player, (int64_t)number_or(text, 300));
    else if (strcmp(word, "delta") == 0 || strcmp(word, "last") == 0)
        send_delta(player, number_or(text, DUPLEX_DELTA_SAMPLES), *word == 'l');
    else if (strcmp(word, "closed") == 0)
        emit_message(player, &(struct duplex_message){.type = DUPLEX_MESSAGE_CLOSED,
                                                      .has_reason = true,
                                                      .reason = bytes_of_text(text)});
    else if (strcmp(word, "error") == 0)
        send_error(player, text);
    else if (strcmp(word, "s") == 0)
        emit_text(player, WIRE_FROM_SERVER, text);
    else if (strcmp(word, "sclose") == 0)
        emit(player, WIRE_FROM_SERVER, WIRE_EVENT_CLOSE, (uint16_t)number_or(text, 1000), bytes_of(NULL, 0));
    else if (strcmp(word, "send") == 0)
        emit(player, WIRE_FROM_SERVER, WIRE_EVENT_END, 0, bytes_of(NULL, 0));
    else if (strcmp(word, "raw") == 0)
        emit(player, WIRE_FROM_SERVER, WIRE_EVENT_TRANSPORT, WIRE_ACT_RAW, bytes_of(NULL, 0));
    else if (strcmp(word, "half-close") == 0)
        emit(player, WIRE_FROM_SERVER, WIRE_EVENT_TRANSPORT, WIRE_ACT_HALF_CLOSE, bytes_of(NULL, 0));
    else if (strcmp(word, "stop-reading") == 0)
        emit(player, WIRE_FROM_SERVER, WIRE_EVENT_TRANSPORT, WIRE_ACT_STOP_READING, bytes_of(NULL, 0));
    else
        return false;
    return true;
}

uint64_t duplex_test_play(const struct duplex_profile *profile, const char *words, duplex_test_sink *sink,
                          void *context)
{
    struct player player = {.profile = profile, .sink = sink, .context = context, .kv_cache_length = 300};
    char *copy = malloc(strlen(words) + 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, words, strlen(words) + 1);
    char *rest = copy;
    for (char *word = strtok_r(rest, " ", &rest); word != NULL; word = strtok_r(rest, " ", &rest)) {
        char *text = strchr(word, ':');
        if (*word == '+') {
            player.now_us += 1000 * (uint64_t)strtoul(word + 1, NULL, 10);
            continue;
        }
        if (text != NULL)
            *text++ = '\0';
        const char *argument = text == NULL ? "" : text;
        ck_assert_msg(obey_client(&player, word, argument) || obey_server(&player, word, argument),
                      "no word '%s'", word);
    }
    free(copy);
    return player.now_us;
}
