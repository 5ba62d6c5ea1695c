/*
 * A case's session as data for a picture of it: what crossed the wire in order, with like messages in a row
 * as one band, and the checks that hang on them; then what the client said it saw. JSON, drawn by the script
 * of the page:
 *
 *   {"rows":[{"t":us,"e":us,"c":connection,"d":"c"|"s"|"n","k":label,"n":count,"b":bytes,"x":detail,"y":detail
 *             of the last,"f":1 (a fault asked for),"m":[index of a check …]} or {"o":rows left out} …],
 *    "checks":[[name,requirement,verdict,expected,actual] …],"seen":[[what,count,[index of a check …]]
 * …],"seen_count":all,"cut":entries not in it}
 *
 * "d": from the client, from the server, or a note on what our side did. A member that is 0, empty or 1 by
 * default is left out. Bounded: at most PICTURE_ROWS_MAX rows, from the beginning and the end, and those that
 * a check hangs on. The key does not stand in it.
 */
#ifndef CONFORMANCE_REPORT_CASE_PICTURE_H
#define CONFORMANCE_REPORT_CASE_PICTURE_H

#include "codec/wire/text.h"
#include "conformance/judge/judge.h"

enum {
    PICTURE_ROWS_MAX = 240,
    PICTURE_CHECKS_MAX = 12, /* what is not PASS, the worst first */
    PICTURE_SEEN_MAX = 80
};

struct picture_source {
    const struct journal *journal;
    const struct case_result *result;
    const struct session_messages *messages; /* of the case's family; NULL: no observations */
    const struct observation *observations;  /* NULL: none */
    size_t observation_count;
};

/* Writes the JSON to `out`; `{}` when it does not fit or memory runs out. */
void case_picture_write(struct text *out, const struct picture_source *source);

#endif
