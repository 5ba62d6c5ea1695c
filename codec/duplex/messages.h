/*
 * The messages of the full-duplex protocol, of both sides, modes and versions: 002 Message Format; the
 * queue's members and the later version: field notes.
 *
 * One struct for all, and the same one is read and written: only the members of its type are set, the others
 * are zero. duplex_message_read parses the JSON, and decodes base64 where it stands, in the memory of the
 * parsed text; so sound, pictures and strings borrow from the message, which owns that text until
 * duplex_message_free. A message that is written borrows everything from its caller and owns nothing.
 *
 * Reading never fails: what is wrong is a list of faults (codec/wire/json_fault.h).
 */
#ifndef CODEC_DUPLEX_MESSAGES_H
#define CODEC_DUPLEX_MESSAGES_H

#include <cjson/cJSON.h>

#include "codec/duplex/constants.h"
#include "codec/duplex/error_code.h"
#include "codec/duplex/profile.h"
#include "codec/wire/buffer.h"
#include "codec/wire/float32.h"
#include "codec/wire/json_fault.h"

enum duplex_message_type {
    /* client to server */
    DUPLEX_MESSAGE_UPDATE,
    DUPLEX_MESSAGE_APPEND,
    DUPLEX_MESSAGE_CLOSE,
    /* server to client */
    DUPLEX_MESSAGE_QUEUED,
    DUPLEX_MESSAGE_QUEUE_UPDATE,
    DUPLEX_MESSAGE_QUEUE_DONE,
    DUPLEX_MESSAGE_CREATED,
    DUPLEX_MESSAGE_DELTA,
    DUPLEX_MESSAGE_LISTEN,
    DUPLEX_MESSAGE_CLOSED,
    DUPLEX_MESSAGE_ERROR,

    DUPLEX_MESSAGE_OTHER,      /* a JSON object whose type is missing, no string or none of these */
    DUPLEX_MESSAGE_NO_OBJECT,  /* JSON, but no object */
    DUPLEX_MESSAGE_UNREADABLE, /* legal JSON that is not read here; above DUPLEX_MESSAGE_BYTES_MAX too */
    DUPLEX_MESSAGE_NOT_JSON    /* closes with 1003: 002 Invalid JSON */
};

/* As journals and tools name it, whatever the dialect: "session.update", "not-json" …; static. */
const char *duplex_message_type_name(enum duplex_message_type type);
/* As the dialect spells it on the wire; static. NULL of the last four, and of a listen where it is a delta of
 * that kind. */
const char *duplex_message_type_in(const struct duplex_dialect *dialect, enum duplex_message_type type);
/* For people: as the dialect spells it, and where it does not as journals and tools name it. */
const char *duplex_message_type_shown(const struct duplex_dialect *dialect, enum duplex_message_type type);
/* Is it one that a client sends? */
static inline bool duplex_message_is_clients(enum duplex_message_type type)
{
    return type <= DUPLEX_MESSAGE_CLOSE;
}

/* What a server answers it with. */
enum duplex_error_code duplex_fault_error(const struct json_fault *fault);

struct duplex_picture {
    struct bytes jpeg;
    unsigned width, height; /* pixels; 0 when it was not decoded, or is none */
};

struct duplex_message {
    enum duplex_message_type type;
    struct json_faults faults; /* its strings borrow as all others do */

    /* session.update; max_slices of an append as well */
    bool has_instructions;
    struct bytes instructions;
    bool has_max_slices;
    int64_t max_slices;
    struct bytes ref_audio;     /* a WAV file; empty: none, or not readable */
    struct bytes tts_ref_audio; /* the same */

    /* append and delta: whole samples of float32, for float32_at */
    bool has_audio;
    struct bytes audio;
    /* writing only: the base64 of `audio`, made ahead, which is then written in its place */
    struct bytes audio_encoded;
    bool has_pictures;    /* there is a list, even an empty one */
    size_t picture_count; /* that stand in `pictures`; one that is no base64 is not there */
    struct duplex_picture pictures[DUPLEX_PICTURES_MAX];
    bool has_force_listen;
    bool force_listen;

