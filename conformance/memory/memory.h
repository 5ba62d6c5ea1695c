/*
 * The transport in memory: the mock's engine joined to the reference client core of its family in virtual
 * time, without a socket. Runs a case of the suite in microseconds to milliseconds; deterministic.
 */
#ifndef CONFORMANCE_MEMORY_MEMORY_H
#define CONFORMANCE_MEMORY_MEMORY_H

#include "client/plan/plan_runner.h"
#include "conformance/judge/judge.h"
#include "server/engine/engine.h"

enum { MEMORY_LATENCY_US = 200 }; /* one way, for every message */

/* A session as its client had it: see track.h. */
struct memory_track;

struct memory_case {
    const struct case_script *script;
    const struct client_class *client; /* of the script's family */
    const struct profile *profile;
    struct persona *persona;
    uint32_t picture_width, picture_height; /* of the persona, for the journal's header; 0: not said */
    uint64_t seed;
    const char *key;
    const char *config_id;
    const struct client_plan *plan;   /* speech is loaded */
    const struct client_shell *shell; /* around the client; NULL: the correct one */
    const struct bytes *pictures;     /* that the client shows */
    size_t picture_count;
    bool speech_exact;
    /* As in struct rule_context; NULL: pictures of the client are not decoded. */
    bool (*picture_size)(void *context, struct bytes jpeg, unsigned *width, unsigned *height);
    struct memory_track *track; /* the session is kept there, in place of what was; NULL: nowhere */
};

struct memory_result; /* owns journal, observations and rule verdicts */

/* NULL when memory runs out. */
struct memory_result *memory_run(const struct memory_case *memory_case);
void memory_result_free(struct memory_result *result);

/* NULL when memory runs out. */
struct memory_track *memory_track_new(void);
void memory_track_free(struct memory_track *track);
/*
 * Does this client have the session of `track`, which another had in the same case? It alone is run, against
 * what the mock sent then, as long as it sends and observes the same at the same times. When it does until
 * the end, memory_run comes to the same result. False too when that cannot be told: memory ran out, or the
 * track is cut.
 */
bool memory_has_session(const struct memory_case *memory_case, const struct memory_track *track);

/* Fills the transport's part of the judge's input (journal, verdicts, observations, end, script_line);
 * borrowed from `result`. */
void memory_result_judge_input(const struct memory_result *result, struct judge_input *input);

#endif
