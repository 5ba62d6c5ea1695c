/*
 * What shows a breach, for people: the message that it was found in, and what the client said until then.
 * Taken while the journal and the observations are at hand; plain data, which outlives both.
 */
#ifndef CONFORMANCE_REPORT_EVIDENCE_H
#define CONFORMANCE_REPORT_EVIDENCE_H

#include "conformance/report/case_picture.h"

enum {
    EVIDENCE_MAX = 8,         /* breaches of a case: one a check and requirement, the worst first */
    EVIDENCE_WIRE_MAX = 1000, /* the message with its fields or its lines */
    EVIDENCE_SEEN_MAX = 500,  /* observations, a line each */
    EVIDENCE_SEEN_LINES = 4,
    EVIDENCE_TAIL_MAX = 2000
};

struct evidence_item {
    const struct requirement *requirement; /* NULL: there is none at this place */
    char check[SCRIPT_NAME_MAX];
    char wire[EVIDENCE_WIRE_MAX]; /* lines; empty: no message shows it */
    char seen[EVIDENCE_SEEN_MAX]; /* the last observations until the one that shows it; empty: none does */
};

struct evidence {
    struct evidence_item items[EVIDENCE_MAX];
    char seen_last[EVIDENCE_SEEN_MAX]; /* the last observations of all; empty: it said nothing */
    char wire_last[EVIDENCE_TAIL_MAX]; /* the last wire events, with none marked: for what no message shows */
};

/* Does anything in it have to be shown: a breach, or a check that was not reached? */
bool evidence_is_wanted(const struct case_result *result);
/* Fills `out` with what shows the breaches of the result, the worst and then the first; of a rule the first
 * for each requirement. The key does not stand in it. */
void evidence_take(const struct picture_source *source, struct evidence *out);
/* What shows that check; NULL: nothing was kept of it. */
const struct evidence_item *evidence_of(const struct evidence *evidence, const struct check_result *check);

#endif
