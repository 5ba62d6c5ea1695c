/* How the client ended, and what that says of the case and of its first clause. */
#include "conformance/judge/judge_parts.h"
#include "conformance/judge/results.h"

/* Neither a rule nor a check judges it: it is kept by coming through. */
bool judge_is_bare(const struct judge_input *input, const struct requirement *requirement)
{
    return !judge_check_covers(input->script, requirement) && !judge_rule_covers(input, requirement);
}

void judge_say_end(const struct judge_input *input, char out[JUDGE_TEXT_MAX])
{
    const bool hangs = input->end == CLIENT_TIMED_OUT && input->end_text[0] == '\0';
    results_copy(out, JUDGE_TEXT_MAX,
                 hangs ? "it was still running when there was nothing more to wait for" : input->end_text);
}

static void crash_say(const struct requirement *requirement, enum verdict verdict, const char *how,
                      struct case_result *out)
{
    struct check_result *result = results_add(out, "crash", requirement, verdict);
    if (result == NULL)
        return;
    struct text actual = text_of(result->actual, sizeof result->actual);
    results_copy(result->expected, sizeof result->expected, "the client survives");
    text_add(&actual, "CRASH");
    text_add(&actual, how[0] == '\0' ? "" : ": ");
    text_add(&actual, how);
    result->scope = verdict == VERDICT_NOT_REACHED ? SCOPE_CASE : SCOPE_CHECK;
}

void judge_say_crash(const struct judge_input *input, struct check_result *result)
{
    enum { CRASH_SHOWN_MAX = 160 };
    char found[JUDGE_TEXT_MAX];
    results_copy(found, sizeof found, result->actual);
    struct text actual = text_of(result->actual, sizeof result->actual);
    text_add(&actual, "CRASH: ");
    text_add_printable(&actual, bytes_of_text(input->end_text), CRASH_SHOWN_MAX);
    text_add(&actual, "; ");
    text_add(&actual, found);
    result->by_crash = true;
}

void judge_late_crash(const struct case_script *script, const char *how, struct case_result *out)
{
    struct text note = text_of(out->note, sizeof out->note);
    if (out->verdict == VERDICT_ERROR)
        return;
    text_add(&note, client_end_name(CLIENT_CRASHED));
    text_add(&note, ": ");
    text_add(&note, how);
    out->end = CLIENT_CRASHED;
    out->verdict = out->end_verdict = VERDICT_FAIL;
    results_copy(out->end_text, sizeof out->end_text, how);
    out->raised[0] = '\0';
    crash_say(judge_first_clause(script), VERDICT_NOT_REACHED, how, out);
}

/*
 * A crash fails the case, whatever it was about and however little that binds. A requirement is broken by it
 * only where surviving is what is asked for; of any other that the case is about it says nothing.
 */
static void judge_crash(const struct judge_input *input, struct case_result *out)
{
    const struct requirement *requirement = judge_first_clause(input->script);
    const bool asked_for = requirement != NULL && judge_is_bare(input, requirement);
    crash_say(requirement, asked_for ? VERDICT_FAIL : VERDICT_NOT_REACHED, input->end_text, out);
}

/* How a hang weighs: as a breach of the first clause. */
enum verdict judge_verdict_of_hang(const struct judge_input *input)
{
    const struct requirement *requirement = judge_first_clause(input->script);
    return requirement == NULL ? VERDICT_FAIL : judge_verdict_of_clause(input, requirement);
}

/* The kind of the last message that it sent; empty: it sent none. */
static const char *last_message(const struct judge_input *input)
{
    const char *kind = "";
    for (size_t i = 0; i < journal_count(input->journal); i++) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        if (entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_CLIENT &&
            (entry->wire.kind == WIRE_EVENT_TEXT || entry->wire.kind == WIRE_EVENT_BINARY))
            kind = entry->label;
    }
    return kind;
}

void judge_say_hung(const struct judge_input *input, struct case_result *out)
{
    if (input->end == CLIENT_TIMED_OUT)
        results_copy(out->hung_after, sizeof out->hung_after, last_message(input));
}

