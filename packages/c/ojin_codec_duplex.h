/*
 * The messages of the full-duplex speech protocol, of both sides, modes and versions, as one C struct, and
 * back to JSON: Video Full-Duplex Protocol, Message Format. See ojin_codec.h for spans and texts.
 *
 *     struct ojin_codec_duplex message;
 *     if (ojin_codec_duplex_read("video", text, len, &message) && message.type == OJIN_CODEC_DUPLEX_DELTA)
 *         play(message.audio.data, message.audio.len);
 *     ojin_codec_duplex_free(&message);
 */
#ifndef OJIN_CODEC_DUPLEX_H
#define OJIN_CODEC_DUPLEX_H

#include "ojin_codec.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { OJIN_CODEC_PICTURES_MAX = 4 };

enum ojin_codec_duplex_type {
    /* client to server */
    OJIN_CODEC_DUPLEX_UPDATE,
    OJIN_CODEC_DUPLEX_APPEND,
    OJIN_CODEC_DUPLEX_CLOSE,
    /* server to client */
    OJIN_CODEC_DUPLEX_QUEUED,
    OJIN_CODEC_DUPLEX_QUEUE_UPDATE,
    OJIN_CODEC_DUPLEX_QUEUE_DONE,
    OJIN_CODEC_DUPLEX_CREATED,
    OJIN_CODEC_DUPLEX_DELTA,
    OJIN_CODEC_DUPLEX_LISTEN,
    OJIN_CODEC_DUPLEX_CLOSED,
    OJIN_CODEC_DUPLEX_ERROR,
    /* no message of the protocol */
    OJIN_CODEC_DUPLEX_OTHER,      /* a JSON object whose type is missing, no string or none of these */
    OJIN_CODEC_DUPLEX_NO_OBJECT,  /* JSON, but no object */
    OJIN_CODEC_DUPLEX_UNREADABLE, /* legal JSON that is not read here: nested too deep, say, or too large */
    OJIN_CODEC_DUPLEX_NOT_JSON
};

/* Only the members of its type are set, the others are 0 or empty. To be written, spans borrow from the
 * caller; a member is written when it has something, or when its `has_` is true. */
struct ojin_codec_duplex {
    enum ojin_codec_duplex_type type;
    /* Reading: what is wrong, a sentence each. The count is of all, of which the first OJIN_CODEC_FAULTS_MAX
     * are kept. */
    size_t fault_count;
    const char *faults[OJIN_CODEC_FAULTS_MAX];

    /* session.update */
    bool has_instructions;
    struct ojin_codec_bytes instructions;
    bool has_max_slices;                              /* of an append, too */
    int64_t max_slices;                               /* 1 to 9 */
    struct ojin_codec_bytes ref_audio, tts_ref_audio; /* a WAV file each, 16,000 Hz; empty: none */

    /* append (16,000 Hz) and delta (24,000 Hz): float32, little-endian, mono; whole samples */
    bool has_audio;
    struct ojin_codec_bytes audio;
    bool has_pictures;                                         /* there is a list, even an empty one */
    size_t picture_count;                                      /* one that is no base64 is not among them */
    struct ojin_codec_bytes pictures[OJIN_CODEC_PICTURES_MAX]; /* JPEG, not looked at here */
    bool has_force_listen, force_listen;

    /* session.close, session.closed */
    bool has_reason;
    struct ojin_codec_bytes reason;

    /* session.queued, session.queue_update */
    bool has_position;
    int64_t position; /* from 1 */
    bool has_wait;
    double wait_s; /* seconds, estimated */
    bool has_queue_length;
    int64_t queue_length;
    struct ojin_codec_bytes ticket_id;

    /* session.created */
    bool has_session_id;
    struct ojin_codec_bytes session_id;
    bool has_prompt_length;
    int64_t prompt_length; /* tokens */

    /* delta, listen */
    bool has_text;
    struct ojin_codec_bytes text;
    bool has_end_of_turn, end_of_turn;
    bool has_kv_cache_length;
    int64_t kv_cache_length; /* tokens */

    /* error */
    struct ojin_codec_bytes code, error_message, error_type;

    void *owned; /* what a message that was read borrows from */
};

/* `profile`: a mode or version, of `ojin-mock --list profiles` ("video", "audio", "duplex-later"…). `text` is
 * not needed afterwards. False only when there is no such profile or no memory, with `*out` empty: what is
 * wrong with a message is in `type` and `faults`, and members that are right are set all the same. To be
 * freed in any case. */
bool ojin_codec_duplex_read(const char *profile, const char *text, size_t len, struct ojin_codec_duplex *out);
void ojin_codec_duplex_free(struct ojin_codec_duplex *message);

/* The message as JSON in the words of the profile, with a terminator that `*len` does not count; freed with
 * ojin_codec_text_free. NULL: there is no such profile or no memory, the profile has no such message, or
 * there are too many pictures. */
char *ojin_codec_duplex_write(const char *profile, const struct ojin_codec_duplex *message, size_t *len);

#ifdef __cplusplus
}
#endif

#endif
