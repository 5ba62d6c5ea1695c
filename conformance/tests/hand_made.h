/*
 * Cases made by hand for the tests of the judge and the reports: a script with one check, and what happened,
 * in short words.
 *
 * The journal, words with spaces between:
 * - <upgrade <audio <cancelInteraction …: the client sent it; each <upgrade begins a connection; <close=1000
 * with a code; <audio=5 with that many samples
 * - >ready >speech#1/A >error=CODE …: the mock sent it, with index and interaction of a frame, code of an
 * error
 * - >speech#1/A!step: of a named step; >speech?/A: does not decode
 * - +NAME: a mark; $NAME=A: a capture; #LINE: a step begun; *LINE: a step that could not be done
 * - !OJ-ID: a broken rule; =OJ-ID: a kept rule; ?OJ-ID: a note; ?OJ-ID=28: one that the
 * service refuses, as it is 28 ms too early; ~: our own side broke the protocol
 *
 * The observations: ready  ready=0.5  frame#1/A  played#0/0  cancelled  error=CODE  closed=1000  state
 *
 * Interactions are a letter, sixteen times over; 0 is the nil id. A frame has 5,000 bytes; its payload CRCs
 * follow from index and letter; frame#1/A' has another picture and frame#1/A- none; played#1/A+ the sound
 * of the next index, and played#1/A_ none; frame#1/A@7 has a timestamp.
 */
#ifndef CONFORMANCE_TESTS_HAND_MADE_H
#define CONFORMANCE_TESTS_HAND_MADE_H

#include "conformance/judge/judge.h"

enum { HAND_MADE_OBSERVATIONS_MAX = 64 };

struct hand_made {
    struct case_script script;
    struct script_check check;
    struct { /* of its patterns: the types and filters, taken apart */
        char words[SCRIPT_TEXT_MAX];
        struct event_filter filters[SCRIPT_FILTERS_MAX];
    } patterns[4];
    struct server_step step;
    struct journal *journal;
    enum rule_verdict *rule_verdicts;
    struct observation *observations;
    struct judge_input input; /* ready for judge_case */
};

/* `clause` is "OJ-OUT-04" or "OJ-OUT-04 SHOULD". Aborts on a word it does not know. */
void hand_made_init(struct hand_made *made, const char *clause, const char *journal,
                    const char *observations);
/* Sets the check, which the script then has: patterns as "side:type,type[name=value,name=value]", NULL: none.
 */
void hand_made_check(struct hand_made *made, enum check_expect expect, const char *level, const char *pattern,
                     const char *given, const char *after, const char *until);
void hand_made_free(struct hand_made *made);

#endif