bool judge_is_by_hang(const struct judge_input *input, const struct script_check *check,
                      const struct check_outcome *outcome)
{
    if (input->end != CLIENT_TIMED_OUT || !outcome->missing || !check->after.set ||
        check->after.side != EVENT_RECEIVED)
        return false;
    for (size_t i = 0; i < check->after.type_count; i++)
        if (strcmp(check->after.types[i], last_message(input)) == 0)
            return true;
    return false;
}

/* The mock answered a breach before it hung. */
static bool hang_was_answered(const struct judge_input *input)
{
    return judge_cause(input, UINT64_MAX) != NULL;
}

/* Was the last that it told of a frame that it played, and were there more to play? */
static bool still_plays(const struct judge_input *input)
{
    size_t came = 0, played = 0;
    for (size_t i = 0; i < input->observation_count; i++) {
        came += input->observations[i].kind == OBSERVED_FRAME ? 1 : 0;
        played += input->observations[i].kind == OBSERVED_PLAYED ? 1 : 0;
    }
    return played > 0 && came > played &&
           input->observations[input->observation_count - 1].kind == OBSERVED_PLAYED;
}

/* A hang fails the case, as hard as its first clause binds. That clause is broken by it only where nothing
 * else judges it, and the mock gave no reason to hang. */
static void judge_timeout(const struct judge_input *input, struct case_result *out)
{
    const struct requirement *requirement = judge_first_clause(input->script);
    const bool answered = hang_was_answered(input);
    const bool bare = requirement != NULL && judge_is_bare(input, requirement);
    const bool asked_for = bare && !answered;
    struct check_result *result = results_add(out, "timeout", requirement,
                                              judge_timeout_is_open(input) ? VERDICT_INCONCLUSIVE
                                              : asked_for                  ? judge_verdict_of_hang(input)
                                              : answered ? judge_verdict_of_follower(input, UINT64_MAX)
                                                         : VERDICT_NOT_REACHED);
    if (result == NULL)
        return;
    struct text actual = text_of(result->actual, sizeof result->actual);
    results_copy(result->expected, sizeof result->expected, "the client ends");
    text_add(&actual, "TIMEOUT: ");
    text_add(&actual, out->end_text);
    if (!answered)
        judge_say_objection(input, &actual);
    result->scope = bare ? SCOPE_CHECK : SCOPE_CASE;
    result->behind = !answered && still_plays(input);
    judge_say_cause(input, UINT64_MAX, result);
    judge_say_lateness(input, result);
}

void judge_end(const struct judge_input *input, struct case_result *out)
{
    switch (input->end) {
    case CLIENT_CRASHED:
        judge_crash(input, out);
        break;
    case CLIENT_TIMED_OUT:
        judge_timeout(input, out);
        break;
    case CLIENT_ENDED:
    case CLIENT_NEVER_CAME:
    case CLIENT_DECLINED:
    case CLIENT_BROKEN:
    case CLIENT_NOT_STARTED:
        break;
    }
}

/* What an end alone says of a case, also of one that names no clause. */
enum verdict judge_verdict_of_end(const struct judge_input *input)
{
    bool told;
    switch (input->end) {
    case CLIENT_ENDED:
        return VERDICT_PASS;
    case CLIENT_DECLINED:
        return VERDICT_UNSUPPORTED;
    case CLIENT_TIMED_OUT: /* at least */
        return judge_timeout_is_open(input) ? VERDICT_INCONCLUSIVE
               : hang_was_answered(input)   ? judge_verdict_of_follower(input, UINT64_MAX)
                                            : judge_verdict_of_hang(input);
    case CLIENT_NEVER_CAME: /* a refusal is as its checks are */
        return judge_is_refusal(input, &told) ? VERDICT_PASS : VERDICT_NOT_REACHED;
    case CLIENT_CRASHED:
        return VERDICT_FAIL;
    case CLIENT_BROKEN:
    case CLIENT_NOT_STARTED:
        return VERDICT_ERROR;
    }
    return VERDICT_ERROR;
}
