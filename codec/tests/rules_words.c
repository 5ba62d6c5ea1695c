/* The words of the sessions, each a function and a line of the table. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/ojin/constants.h"
#include "codec/tests/rules_player.h"
#include "codec/wire/writer.h"

enum { LONG_SAMPLES = 300000 };

static const char GOOD_HEAD[] = SESSION_HEAD(SESSION_TARGET, "Authorization: " SESSION_KEY "\r\n");
static const char READY[] =
    "{\"type\":\"sessionReady\",\"payload\":{\"trace_id\":\"t\",\"status\":\"success\",\"load\":0.1}}";

typedef void word_action(struct player *player, const char *text, long number);

#define WORD(name) static void word_##name(struct player *player, const char *text, long number)
#define UNUSED     (void)text, (void)number, (void)player

WORD(open)
{
    UNUSED;
    player_request(player, bytes_of_text(GOOD_HEAD));
    player_from_server(player, WIRE_EVENT_TEXT, READY);
}
WORD(good_request)
{
    UNUSED, player_request(player, bytes_of_text(GOOD_HEAD));
}
WORD(head)
{
    UNUSED, player_request(player, bytes_of(player->session->data, player->session->len));
}
WORD(plain_http)
{
    UNUSED;
    player_emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_REQUEST, 0,
                bytes_of(player->session->data, player->session->len));
    player_emit(player, WIRE_FROM_SERVER, WIRE_EVENT_RESPONSE, 426, bytes_of_text("HTTP/1.1 426 x\r\n\r\n"));
}
WORD(ready)
{
    UNUSED, player_from_server(player, WIRE_EVENT_TEXT, READY);
}
WORD(half_ready)
{
    UNUSED, player_from_server(player, WIRE_EVENT_TEXT, "{\"type\":\"sessionReady\",\"payload\":{}}");
}
WORD(silence)
{
    UNUSED, player_send_audio(player, 0, (size_t)number);
}
WORD(speak)
{
    UNUSED, player_send_audio(player, 2 * (size_t)number, 0);
}
WORD(bytes)
{
    UNUSED, player_send_audio(player, (size_t)number, 0);
}
WORD(rest_and_zeros)
{
    UNUSED, player_send_audio(player, player_speech_left(player), (size_t)number);
}
WORD(all)
{
    UNUSED, player_send_all(player);
}
static void write_speech(struct player *player, struct writer *writer, long samples)
{
    for (long i = 0; i < samples; i++, player->position += 2) {
        uint16_t sample = (uint16_t)player->context.speech[player->speech].samples[player->position / 2];
        writer_u8(writer, (uint8_t)(sample & 0xFF));
        writer_u8(writer, (uint8_t)(sample >> 8));
    }
}
WORD(zeros_and_speech)
{
    /* A frame of silence and speech in one message: as params that are none, so that they come first. */
    static uint8_t room[8192];
    UNUSED;
    struct writer writer = writer_of(room, sizeof room);
    player->now_us += player->gap_us;
    writer_u8(&writer, 1);
    writer_u64(&writer, player_timestamp(player));
    writer_u32(&writer, 0);
    for (size_t i = 0; i < OJIN_FRAME_AUDIO_BYTES; i++)
        writer_u8(&writer, 0);
    write_speech(player, &writer, number);
    player_emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_BINARY, 0, bytes_of(room, writer.len));
}
WORD(held_and_next)
{
    /* Some of this speech, and the start of the next behind it in the same message. */
    enum { NEXT_SAMPLES = 3200 };
    static uint8_t room[16384];
    UNUSED;
    struct writer writer = writer_of(room, sizeof room);
    player->now_us += player->gap_us;
    writer_u8(&writer, 1);
    writer_u64(&writer, player_timestamp(player));
    writer_u32(&writer, 0);
    write_speech(player, &writer, number);
    player_next_speech(player);
    write_speech(player, &writer, NEXT_SAMPLES);
    player_emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_BINARY, 0, bytes_of(room, writer.len));
}
WORD(shout)
{
    /* A sound that is of no speech. */
    static uint8_t room[16384];
    UNUSED;
    struct writer writer = writer_of(room, sizeof room);
    player->now_us += player->gap_us;
    writer_u8(&writer, 1);
    writer_u64(&writer, player_timestamp(player));
    writer_u32(&writer, 0);
    for (long i = 0; i < number; i++) {
        writer_u8(&writer, (uint8_t)(i % 3));
        writer_u8(&writer, i % 2 == 0 ? 0x7F : 0x80);
    }
    player_emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_BINARY, 0, bytes_of(room, writer.len));
}
WORD(next)
{
    UNUSED, player_next_speech(player);
}
WORD(again)
{
    UNUSED, player->speech--, player->position = 0;
}
WORD(skip)
{
    UNUSED, player->position += 2 * (size_t)number;
}
WORD(back)
{
    UNUSED, player->position -= 2 * (size_t)number;
}
WORD(skip_byte)
{
    UNUSED, player->position++;
}
WORD(back_byte)
{
    UNUSED, player->position--;
}
WORD(gap)
{
    UNUSED, player->gap_us = (uint64_t)number;
}
WORD(wait)
{
    UNUSED, player->now_us += (uint64_t)number * 1000;
}
WORD(wait_us)
{
    UNUSED, player->now_us += (uint64_t)number;
}
WORD(clock)
{
    UNUSED, player->clock = text[0];
}
WORD(type)
{
    UNUSED, player->payload_type = (uint8_t)number;
}
WORD(little)
{
    UNUSED, player->little_endian = true;
}
WORD(big)
{
    UNUSED, player->little_endian = false;
}
WORD(padded)
{
    UNUSED, player->padded = true;
}
WORD(swapped)
{
    UNUSED, player->swap_samples = true;
}
WORD(params)
{
    UNUSED, player->params = true;
}
WORD(no_params)
{
    UNUSED, player->params = false, player->params_size = -1;
}
WORD(params_size)
{
    UNUSED, player->params_size = number;
}
WORD(kept)
{
    UNUSED, player->kept_max = (size_t)number;
}
WORD(text)
{
    UNUSED,
        player_from_client(player, WIRE_EVENT_TEXT, bytes_of(player->session->data, player->session->len));
}
WORD(binary)
{
    UNUSED,
        player_from_client(player, WIRE_EVENT_BINARY, bytes_of(player->session->data, player->session->len));
}
WORD(garbage)
{
    static uint8_t room[MESSAGE_ROOM];
    UNUSED;
    memset(room, 0x55, sizeof room);
    player_from_client(player, WIRE_EVENT_BINARY, bytes_of(room, (size_t)number));
}
WORD(end)
{
    static const char end[] = "{\"type\":\"endInteraction\",\"payload\":{\"timestamp\":1750000000000}}";
    UNUSED, player_from_client(player, WIRE_EVENT_TEXT, bytes_of_text(end));
}
WORD(cancel)
{
    static const char cancel[] = "{\"type\":\"cancelInteraction\",\"payload\":{}}";
    UNUSED, player_from_client(player, WIRE_EVENT_TEXT, bytes_of_text(cancel));
}
WORD(error)
{
    char message[200];
    UNUSED;
    snprintf(message, sizeof message,
             "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"%s\",\"message\":\"m\",\"timestamp\":1}}",
             text);
    player_from_server(player, WIRE_EVENT_TEXT, message);
}
WORD(plain)
{
    UNUSED, player_from_server(player, WIRE_EVENT_TEXT, "No backend servers available.");
}
WORD(frame)
{
    UNUSED, player_from_server(player, WIRE_EVENT_BINARY, "frame");
}
WORD(ping)
{
    UNUSED, player_from_server(player, WIRE_EVENT_PING, text);
}
WORD(fault_ping)
{
    UNUSED;
    player->fault = true;
    player_from_server(player, WIRE_EVENT_PING, text);
    player->fault = false;
}
WORD(pong)
{
    UNUSED, player_emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_PONG, 0, bytes_of_text(text));
}
WORD(violation)
{
    UNUSED, player_emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_VIOLATION, (uint16_t)number,
                        bytes_of_text("sentence"));
}
WORD(server_violation)
{
    UNUSED, player_emit(player, WIRE_FROM_SERVER, WIRE_EVENT_VIOLATION, (uint16_t)number,
                        bytes_of_text("sentence"));
}
WORD(close)
{
    UNUSED, player_emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_CLOSE, 1000, bytes_of(NULL, 0));
}
WORD(server_close)
{
    UNUSED, player_emit(player, WIRE_FROM_SERVER, WIRE_EVENT_CLOSE, 1000, bytes_of(NULL, 0));
}
WORD(act)
{
    UNUSED, player_emit(player, WIRE_FROM_SERVER, WIRE_EVENT_TRANSPORT, (uint16_t)number, bytes_of(NULL, 0));
}
WORD(gone)
{
    UNUSED, player_emit(player, WIRE_FROM_CLIENT, WIRE_EVENT_END, 1, bytes_of(NULL, 0));
}
WORD(unknown_speech)
{
    UNUSED, player->context.speech_known = false;
}
WORD(inexact_speech)
{
    UNUSED, player->context.speech_exact = false;
}
WORD(speeches)
{
    UNUSED, player->context.speech_count = (size_t)number;
}
WORD(only_second)
{
    UNUSED;
    player->context.speech[0] = player->context.speech[1];
    player->context.speech_count = 1;
}
WORD(long_speech)
{
    UNUSED;
    free(player->samples[0]);
    player->samples[0] = speech_make(LONG_SAMPLES, 9, 0);
    player->context.speech[0] = (struct rule_speech){player->samples[0], LONG_SAMPLES};
    player->context.speech_count = 1;
}
WORD(unknown_key)
{
    UNUSED, player->context.key.len = 0;
}
WORD(unknown_config)
{
    UNUSED, player->context.config.len = 0;
}
WORD(escapes_config)
{
    UNUSED, player->context.config = bytes_of_text(SESSION_ESCAPES_CONFIG);
}

