/*
 * What a check of a script expects and what it found, as English sentences: for people who never saw the
 * script. Private to the judge, but for check_describe in check.h.
 */
#ifndef CONFORMANCE_JUDGE_CHECK_WORDS_H
#define CONFORMANCE_JUDGE_CHECK_WORDS_H

#include "conformance/judge/check.h"

/* check_describe without what the check depends on: what that was is known where it came. */
void check_words_expected(struct text *out, const struct session_class *class,
                          const struct script_check *check);
/* "no cancelInteraction message came from the client", "the script never reached its step late" */
void check_words_never(struct text *out, const struct event_pattern *pattern);
/* "2 cancelInteraction messages came from the client" */
void check_words_came(struct text *out, const struct event_pattern *pattern, uint64_t count);
/* "48000 samples (2000 ms)"; without a rate there is no time. */
void check_words_samples(struct text *out, uint64_t samples, unsigned rate);

#endif
