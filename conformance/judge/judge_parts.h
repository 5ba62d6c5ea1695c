/*
 * The parts of the judge, private to it: the rules, the sentence on the end, and which check judges what.
 */
#ifndef CONFORMANCE_JUDGE_JUDGE_PARTS_H
#define CONFORMANCE_JUDGE_JUDGE_PARTS_H

#include "conformance/judge/check.h"
#include "conformance/judge/verdict.h"

/* ---- clauses.c ---- */

/* How much the case asks for by a clause: what the clause says, else as much as the requirement does. */
enum weight judge_weight_of(const struct case_script *script, const struct requirement *requirement);
/* The verdict on a breach of that clause. */
enum verdict judge_verdict_of_clause(const struct judge_input *input, const struct requirement *requirement);
/* Is it a clause of the case? Then what is found of it counts for the case. */
bool judge_clause_is_named(const struct case_script *script, const struct requirement *requirement);
/* The verdict on a breach of the requirement where `asked` is its weight. */
enum verdict judge_verdict_of_breach(const struct judge_input *input, enum weight asked,
                                     const struct requirement *requirement);

/* ---- rule_verdicts.c ---- */

static inline const struct rule_class *judge_rules_of(const struct judge_input *input)
{
    return input->script->class->family->rules;
}
/* The verdict on a broken rule: INCONCLUSIVE where lateness explains it. */
enum verdict judge_verdict_of_rule(const struct judge_input *input, const struct requirement *requirement);
/* Was a rule broken, by what no lateness explains? */
bool judge_broke_a_rule(const struct judge_input *input);
/* Does a rule judge this requirement? */
bool judge_rule_covers(const struct judge_input *input, const struct requirement *requirement);
/* ... and was it broken? */
bool judge_rule_is_broken(const struct judge_input *input, const struct requirement *requirement);

/* ---- judge_rules.c ---- */

/* The results of the rules of codec/rules. */
void judge_rules(const struct judge_input *input, struct case_result *out);
/* Of those only the ones that fail, of a client that declined the case: what it sent until then was wrong. */
void judge_failed_rules(const struct judge_input *input, struct case_result *out);

/* ---- judge_ends.c ---- */

/* Neither a rule nor a check judges it: it is kept by coming through. */
bool judge_is_bare(const struct judge_input *input, const struct requirement *requirement);
/* How it ended: end_text of the input, or what a hang without one is. */
void judge_say_end(const struct judge_input *input, char out[JUDGE_TEXT_MAX]);
/* Says of a breach that it is how the client's crash shows: puts that in front of what was found. */
void judge_say_crash(const struct judge_input *input, struct check_result *result);
/* The results of how the client ended: a crash, a hang. */
void judge_end(const struct judge_input *input, struct case_result *out);
/* How a hang weighs: as a breach of the first clause. */
enum verdict judge_verdict_of_hang(const struct judge_input *input);
/* What an end alone says of a case, also of one that names no clause. */
enum verdict judge_verdict_of_end(const struct judge_input *input);

/* Sets `hung_after`. */
void judge_say_hung(const struct judge_input *input, struct case_result *out);
/* Is it broken by what a client that hung did not do after its last message, for which the check asks? */
bool judge_is_by_hang(const struct judge_input *input, const struct script_check *check,
                      const struct check_outcome *outcome);

/* ---- judge_cause.c ---- */

/* A close by which the service says that it was not content: not 1000, 1001 or one without a code. Whether it
 * answers the client's own is for the caller to see. */
bool judge_is_fault_close(const struct journal_entry *entry);
/* The mock answered with an error, a refusal or a close that no step of the script asked for, in whatever
 * connection. */
bool judge_mock_objected(const struct judge_input *input);
/* Adds what it did: "; the mock had before answered with an error: {…}". */
void judge_say_objection(const struct judge_input *input, struct text *out);
/*
 * The requirement whose breach the mock answered, before entry `due` of the journal: one that the service
 * enforces (rule_condition), found broken before the answer, in the connection that the entry is of, or
 * broken by so little that it is a note; UINT64_MAX is the end of the case, in the last connection. NULL:
 * there is none.
 */
const struct requirement *judge_cause(const struct judge_input *input, uint64_t due);
/* NOT_REACHED; INCONCLUSIVE where lateness explains that breach, too. */
enum verdict judge_verdict_of_follower(const struct judge_input *input, uint64_t due);
/* Of what was never reached before entry `due`: as judge_verdict_of_follower where the mock had answered a
 * breach; else NOT_REACHED, and INCONCLUSIVE where it was cut off on a machine that stood still
 * (judge_was_cut_off), or where the client gave up on one (judge_gave_up_late). */
enum verdict judge_verdict_unreached(const struct judge_input *input, uint64_t due);
/* Is what the mock acted on told: as a breach (FAIL, DISPUTED or WARN), or as a note? */
bool judge_cause_is_told(const struct judge_input *input, const struct requirement *cause);
/* Sets `answered` and `answer`. */
void judge_say_acted(const struct judge_input *input, struct case_result *out);
/* Did the mock refuse the last request, which the script would have admitted? Adds how: "the mock refused the
 * request with HTTP 426: …". */
bool judge_say_refused(const struct judge_input *input, struct text *out);
/* Sets the cause of a NOT_REACHED result, of what was due before entry `due`, and adds it to what it says; or
 * that the request was refused. To an INCONCLUSIVE one it adds what it may follow from. */
