/*
 * The messages of the Ojin protocol as C structs, and back to the bytes of the wire; ojin_codec_duplex.h and
 * ojin_codec_interview.h have those of the other two families. No I/O and no state: any function may be
 * called from any thread.
 *
 *     struct ojin_codec_frame frame;
 *     char error[OJIN_CODEC_ERROR_MAX];
 *     if (ojin_codec_frame_read(message, len, &frame, error))
 *         play(frame.audio.data, frame.audio.len);
 *
 * Any bytes may be given to a reader: what is wrong with them is a sentence in `error`. Readers borrow from
 * the message: spans in a struct live as long as the message does. Writers work as snprintf does: they return
 * the bytes of the whole message, and write it only when `room` holds all of it; with `room` 0, `out` may be
 * NULL. Documents: Ojin Oris 1.0 Realtime API: InteractionInput, InteractionResponse, Messages
 * Reference; Ojin documentation of the earlier Realtime API: Optional parameters.
 */
#ifndef OJIN_CODEC_H
#define OJIN_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    OJIN_CODEC_ERROR_MAX = 256, /* bytes of a sentence, with the terminator */
    OJIN_CODEC_TEXT_MAX = 512,  /* bytes of a text that is kept, with the terminator; what is longer is cut */
    OJIN_CODEC_FAULTS_MAX = 8   /* sentences that are kept of a JSON message (other two families) */
};

/* Borrowed. Text is UTF-8 without a terminator. An empty span may have a null pointer. */
struct ojin_codec_bytes {
    const uint8_t *data;
    size_t len;
};

/* InteractionInput, client to server, binary. */
struct ojin_codec_input {
    uint8_t payload_type;           /* as sent, not judged: 1 is audio */
    uint64_t timestamp_ms;          /* since the Unix epoch */
    struct ojin_codec_bytes params; /* JSON text; empty: none. Not looked at here */
    struct ojin_codec_bytes audio;  /* 16-bit little-endian PCM, 16,000 Hz, mono; as sent, odd lengths too */
};

/* False, with `*out` as it was: the message ends within its header, or the size of the params runs past its
 * end. */
bool ojin_codec_input_read(const void *message, size_t len, struct ojin_codec_input *out,
                           char error[OJIN_CODEC_ERROR_MAX]);
size_t ojin_codec_input_write(const struct ojin_codec_input *input, void *out, size_t room);

/* The params of an input: each is at its default where the JSON does not have it. */
struct ojin_codec_params {
    double speech_filter_amount;
    double idle_filter_amount;
    double idle_mouth_opening_scale;
    double speech_mouth_opening_scale;
    int64_t client_frame_index; /* what is not above 0 says nothing */
};

/* An empty span gives the defaults. False, with `*out` as it was: no JSON object, or a member of the wrong
 * type or too large. Members that are not known are passed over. */
bool ojin_codec_params_read(struct ojin_codec_bytes params, struct ojin_codec_params *out,
                            char error[OJIN_CODEC_ERROR_MAX]);

/* InteractionResponse, server to client, binary: a frame of 40 ms. */
struct ojin_codec_frame {
    uint8_t is_final;        /* 1: the last of its interaction; as sent */
    uint8_t interaction[16]; /* a UUID */
    uint64_t timestamp_ms;   /* since the Unix epoch */
    uint32_t usage;
    uint32_t index;         /* 0: silence, 1: speech; as sent */
    uint32_t payload_count; /* reading only: as the header says */
    bool has_audio, has_image;
    struct ojin_codec_bytes audio; /* 16-bit little-endian PCM, 16,000 Hz, mono; the last one, if several */
    struct ojin_codec_bytes image; /* JPEG, not looked at here; the last one, if several */
    struct ojin_codec_bytes trailing; /* what follows the payloads; a right frame has nothing there */
};

/* False, with `*out` as it was: the message ends within a header, or a size runs past its end. Payloads of
 * types that are not known are passed over. */
bool ojin_codec_frame_read(const void *message, size_t len, struct ojin_codec_frame *out,
                           char error[OJIN_CODEC_ERROR_MAX]);
/* The audio first, then the image, then `trailing`. */
size_t ojin_codec_frame_write(const struct ojin_codec_frame *frame, void *out, size_t room);

/* The text messages, both directions. */
enum ojin_codec_type {
    OJIN_CODEC_SESSION_READY,
    OJIN_CODEC_ERROR_RESPONSE,
    OJIN_CODEC_END_INTERACTION,
    OJIN_CODEC_CANCEL_INTERACTION,
    OJIN_CODEC_OTHER,      /* a JSON object whose type is missing, no string or none of these */
    OJIN_CODEC_NO_OBJECT,  /* JSON, but no object */
    OJIN_CODEC_UNREADABLE, /* legal JSON that is not read here: nested too deep, say */
    OJIN_CODEC_PLAIN_TEXT  /* no JSON */
};

/* Only the members of its type are set, the others are 0 or empty. */
struct ojin_codec_message {
    enum ojin_codec_type type;
    char error[OJIN_CODEC_ERROR_MAX]; /* the first thing wrong, as a sentence; empty: nothing */
    bool has_timestamp;               /* writing: always written */
    int64_t timestamp_ms;             /* since the Unix epoch */
    /* sessionReady */
    char trace_id[OJIN_CODEC_TEXT_MAX]; /* writing: a UUID as text */
    double load;                        /* 0 to 1 */
    /* errorResponse */
    char code[OJIN_CODEC_TEXT_MAX]; /* "RATE_LIMITED" */
    char message[OJIN_CODEC_TEXT_MAX];
    char interaction_id[OJIN_CODEC_TEXT_MAX]; /* empty: none */
};

/* Never fails: what is wrong is in `type` and `error`; members that are right are set all the same. */
void ojin_codec_message_read(const char *text, size_t len, struct ojin_codec_message *out);
/* JSON without a terminator. 0: one of the last four types, a trace_id that is no UUID, or no memory. */
size_t ojin_codec_message_write(const struct ojin_codec_message *message, char *out, size_t room);

/* What the writers of the other two families return. NULL is nothing. */
void ojin_codec_text_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
