/*
 * Verdicts as values: how a check that did not hold is weighed, and which of several verdicts stands.
 */
#ifndef CONFORMANCE_JUDGE_VERDICT_H
#define CONFORMANCE_JUDGE_VERDICT_H

#include "conformance/judge/judge.h"

/* How hard something is asked for. */
enum weight { WEIGHT_INFO, WEIGHT_SHOULD, WEIGHT_MUST };

/* Of the word in a script: "MUST", "SHOULD", "INFO"; an empty word asks for as much as the requirement does.
 */
enum weight weight_of_word(const char *word);
/* Of a requirement; MAY weighs as INFO. */
enum weight weight_of_requirement(const struct requirement *requirement);

/*
 * The verdict on something that was asked for and did not hold. The lower of `asked` and the requirement's
 * own level counts, and the basis that it has in that profile. MUST: FAIL, but DISPUTED where the basis is
 * inferred (FAIL with `inferred`) and WARN where it is practice alone. SHOULD: WARN (FAIL with `strict`).
 * INFO: INFO.
 */
enum verdict verdict_when_broken(enum weight asked, const struct requirement *requirement,
                                 const struct profile *profile, bool inferred, bool strict);

/* Is it one that verdict_when_broken gives? INFO asks for nothing. */
bool verdict_is_broken(enum verdict verdict);

/* Of two verdicts, the worse. */
enum verdict verdict_worse(enum verdict a, enum verdict b);
/* FAIL, XPASS and ERROR fail a run, whatever they are of. */
bool verdict_is_failure(enum verdict verdict);
/* Was nothing judged: NOT_REACHED, INCONCLUSIVE, UNSUPPORTED? */
bool verdict_is_open(enum verdict verdict);

/* The verdict of a case, from its checks: the worst that counts for it, and `least`, what counts of how the
 * client ended; it is remembered as end_verdict. */
void case_take_worst(struct case_result *result, enum verdict least);
/* The worst that the case found of the requirement, rules included; PASS where it found nothing. */
enum verdict case_verdict_on(const struct case_result *result, const struct requirement *requirement);

#endif