void judge_say_cause(const struct judge_input *input, uint64_t due, struct check_result *result);

/* ---- judge_idle.c ---- */

/* Did the client connect, and then do nothing of what the plan asks for, and end as if it had? On exit 1, or
 * with an error that it reported, it had its reason; so it may have when the mock did anything out of the
 * ordinary. */
bool judge_is_idle(const struct judge_input *input);
/* Did a client that says what it sees connect, say nothing, send nothing, and end as if all was done? Not
 * where the plan asks for no more than to wait and close, and the mock let it wait: then all was done. */
bool judge_is_silent(const struct judge_input *input);
/* Did it end as if it had met an error, of which it told nothing, in a session in which nothing was out of
 * the ordinary and its speech was answered to the end? */
bool judge_fails_for_nothing(const struct judge_input *input);
/* Did it end with an error, without a sound sent, in a case whose sound it may refuse? `told`: it said so. */
bool judge_is_refusal(const struct judge_input *input, bool *told);

/* Sets `mute` and `unbegun`. */
void judge_say_mute(const struct judge_input *input, struct case_result *out);

/* ---- judge_left_out.c ---- */

/* The act that the plan asks for and that a client which left as if all was done left out, where a condition
 * that never came hangs on it; NULL: there is none. */
const struct free_act *judge_left_out(const struct judge_input *input, const struct event_pattern *unmet);
/* The same, where a requirement is on the form of its message. */
const struct free_act *judge_left_out_form(const struct judge_input *input, const struct requirement *form);
/* Adds that it was, and is free to be. */
void judge_say_left_out(const struct free_act *act, struct check_result *result);

/* ---- judge_timing.c ---- */

/*
 * Has this requirement to do with time, and does the lateness of the machine explain a breach for which
 * something would have had to be late by about `excuse_us`? CHECK_NEVER: it never came at all, as in
 * judge_is_excused.
 */
bool judge_timing_is_open(const struct judge_input *input, const struct requirement *requirement,
                          uint64_t excuse_us, uint64_t had_us);
/* Does the lateness of the machine explain a note, which leaves no room for it: `margin_us` of a time that is
 * the limit itself? Half of it will do, as above. */
bool judge_margin_is_open(const struct judge_input *input, uint64_t margin_us);
/* Did our own side break the protocol by saying nothing in time alone, on a machine that stood still? */
bool judge_mock_was_late(const struct judge_input *input, const struct journal_entry *breach);
/* Did the client come to no end in time on a machine that itself stood still for a while? */
bool judge_timeout_is_open(const struct judge_input *input);
/* Adds to an INCONCLUSIVE result how late the machine was. */
void judge_say_lateness(const struct judge_input *input, struct check_result *result);

/* ---- judge_cut_off.c ---- */

/* Did it report an error? */
bool judge_saw_error(const struct judge_input *input);
/* The script did not come to its end, or left steps out. */
bool judge_broke_off(const struct judge_input *input);
/* Did it stand still, or starve both sides for as long? */
bool judge_stood_still(const struct judge_input *input);
/* By how much it was late, or had both sides wait within ten seconds. */
uint64_t judge_lateness_us(const struct judge_input *input);
/*
 * Does a machine that stood still explain that something was late by `excuse_us`? CHECK_NEVER: it never came
 * at all. That it explains only where it was not the client that ended the session, but by its plan's time,
 * and where the machine was late by half of the time that there was for it, `had_us`, in each ten seconds; 0:
 * it is not known.
 */
bool judge_is_excused(const struct judge_input *input, uint64_t excuse_us, uint64_t had_us);
/* Did the client end its last connection, before the mock did anything to end it? */
bool judge_client_left_first(const struct journal *journal);
/* Was the session over, on a machine that stood still, by a time that the case sets: by its limit, or as the
 * client left when its plan's wait was over? */
bool judge_was_cut_off(const struct judge_input *input);
/* Is entry `sequence` one by which a client ends its connection: a close, an end, its family's farewell? */
bool judge_is_leaving(const struct judge_input *input, uint64_t sequence);
/* Is entry `sequence` the end of the client's side of a connection, other than by a message? */
bool judge_is_broken_off(const struct judge_input *input, uint64_t sequence);
/* Is entry `sequence` how the client ended its last connection, by the clock, when its plan says? Then it did
 * not leave early, however far the script had come. Not known where the plan waits for more than the session
 * to be ready, or where the client does not say that it was. */
bool judge_left_as_planned(const struct judge_input *input, uint64_t sequence);
/* Did the client report an error and leave, while the machine was late by more than half as long as the
 * session lasted (ten seconds of it count at most)? It may have given up on what was only late. */
bool judge_gave_up_late(const struct judge_input *input);
/* May what is missing of a check have come, had the machine not stood still: as judge_was_cut_off says, or as
 * what ended its window is an act of the mock? */
bool judge_is_cut_off(const struct judge_input *input, const struct check_outcome *outcome);

/* ---- judge_note.c ---- */

/* Where the mock stood when the case ended: `stood` of the result. */
void judge_say_stood(const struct judge_input *input, struct case_result *out);
/* How the client ended, and where the mock `stood`: "killed by SIGSEGV; stopped in line 14: serve". */
void judge_note(const struct judge_input *input, const char *stood, struct text *out);

#endif
