/*
 * The profiles of the interview family: the documented protocol, and what a deployed server speaks. Cores
 * read these members; they never ask for a profile by name.
 */
#ifndef CODEC_INTERVIEW_PROFILE_H
#define CODEC_INTERVIEW_PROFILE_H

#include "codec/family.h"

/*
 * How a server spells its messages, and wants them spelt. What is not named here is the same for all. It is
 * plain data: a mock that differs in one member alone copies a dialect and sets that member.
 */
struct interview_dialect {
    const char *commit;    /* type of the message that ends the candidate's turn: "commit_audio" */
    const char *connected; /* type of the message that says so; NULL: a status "connected" */
    const char *speaker;   /* the member of a transcript that says who spoke: "speaker" */
    const char *candidate; /* ... and its two values: "candidate" and "ai" */
    const char *ai;
    const char *error_code; /* the member of an error that holds its code: "code" */
    bool milliseconds;      /* times are in milliseconds, else in seconds */
    bool pings;             /* there are messages "ping" and "pong"; each may come from either side */
};

struct interview_profile {
    struct profile base; /* stays first */
    const struct interview_dialect *dialect;
    bool newer_replaces; /* a second connection to an interview closes the first with 1000; else it is itself
                            closed with 1008 */
    uint16_t refusal_status; /* the HTTP status that refuses the upgrade; 0: it is let through, and closed
                                with 1008 */
    bool role_optional;      /* a token need not name a role */
    bool rich_results;       /* evaluations hold key_points_covered, and no score */
};

/* The first row is the default. */
enum { INTERVIEW_PROFILE_DOCUMENTED, INTERVIEW_PROFILE_DEPLOYED, INTERVIEW_PROFILE_COUNT };
extern const struct interview_profile INTERVIEW_PROFILES[INTERVIEW_PROFILE_COUNT];

/* The row that a profile of this family is the beginning of. */
const struct interview_profile *interview_profile_of(const struct profile *profile);
/* NULL when there is none of that name. */
const struct interview_profile *interview_profile_by_name(const char *name);

/* A time of the epoch as the dialect counts it. */
static inline int64_t interview_time_of(const struct interview_dialect *dialect, uint64_t epoch_ms)
{
    return (int64_t)(dialect->milliseconds ? epoch_ms : epoch_ms / 1000);
}

#endif