    /* session.close, session.closed */
    bool has_reason;
    struct bytes reason;

    /* session.queued, session.queue_update */
    bool has_position;
    int64_t position;
    bool has_wait;
    double wait_s;
    bool has_queue_length;
    int64_t queue_length;
    struct bytes ticket_id;

    /* session.created */
    bool has_session_id;
    struct bytes session_id;
    bool has_prompt_length;
    int64_t prompt_length;

    /* delta, listen */
    bool has_text;
    struct bytes text;
    bool has_end_of_turn;
    bool end_of_turn;
    bool has_kv_cache_length;
    int64_t kv_cache_length;

    /* error */
    struct bytes code;
    struct bytes error_message;
    struct bytes error_type;

    cJSON *tree; /* what is borrowed from; NULL in a message that is written */
};

struct duplex_read_options {
    const struct duplex_profile *profile;
    /* Decodes a JPEG whole; false: it is none, or damaged. NULL: pictures are not looked at. */
    bool (*picture_size)(void *context, struct bytes jpeg, unsigned *width, unsigned *height);
    void *picture_context;
    bool float32_voices; /* a reference voice may be raw samples, float32 at 16 kHz, besides WAV */
};

/*
 * Reads any text message. `text` is not needed afterwards. Null where a member may be absent is as though it
 * were, and JSON_FAULT_WRONG_TYPE elsewhere. The members, by type:
 * - update: instructions a string, which a later dialect may leave out; or absent: max_slice_nums an integer
 * from 1 to 9, the two voices base64 of WAV at 16 kHz
 * - append: audio base64 of whole finite samples, 4,000 of them or more; or absent: video_frames a list of
 *   base64 JPEGs, DUPLEX_PICTURES_MAX at most, force_listen a bool, max_slice_nums as above
 * - close: reason a string, or absent
 * - queued, queue_update: position and the others of their types, or absent
 * - created: session_id a string; prompt_length an integer, or absent
 * - delta: text, audio (any number of whole finite samples), end_of_turn, kv_cache_length; in a dialect by
 *   kind what the kind says, and the last two may be absent
 * - listen: kv_cache_length; in a dialect by kind it may be absent
 * - closed: reason a string
 * - error: error.code, error.message, error.type strings
 */
void duplex_message_read(struct bytes text, const struct duplex_read_options *options,
                         struct duplex_message *out);
void duplex_message_free(struct duplex_message *message);

/* A message that was read before its turn: with a decoder of pictures, as sessions read it, and where it has
 * pictures without one, too, as rules may. */
enum { DUPLEX_AHEAD_MAX = 2 };
struct duplex_ahead {
    size_t count;
    struct duplex_read_options options[DUPLEX_AHEAD_MAX];
    struct duplex_message messages[DUPLEX_AHEAD_MAX];
};
/* NULL: no memory. Freed by duplex_ahead_free. */
struct duplex_ahead *duplex_ahead_new(struct bytes text, const struct duplex_read_options *options);
void duplex_ahead_free(struct duplex_ahead *ahead);
/* As duplex_message_read, but where `ahead` was read of the text with such options (NULL: nothing was) `out`
 * is what stands there and borrows of it. */
void duplex_message_read_once(struct bytes text, const struct duplex_read_options *options,
                              const struct duplex_ahead *ahead, struct duplex_message *out);

/*
 * Appends the message as one JSON object, in the words of the profile's dialect; no member is written that is
 * not set. False, with `out` unchanged, when it does not fit. A delta of a dialect by kind is written as
 * audio when it has audio, else as text.
 */
bool duplex_message_write(const struct duplex_profile *profile, const struct duplex_message *message,
                          struct buffer *out);

#endif
