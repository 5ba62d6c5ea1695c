/* One fault is told under one requirement, once all cases of a run are there. */
#ifndef CONFORMANCE_REPORT_FOLLOWERS_H
#define CONFORMANCE_REPORT_FOLLOWERS_H

#include "conformance/report/run_result.h"

/*
 * Where one requirement follows from another (codec/rules/follows.h), a breach of it counts as not judged,
 * NOT_REACHED with the other as its cause, when that
 *  - was broken in the same session;
 *  - or, where checks find both, in any session of the run. (A rule sees every session: what it finds in one
 *    follows from nothing that was not there, and nothing in another follows from what it finds there.)
 * So does, without a breach, what something from the mock had to come for, where the other keeps a session
 * from going on (STOPS) and was broken there, or by a check in any session: how badly does not matter, as
 * what fails nobody makes no run fail in another's name. Of a row about clients that are behind that is so of
 * a breach, where what is missing had not come yet (`behind` of a check_result).
 *
 * Else the other has to be broken at least as badly: DISPUTED hides no FAIL, so a run that fails does so with
 * this as without. How the client ended, a hang or a crash, follows from nothing here, but a hang of a client
 * that is behind and still plays, and one after the same message as where a check found that breach
 * (`by_hang` of a check_result).
 *
 * Where it cannot be told whether the other was broken (INCONCLUSIVE), and nothing shows that it was, what
 * would follow from it is INCONCLUSIVE as well: a FAIL only where a breach of the other would be one, or
 * where how badly does not matter.
 *
 * What a baseline or a frozen suite tolerates explains nothing: not a breach, nor what was not reached as the
 * mock acted on it. To be called once, when those were applied and before anything is reported.
 */
void run_tell_followers(struct run_result *run);

#endif
