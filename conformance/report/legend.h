/* The words of all reports: verdicts, how a client ended, and why a case was not run. One table for what each
 * means and its colour on a terminal. */
#ifndef CONFORMANCE_REPORT_LEGEND_H
#define CONFORMANCE_REPORT_LEGEND_H

#include <stddef.h>

struct legend_word {
    const char *word, *meaning;
    const char *colour; /* of a terminal: the number of an escape sequence; "": none */
};

/* Number `n`, in the order in which a legend lists them; NULL behind the last. */
const struct legend_word *legend_word(size_t n);

#endif
