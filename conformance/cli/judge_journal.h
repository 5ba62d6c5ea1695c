/*
 * A recorded journal judged again by the rules of the wire, as a run whose cases are its connections.
 */
#ifndef CONFORMANCE_CLI_JUDGE_JOURNAL_H
#define CONFORMANCE_CLI_JUDGE_JOURNAL_H

#include "codec/media/sound.h"
#include "conformance/report/run_result.h"

struct journal_judging {
    const struct journal *journal; /* read with `key` */
    const char *path;              /* of the journal, for people */
    struct bytes key;              /* what "{key}" of the journal reads as */
    const struct profile *profile; /* of its family's connections; NULL: the journal's, of each family's */
    size_t speech_count;           /* the speech the client was given; 0: not known */
    const struct sound *speech;
    bool inferred, strict;
    bool pictured; /* a page is to be written */
};

enum { JOURNAL_PROFILES_MAX = 1 + JOURNAL_OTHERS_MAX };

/* A profile that stands in the journal and that we do not know; NULL: there is none. */
const char *journal_unknown_profile(const struct journal_judging *judging);
/* By which profiles it will be judged, one for each family that has a connection in it; their count. The mock
 * serves more families than its clients may have asked for. `only`: of this connection alone, 0: of all. */
size_t journal_profiles(const struct journal_judging *judging, uint32_t only,
                        const struct profile *profiles[JOURNAL_PROFILES_MAX]);
/* The numbers of the connections that will be cases, in ascending order; NULL when memory runs out. Free with
 * free(). `only`: this one alone, 0: all. */
uint32_t *journal_connections(const struct journal_judging *judging, uint32_t only, size_t *count);
/* Fills `cases` (zeroed) and `scripts`, as many as there are `connections`; the scripts stand for the cases'
 * own. False when memory runs out. */
bool journal_judge(const struct journal_judging *judging, const uint32_t *connections, size_t count,
                   struct run_case *cases, struct case_script *scripts);

#endif
