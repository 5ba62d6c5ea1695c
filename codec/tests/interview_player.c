#include "codec/tests/interview_player.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "codec/tests/exact_copy.h"

enum { CHUNK_US = 100000, OUT_MAX = 4 * 1024 * 1024 };
static const uint64_t EPOCH_MS = 1699999999000;

struct player {
    const struct interview_profile *profile;
    interview_test_sink *sink;
    void *context;
    uint64_t now_us;
    size_t sample; /* of the speech */
};

const int16_t *interview_test_speech(void)
{
    static int16_t samples[INTERVIEW_TEST_SPEECH];
    for (size_t i = 0; i < INTERVIEW_TEST_SPEECH; i++)
        samples[i] = (int16_t)((int)(i * 7919 % 20011) - 10005);
    return samples;
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

static void emit_message(struct player *player, const struct interview_message *message)
{
    struct buffer out;
    buffer_init(&out, OUT_MAX);
    ck_assert(interview_message_write(player->profile->dialect, message, &out));
    emit(player, interview_message_is_clients(message->type) ? WIRE_FROM_CLIENT : WIRE_FROM_SERVER,
         WIRE_EVENT_TEXT, 0, buffer_bytes(&out));
    buffer_free(&out);
}

static size_t number_or(const char *text, size_t other)
{
    return *text == '\0' ? other : strtoul(text, NULL, 10);
}

/* --- the client --- */

static void request(struct player *player, const char *target)
{
    char head[400];
    struct text text = text_of(head, sizeof head);
    text_add(&text, "GET ");
    text_add(&text, *target != '\0' ? target
                                    : "/api/v1/interviews/" INTERVIEW_TEST_ID
                                      "/realtime/connect?token=" INTERVIEW_TEST_TOKEN);
    text_add(&text, " HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n");
    emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_REQUEST, 0, bytes_of_text(head));
}

static void open_session(struct player *player, const char *target)
{
    request(player, target);
    emit(player, WIRE_FROM_SERVER, WIRE_EVENT_RESPONSE, 101, bytes_of_text("HTTP/1.1 101 OK\r\n\r\n"));
}

/* "TARGET=STATUS", the status behind the last of them. */
static void refuse(struct player *player, char *text)
{
    char *status = strrchr(text, '=');
    ck_assert_ptr_nonnull(status);
    *status++ = '\0';
    request(player, text);
    emit(player, WIRE_FROM_SERVER, WIRE_EVENT_RESPONSE, (uint16_t)number_or(status, 403),
         bytes_of_text("HTTP/1.1 403 No\r\n\r\n"));
}

static void send_audio(struct player *player, enum interview_message_type type, size_t samples, bool speaks,
                       int off, bool is_final)
{
    uint8_t *pcm = calloc(samples + 1, INTERVIEW_SAMPLE_BYTES);
    ck_assert_ptr_nonnull(pcm);
    for (size_t i = 0; i < samples; i++) {
        const int16_t *speech = interview_test_speech();
        const int sample = speaks ? speech[player->sample++ % INTERVIEW_TEST_SPEECH] + off : 1000;
        pcm[2 * i] = (uint8_t)((unsigned)sample & 0xff);
        pcm[2 * i + 1] = (uint8_t)((unsigned)sample >> 8 & 0xff);
    }
    const struct interview_message message = {
        .type = type,
        .has_audio = true,
        .audio = bytes_of(pcm, samples * INTERVIEW_SAMPLE_BYTES),
        .has_timestamp = true,
        .timestamp = interview_time_of(player->profile->dialect, EPOCH_MS + player->now_us / 1000),
        .has_is_final = true,
        .is_final = is_final};
    emit_message(player, &message);
    free(pcm);
}

static void send_big(struct player *player, size_t size)
{
    uint8_t *data = malloc(size + 1);
    ck_assert_ptr_nonnull(data);
    memset(data, ' ', size);
    memcpy(data, "{\"type\":\"cancel_response\"}", 26);
    emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_TEXT, 0, bytes_of(data, size));
    free(data);
}

