/* When two findings read alike. Private to the causes. */
#ifndef CONFORMANCE_REPORT_CAUSE_KEY_H
#define CONFORMANCE_REPORT_CAUSE_KEY_H

#include "conformance/judge/judge.h"

enum { CAUSE_KEY_MAX = 400 };

/* Adds `sentence` with '#' for each word that has a digit in it, up to the first message that it quotes ("{"
 * or a quotation mark): what varies from case to case is gone. */
void cause_key_write(struct text *out, const char *sentence);

/* Where the client of that case crashed: "session.py:3 in f" of "KeyError at session.py:3 in f"; empty: it is
 * not known. */
const char *crash_place(const struct case_result *result);
/* Did two clients crash at one place, whatever was raised there; or, where no place is known, in the same
 * words? */
bool crash_is_same(const struct case_result *a, const struct case_result *b);

#endif
