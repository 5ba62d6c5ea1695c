/*
 * What a check of a script expects and what it found, as English sentences: for people who never saw the
 * script. Private to the judge, but for check_describe in check.h.
 */
#ifndef CONFORMANCE_JUDGE_CHECK_WORDS_H
#define CONFORMANCE_JUDGE_CHECK_WORDS_H

#include "conformance/judge/check.h"

/* check_describe without what the check depends on: what that was is known where it came. */
void check_words_expected(struct text *out, const struct case_script *script,
                          const struct script_check *check);
/* "no cancelInteraction message came from the client", "the case never reached the mark called late in line
 * 14 of the case" */
void check_words_never(struct text *out, const struct case_script *script,
                       const struct event_pattern *pattern);
/* "2 cancelInteraction messages came from the client" */
void check_words_came(struct text *out, const struct case_script *script, const struct event_pattern *pattern,
                      uint64_t count);
/* "the step called late in line 12 of the case", "the mark called due in line 14 of the case": without the
 * line where the script has no such step. */
void check_words_place(struct text *out, const struct case_script *script, bool mark, const char *name);
/* " (of the step called late in line 12 of the case)" of a message that a named step sent; nothing of any
 * other. */
void check_words_step(struct text *out, const struct case_script *script, const struct journal_entry *entry);
/* "48000 samples (2000 ms)"; without a rate there is no time. */
void check_words_samples(struct text *out, uint64_t samples, unsigned rate);

#endif
