/*
 * How a client ended, in the judge's terms, from what the runner saw of its process.
 *
 * A crash is a signal that was not ours, a sanitizer report, or an exception that ended the process: its exit
 * is not 0, its trace is the last thing it wrote on standard error, and it had reported no error (observation
 * `error`) before, or not the one that the mock had sent. A client that reports the error and exits 1 did not
 * crash, whatever it logged.
 *
 * A client that cannot report errors (below the observe tier) may end by its own exception when the mock
 * refused it, or when it need not take the sound that it was to speak: that is its way to fail.
 */
#ifndef CONFORMANCE_PROCESS_CLIENT_END_H
#define CONFORMANCE_PROCESS_CLIENT_END_H

#include "conformance/judge/judge.h"
#include "conformance/process/crash_marks.h"

struct client_facts {
    const char *program; /* the first word of its command */
    int exec_errno;      /* it could not be started; 0: it was */
    bool ended;          /* by itself; otherwise we ended it */
    int wait_status;     /* as waitpid gives it, when it ended by itself */
    const struct crash_marks *marks;
    int stopped_by; /* the signal that we sent (--stop); 0: none */
    bool attached;  /* it was started by hand */
    bool connected;
    bool can_report;    /* errors: it is of the observe tier */
    bool has_reported;  /* ... and it reported one, and whichever the mock sent (judge_reported_errors) */
    const char *excuse; /* why it may have failed: the mock refused it, …; NULL: nothing is known */
    bool script_over;   /* the session was over, `end_wait_ms` before we ended it */
    uint64_t limit_ms;  /* of the case */
    uint64_t end_wait_ms;
};

/* What there is to say of it; empty where there is nothing. */
struct client_end_words {
    char text[JUDGE_TEXT_MAX];     /* how it ended: "uncaught exception: KeyError: 'x' (x.py:1 in f)" */
    char remark[JUDGE_TEXT_MAX];   /* on an exception that is no crash */
    char raised[JUDGE_RAISED_MAX]; /* of an exception that is one: its class and place, without its message */
};

enum client_end client_end_of(const struct client_facts *facts, struct client_end_words *words);

#endif
