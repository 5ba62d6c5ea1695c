/*
 * What a client says it saw: one JSON object a line with the member "conform": 1.
 * conformance/observation.schema.json is its schema. The client core fills these in; adapters in other
 * languages print them; the judge reads them.
 */
#ifndef CLIENT_CORE_OBSERVATION_H
#define CLIENT_CORE_OBSERVATION_H

#include "codec/wire/bytes.h"
#include "codec/wire/text.h"
#include "codec/wire/uuid.h"

enum {
    OBSERVATION_CODE_MAX = 64,
    OBSERVATION_TEXT_MAX = 512,
    OBSERVATION_TIMESTAMP_MAX = 32,
    OBSERVATION_LINE_MAX = 4096
};

enum observation_kind {
    OBSERVED_READY,  /* sessionReady arrived: load; text: the message, whose parameters show there */
    OBSERVED_FRAME,  /* a frame was read: index, final, interaction, CRC-32 of each payload */
    OBSERVED_PLAYED, /* a frame was shown: the same members; audio is the CRC-32 of the sound it played with
                        it */
    OBSERVED_CANCELLED, /* the client cancelled, and its buffer is clear */
    OBSERVED_ERROR,     /* code ("RATE_LIMITED", an HTTP status as text, or "" for plain text), text */
    OBSERVED_CLOSED,    /* the connection is over: close code (1006 when there was no close frame) */
    OBSERVED_STATE,     /* free text, for people; with a code ("connecting", "backing-off") it tells of a
                           reconnect, and the delay until the next attempt */
    /* Of the full-duplex family, whose loudspeaker's clock counts samples from session.created on: */
    OBSERVED_QUEUE,  /* its place in the queue, 0 when a worker is there; text: for people */
    OBSERVED_DELTA,  /* a delta was read: samples, text, audio (CRC-32), final (end_of_turn), cache */
    OBSERVED_HEARD,  /* samples that were played, from `at` on, and their CRC-32 as float32, little-endian;
                        text: what belongs to a delta that begins there */
    OBSERVED_LISTEN, /* response.listen came: at; samples that were still queued and are dropped; cache */
    OBSERVED_TURN, /* a turn is over: at; samples of it that were heard; its text; final: to its end, else it
                      was cut off */
    /* Of the interview family, whose loudspeaker's clock counts samples from the first upgrade on; a delta is
     * its ai_audio_chunk, a turn a reply, and their sound is PCM16: */
    OBSERVED_STATUS,     /* a status came: code; text: its message */
    OBSERVED_TRANSCRIPT, /* somebody's words came: code "candidate" or "ai"; text; final: all of what was
                            said, else it is partial */
    OBSERVED_RESULT      /* a function_result came: code: the function; text: the result, as JSON */
};
enum { OBSERVATION_KIND_COUNT = OBSERVED_RESULT + 1 };

struct observation {
    enum observation_kind kind;
    int64_t
        index; /* as the client read it: one that no frame can have is a misreading of one that was sent */
    bool is_final;
    bool is_final_odd; /* FRAME, of the reference client alone: it came as neither 0 nor 1 */
    bool has_interaction;
    uint8_t interaction[UUID_BYTES];
    bool has_audio;
    uint32_t audio_crc;
    bool has_image;
    uint32_t image_crc;
    char timestamp[OBSERVATION_TIMESTAMP_MAX]; /* FRAME: a decimal number, as the client says it; empty: it
                                                  does not */
    bool has_load;
    double load;
    bool has_position; /* QUEUE */
    uint32_t position;
    bool has_at; /* HEARD, LISTEN, TURN, CANCELLED */
    uint32_t at;
    bool has_samples; /* DELTA, HEARD, LISTEN, TURN; CANCELLED: those that were dropped */
    uint32_t samples;
    bool has_cache; /* DELTA, LISTEN: kv_cache_length */
    uint32_t cache;
    bool has_delay; /* STATE */
    uint32_t delay_ms;
    uint16_t close_code;
    char code[OBSERVATION_CODE_MAX];
    char text[OBSERVATION_TEXT_MAX];
};

/* "ready", "frame" …; static. */
const char *observation_kind_name(enum observation_kind kind);
/* An error as the client tells of it; code and sentence are cut to what there is room for. */
void observation_error(struct observation *out, const char *code, struct bytes sentence);
/* Adds "CODE: SENTENCE" of an error for people, both as text_add_printable has them: what a server sent moves
 * no cursor. */
void observation_error_add(struct text *text, const char *code, const char *sentence);

/* One line without the newline:
 *  {"conform":1,"seen":"frame","index":1,"final":false,"interaction":"…",
 *   "timestamp":"1700000000000","audio":123,"image":456} */
void observation_write(struct text *out, const struct observation *observation);

enum observation_status {
    OBSERVATION_NONE, /* no JSON object with a member conform: it is the client's own log */
    OBSERVATION_GOOD,
    OBSERVATION_BAD /* it means to be one and is wrong: `error` says how */
};

enum observation_status observation_read(struct bytes line, struct observation *out, char error[200]);

#endif
