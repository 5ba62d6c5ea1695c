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
 * The other has to be broken at least as badly: DISPUTED hides no FAIL, and what a baseline or a frozen suite
 * tolerates hides nothing, so a run that fails does so with this as without. To be called once, when those
 * were applied and before anything is reported.
 */
void run_tell_followers(struct run_result *run);

#endif