static const struct {
    const char *word;
    word_action *act;
} WORDS[] = {
    /* what the set is told; before anything else */
    {"unknown-speech", word_unknown_speech},
    {"inexact-speech", word_inexact_speech},
    {"speeches", word_speeches},       /* :COUNT */
    {"only-second", word_only_second}, /* the speech with a quiet start */
    {"long-speech", word_long_speech},
    {"unknown-key", word_unknown_key},
    {"unknown-config", word_unknown_config},
    {"escapes-config", word_escapes_config},
    {"kept", word_kept}, /* :BYTES of each message */
    /* the connection */
    {"open", word_open}, /* request, response and sessionReady */
    {"request", word_good_request},
    {"head", word_head},             /* a request with the data as its head */
    {"plain-http", word_plain_http}, /* the same, that asks for no WebSocket and is refused */
    {"ready", word_ready},
    {"half-ready", word_half_ready}, /* one that lacks its members */
    {"close", word_close},
    {"server-close", word_server_close},
    {"act", word_act}, /* :enum wire_act, of the server */
    {"gone", word_gone},
    {"violation", word_violation}, /* :enum ws_violation */
    {"server-violation", word_server_violation},
    {"ping", word_ping}, /* :DATA */
    {"fault-ping", word_fault_ping},
    {"pong", word_pong},
    /* what the server says */
    {"error", word_error}, /* :CODE */
    {"plain", word_plain},
    {"frame", word_frame},
    /* what the client says */
    {"silence", word_silence},                   /* :SAMPLES */
    {"speak", word_speak},                       /* :SAMPLES, the next of the speech */
    {"bytes", word_bytes},                       /* :BYTES of the same */
    {"all", word_all},                           /* the rest of the speech, and on to the next one */
    {"rest-and-zeros", word_rest_and_zeros},     /* :ZEROS */
    {"zeros-and-speech", word_zeros_and_speech}, /* :SAMPLES behind a frame of zeros */
    {"held-and-next", word_held_and_next},       /* :SAMPLES, and the start of the next speech behind them */
    {"shout", word_shout},                       /* :SAMPLES that are of no speech */
    {"end", word_end},
    {"cancel", word_cancel},
    {"text", word_text},       /* the data */
    {"binary", word_binary},   /* the data */
    {"garbage", word_garbage}, /* :BYTES, binary */
    /* how it says it, from then on */
    {"next", word_next},
    {"again", word_again}, /* the speech before, from its start */
    {"skip", word_skip},   /* :SAMPLES */
    {"back", word_back},   /* :SAMPLES */
    {"skip-byte", word_skip_byte},
    {"back-byte", word_back_byte},
    {"swapped", word_swapped},
    {"clock", word_clock}, /* :LETTER, see player_timestamp */
    {"type", word_type},   /* :PAYLOAD TYPE */
    {"little", word_little},
    {"big", word_big},
    {"padded", word_padded},
    {"params", word_params}, /* the data */
    {"no-params", word_no_params},
    {"params-size", word_params_size}, /* :BYTES */
    {"gap", word_gap},                 /* :MICROSECONDS */
    {"wait", word_wait},               /* :MILLISECONDS */
    {"wait-us", word_wait_us},
};

void player_obey(struct player *player, char *word)
{
    char *colon = strchr(word, ':');
    if (colon != NULL)
        *colon = '\0';
    const char *text = colon == NULL ? "" : colon + 1;
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (strcmp(WORDS[i].word, word) == 0) {
            WORDS[i].act(player, text, strtol(text, NULL, 10));
            return;
        }
    }
    ck_abort_msg("%s: no word '%s'", player->session->name, word);
}
