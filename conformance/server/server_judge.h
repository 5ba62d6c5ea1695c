/*
 * Verdicts on a server: what the rules and the steps of a case found, as results of the case. A core.
 *
 * A rule that was broken counts under its own requirement, whatever the case is about; one that was kept
 * passes. A step counts for its clause. A fault is laid at one door: what goes wrong in a begin while a rule
 * is broken already is NOT_REACHED, and so is what rests on frames that cannot be read (the family's rules
 * say which). A clause that neither a rule nor a step judges passes when the case came through, and is
 * NOT_REACHED when it broke off; so is one whose rule or step had no occasion. The case's verdict is the
 * worst that was found; NOT_REACHED when nothing was found and something not reached.
 *
 * A server that breaks RFC 6455 fails the case in which it does, under the case's first clause.
 *
 * What has to do with time and was broken while our own side was later than SERVER_LATENESS_MAX_US is
 * INCONCLUSIVE, and so is what was waited for in vain while our side stood still (SERVER_FROZEN_US), or had
 * to wait that long for a core within ten seconds: a server on the same machine may have had to as well.
 */
#ifndef CONFORMANCE_SERVER_SERVER_JUDGE_H
#define CONFORMANCE_SERVER_SERVER_JUDGE_H

#include "conformance/judge/judge.h"
#include "conformance/server/drive.h"

/* The rules allow 100 ms in all. A server on the same machine is as late as we are. */
enum { SERVER_LATENESS_MAX_US = 50000, SERVER_FROZEN_US = 500000 };

struct server_judge_input {
    const struct case_script *script;
    const struct drive *drive;
    const struct journal *journal; /* the rules' findings stand in it */
    const struct profile *profile; /* that it ran with */
    bool inferred, strict;
    uint64_t lateness_us;
    uint64_t waited_us, waited_long_us; /* for a core, in the worst second and in the worst ten */
    char own_error[JUDGE_TEXT_MAX];     /* empty: none */
};

void server_judge_case(const struct server_judge_input *input, struct case_result *out);
/* Nothing was tried: every clause gets that verdict, with a sentence. */
void server_judge_untried(const struct case_script *script, enum verdict verdict, const char *why,
                          struct case_result *out);

#endif