/* False: it is no word of the client. */
static bool obey_client(struct player *player, const char *word, char *text)
{
    if (strcmp(word, "chunk") == 0 || strcmp(word, "speak") == 0 || strcmp(word, "near") == 0 ||
        strcmp(word, "off") == 0)
        player->now_us += CHUNK_US;
    if (strcmp(word, "open") == 0)
        open_session(player, text);
    else if (strcmp(word, "refuse") == 0)
        refuse(player, text);
    else if (strcmp(word, "chunk") == 0 || strcmp(word, "now") == 0)
        send_audio(player, INTERVIEW_MESSAGE_AUDIO_CHUNK, number_or(text, 2400), false, 0, false);
    else if (strcmp(word, "speak") == 0)
        send_audio(player, INTERVIEW_MESSAGE_AUDIO_CHUNK, number_or(text, 2400), true, 0, false);
    else if (strcmp(word, "near") == 0 || strcmp(word, "off") == 0)
        send_audio(player, INTERVIEW_MESSAGE_AUDIO_CHUNK, number_or(text, 2400), true, *word == 'n' ? 1 : 2,
                   false);
    else if (strcmp(word, "commit") == 0)
        emit_message(player, &(struct interview_message){.type = INTERVIEW_MESSAGE_COMMIT_AUDIO});
    else if (strcmp(word, "cancel") == 0)
        emit_message(player, &(struct interview_message){.type = INTERVIEW_MESSAGE_CANCEL_RESPONSE});
    else if (strcmp(word, "big") == 0)
        send_big(player, number_or(text, 0));
    else if (strcmp(word, "c") == 0)
        emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_TEXT, 0, bytes_of_text(text));
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

static void send_status(struct player *player, enum interview_status status)
{
    emit_message(player, &(struct interview_message){.type = INTERVIEW_MESSAGE_STATUS,
                                                     .has_status = true,
                                                     .status = status,
                                                     .has_message = true,
                                                     .message = bytes_of_text("m")});
}

static void send_transcript(struct player *player, enum interview_speaker speaker)
{
    emit_message(player, &(struct interview_message){
                             .type = INTERVIEW_MESSAGE_TRANSCRIPT,
                             .has_speaker = true,
                             .speaker = speaker,
                             .has_text = true,
                             .text = bytes_of_text("a"),
                             .has_timestamp = true,
                             .timestamp = interview_time_of(player->profile->dialect, EPOCH_MS)});
}

static bool obey_server(struct player *player, const char *word, const char *text)
{
    if (strcmp(word, "ping") == 0)
        emit(player, WIRE_FROM_SERVER, WIRE_EVENT_PING, 0, bytes_of_text(text));
    else if (strcmp(word, "connecting") == 0)
        send_status(player, INTERVIEW_STATUS_CONNECTING);
    else if (strcmp(word, "connected") == 0)
        send_status(player, INTERVIEW_STATUS_CONNECTED);
    else if (strcmp(word, "disconnected") == 0)
        send_status(player, INTERVIEW_STATUS_DISCONNECTED);
    else if (strcmp(word, "heard") == 0)
        send_transcript(player, INTERVIEW_SPEAKER_CANDIDATE);
    else if (strcmp(word, "said") == 0)
        send_transcript(player, INTERVIEW_SPEAKER_AI);
    else if (strcmp(word, "ai") == 0 || strcmp(word, "final") == 0)
        send_audio(player, INTERVIEW_MESSAGE_AI_AUDIO_CHUNK, number_or(text, 2400), false, 0, *word == 'f');
    else if (strcmp(word, "result") == 0)
        emit_message(player, &(struct interview_message){.type = INTERVIEW_MESSAGE_FUNCTION_RESULT,
                                                         .has_function_name = true,
                                                         .function_name = bytes_of_text(INTERVIEW_FUNCTION),
                                                         .has_result = true,
                                                         .result = bytes_of_text("{\"score\":8}")});
    else if (strcmp(word, "error") == 0)
        emit_message(player, &(struct interview_message){.type = INTERVIEW_MESSAGE_ERROR,
                                                         .has_code = true,
                                                         .code = bytes_of_text(text),
                                                         .has_message = true,
                                                         .message = bytes_of_text("m")});
    else if (strcmp(word, "s") == 0)
        emit(player, WIRE_FROM_SERVER, WIRE_EVENT_TEXT, 0, bytes_of_text(text));
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

uint64_t interview_test_play(const struct interview_profile *profile, const char *words,
                             interview_test_sink *sink, void *context)
{
    struct player player = {.profile = profile, .sink = sink, .context = context};
    char *copy = malloc(strlen(words) + 1), nothing[] = "";
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
        char *argument = text == NULL ? nothing : text;
        ck_assert_msg(obey_client(&player, word, argument) || obey_server(&player, word, argument),
                      "no word '%s'", word);
    }
    free(copy);
    return player.now_us;
}
