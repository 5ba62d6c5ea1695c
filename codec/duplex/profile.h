/*
 * The profiles of the full-duplex family: the two modes of the documented protocol, and the later version of
 * it that newer clients speak. Cores read these members; they never ask for a profile by name.
 */
#ifndef CODEC_DUPLEX_PROFILE_H
#define CODEC_DUPLEX_PROFILE_H

#include "codec/family.h"
#include "codec/wire/bytes.h"

enum duplex_mode { DUPLEX_MODE_VIDEO, DUPLEX_MODE_AUDIO };

/* How a version of the protocol spells its messages. Those not named here are the same in all. */
struct duplex_dialect {
    const char *update;        /* type of the message that sets the session up */
    const char *update_object; /* the member that holds what it says */
    const char *instructions;  /* the system prompt in there */
    bool instructions_optional;
    const char *append;        /* type of the message that brings sound and pictures */
    const char *append_object; /* the member that holds them; NULL: the message itself */
    const char *delta;         /* type of the message that answers */
    const char *listen;        /* type of the message that says it listens; NULL: a delta of that kind */
    const char *measures;      /* the member of a delta or listen that holds kv_cache_length; NULL: itself */
    bool by_kind; /* a delta has a member `kind`: "listen", "text" or "audio", and only what belongs to it */
};

struct duplex_profile {
    struct profile base; /* stays first */
    enum duplex_mode mode;
    const char *mode_word; /* value of the query's mode */
    const struct duplex_dialect *dialect;
    uint64_t session_us; /* how long a session lasts, waiting included */
    bool pictures;       /* each append brings pictures; else none does */
    bool slices;         /* session.update and append may hold max_slice_nums */
};

/* The first row is the default. */
enum {
    DUPLEX_PROFILE_VIDEO,
    DUPLEX_PROFILE_AUDIO,
    DUPLEX_PROFILE_LATER,
    DUPLEX_PROFILE_LATER_AUDIO,
    DUPLEX_PROFILE_COUNT
};
extern const struct duplex_profile DUPLEX_PROFILES[DUPLEX_PROFILE_COUNT];

/* The row that a profile of this family is the beginning of. */
const struct duplex_profile *duplex_profile_of(const struct profile *profile);
/* NULL when there is none of that name. */
const struct duplex_profile *duplex_profile_by_name(const char *name);
/* The profile of the same dialect whose mode the query names; NULL when there is none. */
const struct duplex_profile *duplex_profile_of_mode(const struct duplex_profile *profile, struct bytes word);

#endif
