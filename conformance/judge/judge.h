/*
 * The judge: reads what the wire showed (journal entries), what the client said it saw (observations) and how
 * it ended, and gives verdicts. A core: no I/O, no clock. It never mixes the two clocks: a check orders
 * events of one side only.
 */
#ifndef CONFORMANCE_JUDGE_JUDGE_H
#define CONFORMANCE_JUDGE_JUDGE_H

#include "client/core/observation.h"
#include "codec/rules/requirements.h"
#include "server/journal/journal.h"
#include "server/script/script.h"

/* From best to worst, so that a requirement's verdict is the highest of its checks'. UNSUPPORTED and
 * NOT_REACHED are outweighed by PASS at requirement level: another case reached it. */
enum verdict {
    VERDICT_PASS,
    VERDICT_INFO,
    VERDICT_UNSUPPORTED,  /* above the client's tier, or the client said 77 */
    VERDICT_INCONCLUSIVE, /* timing, while the machine itself was late */
    VERDICT_NOT_REACHED,  /* what the check depends on never came */
    VERDICT_XFAIL,    /* it fails, as the baseline says. This one and the next three are never the judge's: */
    VERDICT_NEW,      /* it fails, in a case that is newer than the suite asked for */
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
    CLIENT_CRASHED,    /* a signal not ours, an uncaught exception, a sanitizer report */
    CLIENT_TIMED_OUT,  /* still running past the limit, or when there was nothing more to wait for */
    CLIENT_NEVER_CAME, /* NOCONNECT: it ended, or time was up, without a connection */
    CLIENT_DECLINED,   /* exit 77 */
    CLIENT_BROKEN,     /* exit 99: the adapter says it is broken */
    CLIENT_NOT_STARTED /* 126, 127 */
};

const char *
client_end_name(enum client_end end); /* "", "CRASH", "TIMEOUT", "NOCONNECT", "UNSUPPORTED" …; static */

enum { JUDGE_TEXT_MAX = 400, JUDGE_CHECKS_MAX = 96, JUDGE_OBSERVATIONS_MAX = 200000 };
/* Of what the client played: a quarter of an hour at 24 kHz. */
enum { JUDGE_SOUND_SAMPLES_MAX = 900 * 24000 };
/* Timing is not judged on a machine whose own timer was later than this, or where both sides together had to
 * wait so long for a core within a second. Where seconds matter, and for the limit of a case, it takes one
 * that stood still for so long once that the case is not what it was, or where they were starved for so long
 * within ten seconds. */
enum { JUDGE_LATENESS_MAX_US = 100000, JUDGE_FROZEN_US = 1000000, JUDGE_STARVED_US = 2000000 };

struct judge_input {
    const struct script *script;
    const struct profile *profile;          /* that the case ran with; NULL: none in particular */
    bool inferred;                          /* inferred MUSTs fail */
    bool strict;                            /* SHOULDs fail */
    enum client_tier tier;                  /* the client's */
    unsigned unsaid;                        /* observations that it cannot give: bits of observation_kind */
    const struct journal *journal;          /* findings of the rules stand in it */
    const enum rule_verdict *rule_verdicts; /* one per rule, over all connections */
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

struct check_result {
    char name[SCRIPT_NAME_MAX]; /* of the check, or one of JUDGE_OWN_CHECKS: "wire" for a rule */
    const struct requirement *requirement;
    enum verdict verdict;
    unsigned unsaid; /* UNSUPPORTED, as the client cannot report these: bits of observation_kind */
    bool unheard;    /* UNSUPPORTED, as the client tells when it plays, and not what */
    char expected[JUDGE_TEXT_MAX];
    char actual[JUDGE_TEXT_MAX];
    uint64_t journal_sequence;   /* entry that shows it; UINT64_MAX: none */
    uint64_t observation_number; /* observation that shows it, from 1; 0: none */
};

struct case_result {
    enum verdict verdict; /* the worst of its checks */
    enum client_end end;
    char note[JUDGE_TEXT_MAX]; /* "stopped in line 14: serve until=cancel", "killed by SIGSEGV" … */
    size_t check_count;
    struct check_result checks[JUDGE_CHECKS_MAX];
};

/*
 * Rules: OJ-CON-03 is broken by the client's own output as well. A broken one fails under its own
 * requirement, whatever the case is about; one that was kept passes; one not reached is NOT_REACHED where the
 * script names it as a clause and no check judges that clause, else it is left out. A client that timed out
 * or never came gets that under the case's first clause; a declined case is UNSUPPORTED throughout, but for
 * rules that it broke before and that fail. A crash
 * fails the case; it breaks the first clause, whatever its level, only where neither a rule nor a check
 * judges that, else the clause is NOT_REACHED by it, and so is what did not come.
 *
 * Checks: one whose condition never came is NOT_REACHED (INFO where it asks for nothing more). What did not
 * come, or a client that hangs, after the session took another course over a broken rule is NOT_REACHED too:
 * the script broke off, or the mock answered with an error that no step asked for; so is, of a client that
 * hangs then, whatever it did not do. A first clause that neither a rule nor a check judges passes when the
 * client comes through the whole script.
 *
 * A client that connects, does nothing of what the plan asks for and ends with exit 0 has reached no check:
 * what holds of it is NOT_REACHED, and so is the first clause. Where it is one that says what it sees, and it
 * said nothing, so is what does not hold. What holds of a client that crashed for want of something that it
 * could still have done is NOT_REACHED too. One that ends with an error and has sent no sound, where it may
 * refuse the sound that it was to say, is UNSUPPORTED, or passes when it reported the error.
 *
 * A check that looks at an observation which the client cannot give (`unsaid`) is UNSUPPORTED.
 *
 * An exit other than 0 after a session in which nothing went wrong breaks no requirement: it is remarked on.
 *
 * What has to do with time (OJ-IN-08, OJ-CON-07) and was broken while the machine was later than
 * JUDGE_LATENESS_MAX_US, or stood still where seconds matter, is INCONCLUSIVE.
 *
 * A fault of our own (own_error, JOURNAL_OWN_ERROR), a broken adapter, a client that cannot be started or an
 * observation that is wrong is one ERROR, and nothing else is said of the case. A client that crashed is
 * judged for that whatever it observed; with a wrong observation no check is judged then.
 */
void judge_case(const struct judge_input *input, struct case_result *out);

/* The case was judged already, and the client then crashed over it, as `how` says: that fails it too, and
 * says nothing of a requirement. */
void judge_late_crash(const struct script *script, const char *how, struct case_result *out);

/* Does its verdict hang on time, so that it is INCONCLUSIVE on a machine that is late? */
bool judge_is_timed(const struct rule_class *rules, const struct requirement *requirement);

/* "frame, closed": what such bits stand for. */
void unsaid_describe(struct text *out, unsigned unsaid);
/* Was anything INCONCLUSIVE? Then the case should be run again alone. */
bool judge_was_inconclusive(const struct case_result *result);
/* Does the verdict fail a run (VERDICT_FAIL, NOT_REACHED, XPASS, ERROR)? */
bool verdict_fails(enum verdict verdict);
/* Of two verdicts on one requirement from different cases, the one that stands. */
enum verdict verdict_combine(enum verdict a, enum verdict b);

#endif
