/*
 * A recorded journal judged again by the rules of the wire, as a run whose cases are its connections.
 */
#ifndef CONFORMANCE_RUN_JUDGE_JOURNAL_H
#define CONFORMANCE_RUN_JUDGE_JOURNAL_H

#include "codec/media/sound.h"
#include "conformance/report/run_result.h"

struct journal_judging {
    const struct journal *journal; /* read with `key` */
    const char *path;              /* of the journal, for people */
    struct bytes key;              /* what "{key}" of the journal reads as */
    const struct ojin_profile *profile;
    size_t speech_count; /* the speech the client was given; 0: not known */
    const struct sound *speech;
    uint32_t connection; /* this one alone; 0: all */
    bool inferred, strict;
    bool pictured; /* a page is to be written */
};

/* How many cases it will be. */
size_t journal_connection_count(const struct journal *journal, uint32_t connection);
/* Fills `cases` (zeroed, so many of them) and `scripts` (as many), which stand for their scripts. False when
 * memory runs out. */
bool journal_judge(const struct journal_judging *judging, struct run_case *cases, struct script *scripts);

#endif
