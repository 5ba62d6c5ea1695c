/*
 * One check of a script against one case: what was expected, what was there, and whether it holds.
 */
#ifndef CONFORMANCE_JUDGE_CHECK_H
#define CONFORMANCE_JUDGE_CHECK_H

#include "conformance/judge/pattern.h"

enum check_status {
    CHECK_HOLDS,
    CHECK_BROKEN,
    CHECK_DROPPED, /* it is for clients that get to its if=, and this one did not */
    CHECK_UNMET,   /* what it depends on never came */
    CHECK_WRONG    /* the check itself cannot be judged: the script's fault */
};

/* No lateness explains it: it never came. */
#define CHECK_NEVER UINT64_MAX

struct check_outcome {
    enum check_status status;
    /* Broken: by how much something would have had to be late, as the wire has it; 0: not known. */
    uint64_t excuse_us;
    uint64_t had_us; /* the time from the beginning of its window to its end; 0: not known */
    uint64_t due;    /* the entry of the journal that ended the window; UINT64_MAX: none did */
    bool to_end;     /* nothing ended it but the end of the session */
    bool overtaken;  /* something was seen that was sent after what is missing */
    const struct event_pattern *unmet; /* UNMET: the condition that never came; NULL: another reason */
    bool conditional;                  /* the check names an event it depends on, or what was sent is one */
    bool missing;    /* broken because something did not come: of a check for nothing, what ends its window */
    bool by_absence; /* there was no match */
    bool misread;    /* it came, with another value: no lateness brings that about */
    bool timeless;   /* broken in a way that no lateness brings about */
    bool unheard;    /* dropped: the client reports when it plays, but not what */
    char expected[JUDGE_TEXT_MAX];
    char actual[JUDGE_TEXT_MAX];
    uint64_t journal_sequence;   /* UINT64_MAX: none */
    uint64_t observation_number; /* from 1; 0: none */
};

/* What a check of that script expects, in words. */
void check_describe(struct text *out, const struct case_script *script, const struct script_check *check);

/* A check without `given` and `after` depends on a connection having been asked for. */
void check_evaluate(const struct judge_input *input, const struct script_check *check,
                    struct check_outcome *out);

/* What it looks at of that which the client cannot report (`unsaid` of the input): 0 when its outcome counts.
 */
unsigned check_unsaid(const struct judge_input *input, const struct script_check *check,
                      const struct check_outcome *outcome);

/* Where a check looks: positions [from, to) of the stream of its pattern. */
struct check_window {
    size_t from, to;
    bool open; /* what was to end it never came */
    /* Of what was heard, where after= and until= are what the client reported: samples [from, to). */
    uint64_t heard_from, heard_to;
};

/* By how much the matches of a pattern on the journal would have to be late for `excess` of those in the
 * window to belong outside it, or for `lacking` of those outside to belong into it; CHECK_NEVER: there are
 * fewer. */
uint64_t check_excuse_excess(const struct pattern *pattern, const struct check_window *window,
                             uint64_t excess);
uint64_t check_excuse_lacking(const struct pattern *pattern, const struct check_window *window,
                              uint64_t lacking, bool bytes);

/* The event at `position` of the pattern's stream shows it. */
void check_outcome_note(const struct pattern *pattern, size_t position, struct check_outcome *out);
/* Says that nothing matches, and what came in its place: a close that was not clean, the frame that given=
 * names with another timestamp, an event of the same type. */
void check_say_lacking(const struct pattern *pattern, const struct script_check *check,
                       const struct check_window *window, struct check_outcome *out, struct text *actual);
/* Does that observation report the frame of `sent`, with its index, interaction, picture and sound? */
bool check_is_report_of(const struct observation *seen, const struct journal_entry *sent);
/* For CHECK_DELIVERED, CHECK_SHOWN, CHECK_HEARD, CHECK_SOUNDED and CHECK_TOGETHER: every matching frame that
 * was sent, among what was seen or played. */
void check_delivered(const struct pattern *sent, const struct check_window *window, enum check_expect expect,
                     struct check_outcome *out, struct text *actual);
/* For CHECK_HEARD, CHECK_SEAMLESS, CHECK_SAMPLES, CHECK_ONLY and CHECK_TIMED, where the speech that was sent
 * is in texts: what was played of the messages that match. */
void check_sound(const struct pattern *sent, const struct script_check *check,
                 const struct check_window *window, struct check_outcome *out, struct text *actual);
/* For CHECK_DELIVERED of such speech: every message that matches, among the deltas that were seen. */
void check_read(const struct pattern *sent, const struct check_window *window, struct check_outcome *out,
                struct text *actual);
/* For CHECK_GROWING: the times between one match and the next. */
void check_growing(const struct pattern *pattern, const struct check_window *window,
                   struct check_outcome *out, struct text *actual);
/* For CHECK_SLOWER: the longest time between one match and the next in the window, which its end counts as,
 * with the longest before it. */
void check_slower(const struct pattern *pattern, const struct check_window *window, struct check_outcome *out,
                  struct text *actual);

#endif
