/*
 * The judge: reads what the wire showed (journal entries), what the client said it saw (observations) and how
 * it ended, and gives verdicts. A core: no I/O, no clock. It never mixes the two clocks: a check orders
 * events of one side only.
 */
#ifndef CONFORMANCE_JUDGE_JUDGE_H
#define CONFORMANCE_JUDGE_JUDGE_H

#include "client/core/observation.h"
#include "codec/rules/follows.h"
#include "codec/rules/requirements.h"
#include "conformance/script/case_script.h"
#include "server/journal/journal.h"

/* README.md in this folder tells what each means, and how those of checks make that of a case and that of a
 * requirement. */
enum verdict {
    VERDICT_PASS,
    VERDICT_INFO,
    VERDICT_PARTIAL, /* of a requirement alone: some of its checks were judged and kept, the others not judged
                      */
    VERDICT_UNSUPPORTED,  /* above the client's tier, or the client said 77 */
    VERDICT_INCONCLUSIVE, /* timing, while the machine itself was late */
    VERDICT_NOT_REACHED,  /* what the check depends on never came */
    VERDICT_XFAIL,    /* it fails, as the baseline says. This one and the next three are never the judge's: */
    VERDICT_NEW,      /* it fails, in a case or of a requirement that is newer than the suite asked for */
    VERDICT_FLAKY,    /* it failed, and a later try passed */
    VERDICT_XPASS,    /* it passes, though the baseline says that it fails: the runner gives them */
    VERDICT_WARN,     /* SHOULD */
    VERDICT_DISPUTED, /* MUST of basis inferred */
    VERDICT_FAIL,     /* MUST */
    VERDICT_ERROR     /* ours */
};

const char *verdict_name(enum verdict verdict); /* "PASS", "NOTREACHED" …; static */

/* How the client's process ended. */
enum client_end {
    CLIENT_ENDED,      /* exit 0, or 1: it reported an error */
    CLIENT_CRASHED,    /* see judge_case */
    CLIENT_TIMED_OUT,  /* still running past the limit, or when there was nothing more to wait for */
    CLIENT_NEVER_CAME, /* NOCONNECT: it ended, or time was up, without a connection */
    CLIENT_DECLINED,   /* exit 77 */
    CLIENT_BROKEN,     /* exit 99: the adapter says it is broken */
    CLIENT_NOT_STARTED /* 126, 127 */
};

const char *
client_end_name(enum client_end end); /* "", "CRASH", "TIMEOUT", "NOCONNECT", "UNSUPPORTED" …; static */

enum {
    JUDGE_TEXT_MAX = 400,
    JUDGE_RAISED_MAX = 300,
    JUDGE_LABEL_MAX = 60,
    JUDGE_CHECKS_MAX = 96,
    JUDGE_OBSERVATIONS_MAX = 200000
};
/* Of what the client played: a quarter of an hour at 24 kHz. */
enum { JUDGE_SOUND_SAMPLES_MAX = 900 * 24000 };
/* Timing is not judged on a machine whose own timer was later than this, or where both sides together had to
 * wait that long for a core within a second. Where seconds matter, and for the limit of a case, it takes one
 * that stood still for so long once that the case is not what it was, or where they were starved for as long
 * within ten seconds. */
enum { JUDGE_LATENESS_MAX_US = 100000, JUDGE_FROZEN_US = 1000000, JUDGE_STARVED_US = 2000000 };

/* Beside the bits of observation_kind, members that a client need not tell: the timestamp of frames, and the
 * sound that is heard with what it plays. */
#define UNSAID_TIMESTAMP (1U << 31)
#define UNSAID_SOUND     (1U << 30)

