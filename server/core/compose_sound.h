/* The sound of a JSON message of speech that a script's `send` step asks for. For session cores. */
#ifndef SERVER_CORE_COMPOSE_SOUND_H
#define SERVER_CORE_COMPOSE_SOUND_H

#include "server/core/compose.h"

enum { COMPOSE_SOUND_SAMPLES_MAX = 240000 /* ten seconds at 24 kHz */, COMPOSE_SOUND_ODD_MAX = 2 };

/* The words of the option `audio`. */
enum compose_sound {
    COMPOSE_SOUND_SPEECH,
    COMPOSE_SOUND_CODED, /* says of each sample where it belongs */
    COMPOSE_SOUND_SILENCE,
    COMPOSE_SOUND_EMPTY,
    COMPOSE_SOUND_NULL,
    COMPOSE_SOUND_ABSENT,
    COMPOSE_SOUND_BAD, /* no base64 */
    COMPOSE_SOUND_ODD, /* half a sample too many */
    COMPOSE_SOUND_NAN  /* float32: the last sample is no number */
};

struct compose_sound_options {
    enum compose_sound sound;
    bool has_samples, has_source;
    size_t samples;
    uint16_t source; /* what coded sound says it is */
};

/* Reads the options `audio`, `samples` and `source`. */
bool compose_sound_read(const struct compose_call *call, bool is_float, bool coded,
                        struct compose_sound_options *out);
/* How many samples a message has that would have `samples`. */
size_t compose_sound_samples(const struct compose_sound_options *options, size_t samples);
/* Makes of `len` bytes of speech what is asked for, at their place, with room for COMPOSE_SOUND_ODD_MAX bytes
 * more; the new length. */
size_t compose_sound_change(enum compose_sound sound, uint8_t *pcm, size_t len, size_t sample_bytes);
/* Has the message a member with that sound? */
bool compose_sound_has(enum compose_sound sound);
/* In its place: the text of the member; empty: its base64. */
struct bytes compose_sound_encoded(enum compose_sound sound);
/* Members that stand in its place; empty: none. */
struct bytes compose_sound_members(enum compose_sound sound);

#endif
