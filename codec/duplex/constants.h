/*
 * The numbers of the full-duplex speech protocol, each once, with its source: document number and section, or
 * field notes. "house" is a bound of our own, where neither gives one.
 */
#ifndef CODEC_DUPLEX_CONSTANTS_H
#define CODEC_DUPLEX_CONSTANTS_H

#include "codec/wire/json.h"
#include "codec/ws/frame.h"

/* 002 Setup: /v1/realtime?mode=video; audio: field notes */
#define DUPLEX_PATH           "/v1/realtime"
#define DUPLEX_MODE_PARAMETER "mode"
/* 002 Setup: session_id is this and a time in milliseconds, in digits */
#define DUPLEX_SESSION_ID_PREFIX "rt_"
/* 002 Error Message Format; the second follows from 002 Error Codes, Server Errors */
#define DUPLEX_ERROR_TYPE_CLIENT "client_error"
#define DUPLEX_ERROR_TYPE_SERVER "server_error"

enum {
    /* 002 Mode Constraints: mono float32 PCM, little-endian */
    DUPLEX_SAMPLE_BYTES = 4,
    DUPLEX_INPUT_RATE = 16000,
    DUPLEX_OUTPUT_RATE = 24000,

    /* 002 input_audio_buffer.append: one second; 250 ms at the least */
    DUPLEX_APPEND_SAMPLES = DUPLEX_INPUT_RATE,
    DUPLEX_APPEND_BYTES = DUPLEX_APPEND_SAMPLES * DUPLEX_SAMPLE_BYTES,
    DUPLEX_APPEND_SAMPLES_MIN = 4000,
    DUPLEX_APPEND_US = 1000000, /* one a second: 002 One-Sentence Summary */
    /* house: after this long without one the client has paused (002 Features Not Included) */
    DUPLEX_APPEND_US_JUDGED_MAX = 1500000,
    /* house: a minute at once, far more than any client sends */
    DUPLEX_APPEND_SAMPLES_MAX = 60 * DUPLEX_INPUT_RATE,

    /* 002 Output Audio Length: a middle delta */
    DUPLEX_DELTA_SAMPLES = DUPLEX_OUTPUT_RATE,
    DUPLEX_DELTA_BYTES = DUPLEX_DELTA_SAMPLES * DUPLEX_SAMPLE_BYTES,
    /* field notes: text and cost of a delta */
    DUPLEX_DELTA_TEXT_CHARS_MAX = 27,
    DUPLEX_DELTA_TOKENS_MAX = 20,
    /* 002 Text/Audio Alignment: "several hundred milliseconds" */
    DUPLEX_TEXT_LEAD_US = 400000,
    /* house: how long a player holds sound back, so that the next delta may come a little late. A server that
     * waits until a turn could be played out adds it. */
    DUPLEX_PLAYER_MARGIN_US = 200000,

    /* 002 Mode Constraints */
    DUPLEX_CONTEXT_TOKENS = 8192,
    /* 002 session.created, the example */
    DUPLEX_PROMPT_TOKENS = 256,

    /* 002 session.update */
    DUPLEX_SLICES_DEFAULT = 1,
    /* 002 input_audio_buffer.append: max_slice_nums (1 to 9) */
    DUPLEX_SLICES_MIN = 1,
    DUPLEX_SLICES_MAX = 9,
    /* 002 session.update: 64 tokens a frame with 1 slice, 192 with 4 */
    DUPLEX_PICTURE_TOKENS = 64,
    DUPLEX_PICTURE_TOKENS_4_SLICES = 192,
    /* field notes: each further slice, and a second of listening to audio */
    DUPLEX_SLICE_TOKENS = 66,
    DUPLEX_LISTEN_TOKENS_PER_SECOND = 13,
    /* field notes: the most entries of video_frames */
    DUPLEX_PICTURES_MAX = 4,

    /* 002 Mode Constraints: 300 s in video mode; field notes: 600 s in audio mode; waiting included */
    DUPLEX_SESSION_SECONDS_VIDEO = 300,
    DUPLEX_SESSION_SECONDS_AUDIO = 600,

    /* field notes: the queue */
    DUPLEX_QUEUE_POSITION_FIRST = 1,
    DUPLEX_QUEUE_UPDATE_US = 3000000,

    /* house: a message of a client, and of a server */
    DUPLEX_MESSAGE_BYTES_MAX = JSON_MESSAGE_BYTES_MAX,
    DUPLEX_PICTURE_BYTES_MAX = 4 * 1024 * 1024
};

/* The close codes that have a use of their own here */
enum {
    DUPLEX_CLOSE_NORMAL = WS_CLOSE_NORMAL,
    DUPLEX_CLOSE_INVALID_JSON = WS_CLOSE_UNSUPPORTED, /* 1003: 002 Invalid JSON */
    DUPLEX_CLOSE_TOO_BIG = WS_CLOSE_TOO_BIG,          /* house: above DUPLEX_MESSAGE_BYTES_MAX */
    DUPLEX_CLOSE_UNAVAILABLE = WS_CLOSE_TRY_AGAIN     /* 1013: 002 Error Codes, Server Errors */
};

#endif