struct judge_input {
    const struct case_script *script;
    const struct profile *profile;          /* that the case ran with; NULL: none in particular */
    bool inferred;                          /* inferred MUSTs fail */
    bool strict;                            /* SHOULDs fail */
    enum client_tier tier;                  /* the client's */
    unsigned unsaid;                        /* observations that it cannot give: bits of observation_kind */
    const struct journal *journal;          /* findings of the rules stand in it */
    const enum rule_verdict *rule_verdicts; /* one per rule, over all connections */
    size_t speeches_said; /* `speeches_said` of struct rule_class, in the latest connection */
    const struct observation *observations;
    size_t observation_count;
    /* What it played, at the family's output rate, in 16 bits, as it left it: NULL and 0 when that is
     * nothing. Where it left no sound (not `sound_known`), its `heard` observations say what it played. */
    bool sound_known;
    const int16_t *sound;
    size_t sound_count;
    enum client_end end;
    int exit_code;          /* that it ended with by itself: 0 also when it did not */
    bool speech_is_foreign; /* what it was to say is of another rate or channel count than the family's */
    char end_text[JUDGE_TEXT_MAX];        /* "killed by SIGSEGV", "uncaught exception: …" */
    char raised[JUDGE_RAISED_MAX];        /* of an exception or a sanitizer's report: its kind and place,
                                             which say that two are the same; empty: it was none, or does
                                             not say */
    char exception[JUDGE_TEXT_MAX];       /* one that is no crash, and when it came; empty: none */
    char bad_observation[JUDGE_TEXT_MAX]; /* which of them is wrong, and how; empty: none */
    uint64_t lateness_us;                 /* the worst of the mock's own timer; 0 in virtual time */
    /* How long the mock and the client had to wait for a core, in the worst second, and in the worst ten. */
    uint64_t waited_us, waited_long_us;
    unsigned script_line; /* where the script stood when the case ended; 0: it was done */
    const char
        *key_leak; /* where in its own output the client showed the key: "standard error"; NULL: nowhere */
    uint64_t peak_bytes;            /* of memory that the client's process took; 0: not known */
    char own_error[JUDGE_TEXT_MAX]; /* a failure of our own; empty: none */
};

/* Names of what the judge says besides the checks of a script; ended by NULL. */
extern const char *const JUDGE_OWN_CHECKS[];

/* What a result counts for. */
enum check_scope {
    SCOPE_CHECK, /* for its case and for its requirement */
    SCOPE_CASE,  /* for its case: how the client ended; it is filed under the first clause */
    SCOPE_RUN    /* for its requirement: a rule in a session of a case that is not about it */
};

struct check_result {
    char name[SCRIPT_NAME_MAX]; /* of the check, or one of JUDGE_OWN_CHECKS: "wire" for a rule */
    const struct requirement *requirement;
    enum verdict verdict;
    enum check_scope scope;
    bool binding; /* a breach of it is a FAIL; so when it was NOT_REACHED the run fails, too … */
    bool excused; /* … but not this time: what it follows from is told as a breach, whatever that weighs */
    unsigned unsaid;  /* UNSUPPORTED, as the client cannot report these: bits of observation_kind,
                         UNSAID_TIMESTAMP, UNSAID_SOUND */
    bool unheard;     /* UNSUPPORTED, as the client reports when it plays, but not what */
    bool awaits_mock; /* NOT_REACHED: something from the mock's side never came */
    bool
        lacking; /* broken or NOT_REACHED by what the client had not done or seen when the session was over */
    bool behind; /* of a hang: it was still playing; else: broken or NOT_REACHED by what had not come yet, or
                    what it had not played yet: nothing had that was due later, and it was not the client who
                    ended the session */
    bool by_crash; /* broken by what a client that crashed did not do any more, or by the end of its
                      connection */
    bool by_hang;  /* broken by what a client that hung did not do after its last message, for which the check
                      asks (`after=`) */
    const struct requirement *cause; /* NOT_REACHED: the mock answered a breach of this one, and what was
                                        asked for did not come after that; NULL: no such thing */
    char expected[JUDGE_TEXT_MAX];
    char actual[JUDGE_TEXT_MAX];
    uint64_t journal_sequence;   /* entry that shows it; UINT64_MAX: none */
    uint64_t observation_number; /* observation that shows it, from 1; 0: none */
};

struct case_result {
    enum verdict verdict;     /* the worst of its checks, but those of SCOPE_RUN */
    bool binding;             /* NOT_REACHED: it fails the run */
    enum verdict end_verdict; /* what counts of how the client ended; NOT_REACHED: … */
    bool end_binding;         /* … and that fails the run */
    enum client_end end;
    char note[JUDGE_TEXT_MAX];   /* for readers: "stopped in line 14: serve until=cancel" … */
    char stood[JUDGE_TEXT_MAX];  /* where the mock stood at the end: "line 14: serve until=cancel"; empty: it
                                    had played its script */
    char listed[JUDGE_TEXT_MAX]; /* that it passes, and what lists it as failing; empty: nothing does */
    char end_text[JUDGE_TEXT_MAX];    /* of the end alone, as of judge_input … */
    char raised[JUDGE_RAISED_MAX];    /* … and this too */
    char hung_after[JUDGE_LABEL_MAX]; /* the kind of the last message of a client that hung: "endInteraction";
                                         empty: it did not hang, or sent none */
    bool mute;                        /* the client was let in, and sent no message */
    bool unbegun; /* the mock had sent it a text that is no error and does not ask it to wait, and it sent no
                     sound, nor reported that its session began */
    const struct requirement *answered; /* the first breach that the mock acted on; NULL: none … */
    char answer[JUDGE_TEXT_MAX];        /* … and how: "closed the connection with 1008: …" */
    size_t check_count;
    struct check_result checks[JUDGE_CHECKS_MAX];
};

