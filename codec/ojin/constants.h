/*
 * The numbers of the Ojin realtime protocol, each once, with its source: document number and section.
 */
#ifndef CODEC_OJIN_CONSTANTS_H
#define CODEC_OJIN_CONSTANTS_H

#include "codec/ws/frame.h"

enum {
    /* 000 InteractionInput: struct '!BQI' */
    OJIN_INPUT_HEADER_BYTES = 13,
    /* 000 InteractionResponse: struct '!B16sQIII' */
    OJIN_FRAME_HEADER_BYTES = 37,
    /* 000 InteractionResponse: struct '!IB' */
    OJIN_ENTRY_HEADER_BYTES = 5,

    /* 000 InteractionInput and InteractionResponse, payload types */
    OJIN_PAYLOAD_AUDIO = 1,
    OJIN_PAYLOAD_IMAGE = 2,

    /* 000 InteractionResponse, frame index */
    OJIN_INDEX_SILENCE = 0,
    OJIN_INDEX_SPEECH = 1,

    /* 000 Audio requirements: 16,000 Hz mono, signed 16 bit little-endian */
    OJIN_SAMPLE_RATE = 16000,
    OJIN_SAMPLE_BYTES = 2,
    /* 000 InteractionResponse, payload types: 640 samples = 1,280 bytes = 40 ms */
    OJIN_FRAME_SAMPLES = 640,
    OJIN_FRAME_AUDIO_BYTES = OJIN_FRAME_SAMPLES * OJIN_SAMPLE_BYTES,
    /* 000 Best Practices, Buffer Management: 25 frames a second, 40 ms each */
    OJIN_FRAMES_PER_SECOND = 25,
    OJIN_FRAME_US = 1000000 / OJIN_FRAMES_PER_SECOND,

    /* 000 Rate Limits & Constraints: 512 KB a message, header included; passed at exactly that */
    OJIN_MESSAGE_BYTES_MAX = 524288,
    /* field notes: some read 512 KB as 512,000; worth a note above that */
    OJIN_MESSAGE_BYTES_NOTED = 512000,
    /* 000 Rate Limits & Constraints: 6 requests per second */
    OJIN_REQUESTS_PER_SECOND = 6,
    OJIN_RATE_WINDOW_US = 1000000,
    /* requirements OJ-IN-08: seven within this many microseconds, as received, are certain to be too many */
    OJIN_RATE_WINDOW_JUDGED_US = 950000,

    /* 000 WebSocket Handshake, recommended settings */
    OJIN_PING_TIMEOUT_US = 10000000,

    /* 001 Recommended streaming pattern: 400 ms = 6,400 samples = 12,800 bytes */
    OJIN_CHUNK_EARLIER_SAMPLES = 6400,
    /* 000 Complete Example; 001 Troubleshooting: frames held before playing starts */
    OJIN_BUFFER_TARGET_FRAMES = 10,
    /* 000 InteractionResponse: a picture of 1280x720 is the documents' example */
    OJIN_PICTURE_WIDTH = 1280,
    OJIN_PICTURE_HEIGHT = 720,

    /* spec README, bursts from a real-time source */
    OJIN_SPEECH_START_SAMPLES = 6400,   /* speech starts when 400 ms are there */
    OJIN_SPEECH_START_WAIT_US = 200000, /* or 200 ms have passed without more */
    OJIN_SPEECH_END_WAIT_US = 200000,   /* and waits as long for more before it falls back to silence */
    /* spec README, ids and the end: closes when the client does not within 5 s of the final frame */
    OJIN_FINAL_CLOSE_WAIT_US = 5000000
};

/* The close codes that have a use of their own here, by the documents and spec README */
enum {
    OJIN_CLOSE_NORMAL = WS_CLOSE_NORMAL,
    OJIN_CLOSE_GOING_AWAY = WS_CLOSE_GOING_AWAY,
    OJIN_CLOSE_POLICY = WS_CLOSE_POLICY, /* refusals: configuration or permission */
    OJIN_CLOSE_TOO_BIG = WS_CLOSE_TOO_BIG,
    OJIN_CLOSE_RESTART = WS_CLOSE_RESTART,    /* seen in use: field notes */
    OJIN_CLOSE_TRY_AGAIN = WS_CLOSE_TRY_AGAIN /* no backend */
};

/* What a 401 asks for, in place of a scheme that the documents do not give the raw key: RFC 9110 11.6.1 */
#define OJIN_CHALLENGE "ApiKey realm=\"ojin\""

#endif