/*
 * README.md in this folder has the whole of it, with examples. In short:
 *
 * Rules: a broken one is a finding under its own requirement, and counts for the case only where a clause
 * names that; one that was kept passes; one not reached is NOT_REACHED where the script names it as a clause
 * and no check judges that clause, else it is left out. OJ-CON-03 is broken by the client's own output as
 * well.
 *
 * Ends: a client that never came is NOT_REACHED throughout; one that declined is UNSUPPORTED throughout, but
 * for rules that it broke before and that fail. A crash fails the case; it breaks the first clause only where
 * neither a rule nor a check judges that. So does a hang, but it fails the case only as hard as the first
 * clause binds, and not where the mock had answered a breach.
 *
 * Checks: one whose condition never came is NOT_REACHED (INFO where it asks for nothing more). What did not
 * come after the mock had answered a breach of another requirement with an error, a refusal or a close, in
 * the same connection, is NOT_REACHED, with that requirement as its cause, and does not fail the run once
 * more. Nothing else excuses anything. A first clause that neither a rule nor a check judges
 * passes when the client comes through the whole script.
 *
 * A client that connects, does nothing of what the plan asks for and ends with exit 0 has reached no check.
 * One that ends with an error and has sent no sound, where it may refuse the sound that it was to say, is
 * UNSUPPORTED, or passes when it reported the error: under the first clause alone, also when it declined. A
 * check that looks at an observation which the client cannot give
 * (`unsaid`) is UNSUPPORTED. An exit other than 0 after a session in which nothing went wrong is remarked on.
 *
 * A crash is a signal that was not ours, a sanitizer report, or an exception that ended the process: its exit
 * is not 0, its trace is the last thing it wrote on standard error, and it had reported no error (observation
 * `error`) before, or not the one that the mock had sent (judge_reported_errors). A client that reports the
 * error and exits 1 did not crash, whatever it logged. An exception that is no crash is remarked on: one that
 * ended a thread or a task while the process went on or exited 0; one behind a reported error; and, of a
 * client that cannot report errors (below the observe tier), one by which it ended when the mock had refused
 * it (judge_was_refused).
 *
 * What was broken by so little time that the lateness of the machine explains it is INCONCLUSIVE.
 *
 * A fault of our own (own_error, JOURNAL_OWN_ERROR), a broken adapter, a client that cannot be started or an
 * observation that is wrong is one ERROR, under the first clause; the other clauses are NOT_REACHED. A client
 * that crashed is judged for that whatever it observed; with a wrong observation its checks are NOT_REACHED.
 * What held until a crash, and more could have broken, is NOT_REACHED too.
 */
void judge_case(const struct judge_input *input, struct case_result *out);

/* Did the mock, in the client's last connection and before it left, refuse it: leave its upgrade unanswered
 * or refuse it, send an error or a text that is no JSON, or end or break the connection otherwise than with
 * 1000 or 1001 by the service?
 */
bool judge_was_refused(const struct journal *journal);
/* In a case in which a client for which no session begins sent nothing, as `row` of STOPS says: does that
 * result follow from it? */
bool judge_never_began(const struct case_result *result, const struct check_result *check,
                       const struct stop_row *row);
/* Did the client report an error, and each that the mock sent with a code, by that or by its message? */
bool judge_reported_errors(const struct judge_input *input);

/* The case was judged already, and the client then crashed over it, as `how` says: that fails it too, and
 * says nothing of a requirement. */
void judge_late_crash(const struct case_script *script, const char *how, struct case_result *out);

/* Does its verdict hang on time, so that it is INCONCLUSIVE on a machine that is late? */
bool judge_is_timed(const struct rule_class *rules, const struct requirement *requirement);

/* "frame, closed": what such bits stand for. */
void unsaid_describe(struct text *out, unsigned unsaid);
/* Was anything INCONCLUSIVE? Then the case should be run again alone. */
bool judge_was_inconclusive(const struct case_result *result);
/* Does the result fail a run? FAIL, XPASS and ERROR do, and NOT_REACHED where a breach would and nothing
 * excuses it. */
bool check_fails(const struct check_result *check);
/* The same, but for what excuses it. */
bool check_would_fail(const struct check_result *check);
bool case_fails(const struct case_result *result);

/* Does a check of the script judge this requirement? */
bool judge_check_covers(const struct case_script *script, const struct requirement *requirement);
/* The requirement that a check counts for; NULL when the script names none. */
const struct requirement *judge_check_clause(const struct case_script *script,
                                             const struct script_check *check);
/* The first clause; NULL: the script names none. */
const struct requirement *judge_first_clause(const struct case_script *script);

#endif
