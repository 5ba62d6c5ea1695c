#include "conformance/judge/judge_parts.h"
#include "conformance/judge/results.h"

/* ---- cases in which the client cannot be judged ---- */

/* How our own side broke the protocol unasked, sooner by a message than by saying nothing; NULL: it kept it.
 */
static const struct journal_entry *own_breach(const struct journal *journal)
{
    const struct journal_entry *waited = NULL;
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        if (entry->kind != JOURNAL_OWN_ERROR)
            continue;
        if (!entry->finding.waited)
            return entry;
        waited = entry;
    }
    return waited;
}

static void judge_throughout_of(const struct judge_input *input, const struct requirement *only,
                                const char *name, enum verdict verdict, const char *actual,
                                struct case_result *out)
{
    const struct case_script *script = input->script;
    for (size_t i = 0; i < script->check_count; i++) {
        const struct requirement *clause = judge_check_clause(script, &script->checks[i]);
        if (only == NULL || clause == only)
            results_say(out, script->checks[i].name, clause, verdict, script->expect, actual);
    }
    for (size_t i = 0; i < script->clause_count; i++) {
        const struct requirement *clause = script->clauses[i].requirement;
        if ((only == NULL || clause == only) && !judge_check_covers(script, clause))
            results_say(out, name, clause, verdict, script->expect, actual);
    }
}

/* The first clause has the error; of the others nothing was judged. */
static void error_say(const struct judge_input *input, const char *name, const char *expected,
                      const char *actual, struct case_result *out)
{
    const struct case_script *script = input->script;
    results_say(out, name, judge_first_clause(script), VERDICT_ERROR, expected, actual);
    for (size_t i = 1; i < script->clause_count; i++)
        judge_throughout_of(input, script->clauses[i].requirement, name, VERDICT_NOT_REACHED, actual, out);
    results_copy(out->note, sizeof out->note, actual);
    out->verdict = VERDICT_ERROR;
}

/* Nothing can be said of the client when something on our side went wrong. */
static bool judge_own_errors(const struct judge_input *input, struct case_result *out)
{
    const struct journal_entry *breach = own_breach(input->journal);
    char text[JUDGE_TEXT_MAX];
    struct text actual = text_of(text, sizeof text);
    if (judge_mock_was_late(input, breach))
        breach = NULL; /* judge_lateness_of_mock */
    if (input->own_error[0] != '\0') {
        error_say(input, "own", "the suite itself works", input->own_error, out);
    } else if (breach != NULL) {
        text_add(&actual, "the mock broke the protocol unasked: ");
        text_add_printable(&actual, breach->wire.data, 240);
        error_say(input, "own", "the mock keeps the protocol", text, out);
    } else if (input->end == CLIENT_BROKEN || input->end == CLIENT_NOT_STARTED) {
        text_add(&actual, input->end == CLIENT_BROKEN ? "the adapter says it is broken"
                                                      : "the client could not be started");
        if (input->end_text[0] != '\0') {
            text_add(&actual, ": ");
            text_add(&actual, input->end_text);
        }
        error_say(input, "own", "the client can be started", text, out);
    } else if (input->bad_observation[0] != '\0' && input->end != CLIENT_CRASHED) {
        text_add(&actual, "the adapter's observation ");
        text_add(&actual, input->bad_observation);
        error_say(input, "observation", "each observation of the client is well formed", text, out);
    } else {
        return false;
    }
    return true;
}

/* One verdict for everything the case is about. */
static void judge_throughout(const struct judge_input *input, const char *name, enum verdict verdict,
                             const char *actual, struct case_result *out)
{
    judge_throughout_of(input, NULL, name, verdict, actual, out);
}

/* What the client made of a mock that was too late itself says nothing of it. */
static bool judge_lateness_of_mock(const struct judge_input *input, struct case_result *out)
{
    const struct journal_entry *breach = own_breach(input->journal);
    char text[JUDGE_TEXT_MAX];
    struct text actual = text_of(text, sizeof text);
    if (!judge_mock_was_late(input, breach))
        return false;
    text_add(&actual, "the mock was too late: ");
    text_add_printable(&actual, breach->wire.data, 240);
    judge_throughout(input, "own", VERDICT_INCONCLUSIVE, text, out);
    for (size_t i = 0; i < out->check_count; i++)
        judge_say_lateness(input, &out->checks[i]);
    out->verdict = out->end_verdict = VERDICT_INCONCLUSIVE;
    return true;
}

/* The same of a client that did not take the case up. Where it may refuse the sound that it was to say, that
 * concerns the first clause alone: of the others, which ask how it says what it does say, it tells nothing.
 */
static void judge_not_taken_up(const struct judge_input *input, const char *name, enum verdict verdict,
                               const char *actual, struct case_result *out)
{
    judge_throughout_of(input, input->speech_is_foreign ? judge_first_clause(input->script) : NULL, name,
                        verdict, actual, out);
}

/* ---- the checks ---- */

/* The lower of what the check and the clause ask for. */
static enum weight weight_asked(const struct case_script *script, const struct script_check *check,
                                const struct requirement *requirement)
{
    const enum weight asked = weight_of_word(check->level);
    const enum weight clause = judge_weight_of(script, requirement);
    return judge_clause_is_named(script, requirement) && clause < asked ? clause : asked;
}

/* A check that the client reports no error: it may have reported the mock's own, which no step asked for. */
static bool tells_of_errors(const struct script_check *check)
{
    bool all = check->expect == CHECK_NONE && check->pattern.side == EVENT_SEEN;
    for (size_t i = 0; all && i < check->pattern.type_count; i++)
        all = strcmp(check->pattern.types[i], observation_kind_name(OBSERVED_ERROR)) == 0;
    return all;
}

/* Then the mock's answer to a breach is one as well. */
static bool plan_leaves_at_errors(const struct case_script *script)
{
    for (size_t i = 0; i < script->plan_count; i++)
        if (strcmp(script->plan[i].after.name, "error") == 0 ||
            strcmp(script->plan[i].after.name, "closed") == 0)
            return true;
    return false;
}

/* What did not come after the mock had answered a breach follows from that, and what a client that crashed
 * could still have done from the crash; of a client that did nothing at all that is all there is to say. */
static bool follows_from_elsewhere(const struct judge_input *input, const struct script_check *check,
                                   const struct check_outcome *outcome)
{
    if (tells_of_errors(check))
        return judge_mock_objected(input);
    if (check->expect == CHECK_NONE && judge_is_leaving(input, outcome->journal_sequence) &&
        plan_leaves_at_errors(input->script) && judge_cause(input, outcome->journal_sequence) != NULL)
        return true;
    if (check->expect == CHECK_NONE && input->end == CLIENT_CRASHED &&
        judge_is_broken_off(input, outcome->journal_sequence))
        return true; /* who crashed did not leave */
    if (!outcome->missing)
        return false;
    return judge_is_idle(input) || (input->end == CLIENT_CRASHED && !outcome->conditional) ||
           judge_cause(input, outcome->due) != NULL;
}

/* What asks for nothing cannot fail a run. */
static enum verdict verdict_when_unmet(enum verdict unreached, enum weight asked,
                                       const struct requirement *requirement)
{
    return asked == WEIGHT_INFO || weight_of_requirement(requirement) == WEIGHT_INFO ? VERDICT_INFO
                                                                                     : unreached;
}

/* Does it ask something of all that there was, so that more of it could have broken it? */
static bool is_of_all(const struct judge_input *input, const struct script_check *check)
{
    switch (check->expect) {
    case CHECK_SOME:
        return false;
    case CHECK_COUNT:
    case CHECK_BYTES:
    case CHECK_SAMPLES:
        return check->max != UINT64_MAX;
    case CHECK_DELIVERED:
    case CHECK_SHOWN:
    case CHECK_HEARD:
        return judge_broke_off(input);
    case CHECK_NONE:
    case CHECK_SOUNDED:
    case CHECK_TOGETHER:
    case CHECK_SEAMLESS:
    case CHECK_ONLY:
    case CHECK_TIMED:
    case CHECK_GROWING:
    case CHECK_SLOWER:
        return true;
    }
    return false;
}

/* It holds of what there was until the client crashed, and nobody knows of what it did not come to. */
static bool is_cut_short(const struct judge_input *input, const struct script_check *check,
                         const struct check_outcome *outcome)
{
    return input->end == CLIENT_CRASHED && outcome->status == CHECK_HOLDS &&
           (outcome->by_absence || (outcome->to_end && is_of_all(input, check)));
}

/* It is asked to stay until the script has come to something, and its plan was over first. */
static bool plan_was_over_first(const struct judge_input *input, const struct script_check *check,
                                const struct check_outcome *outcome)
{
    return check->expect == CHECK_NONE && outcome->status == CHECK_BROKEN && outcome->missing &&
           judge_left_as_planned(input, outcome->journal_sequence);
}

static enum verdict verdict_of_check(const struct judge_input *input, const struct script_check *check,
                                     const struct check_outcome *outcome, enum weight asked,
                                     const struct requirement *requirement)
{
    switch (outcome->status) {
    case CHECK_HOLDS:
        return is_cut_short(input, check, outcome)
                   ? verdict_when_unmet(VERDICT_NOT_REACHED, asked, requirement)
                   : VERDICT_PASS;
    case CHECK_DROPPED: /* who cannot get to it, or did not as the mock had answered a breach */
        return judge_cause(input, outcome->due) != NULL
                   ? verdict_when_unmet(judge_verdict_of_follower(input, outcome->due), asked, requirement)
                   : VERDICT_UNSUPPORTED;
    case CHECK_UNMET:
        return verdict_when_unmet(judge_verdict_unreached(input, outcome->due), asked, requirement);
    case CHECK_WRONG:
        return VERDICT_ERROR;
    case CHECK_BROKEN:
        break;
    }
    if (follows_from_elsewhere(input, check, outcome))
        return judge_verdict_of_follower(input, outcome->due);
    if (!outcome->timeless && judge_timing_is_open(input, requirement, outcome->excuse_us, outcome->had_us))
        return VERDICT_INCONCLUSIVE;
    if (outcome->missing && outcome->to_end && judge_timeout_is_open(input))
        return VERDICT_INCONCLUSIVE;
    /* Sound may be dropped by what the mock sent too soon behind it. */
    if (check_is_sound(input->script->class, check) && outcome->missing && !outcome->timeless &&
        outcome->excuse_us > 0 && judge_is_excused(input, outcome->excuse_us, 0))
        return VERDICT_INCONCLUSIVE;
    if (check->expect != CHECK_NONE && judge_is_cut_off(input, outcome))
        return VERDICT_INCONCLUSIVE;
    if (plan_was_over_first(input, check, outcome))
        return VERDICT_INCONCLUSIVE;
    return judge_verdict_of_breach(input, asked, requirement);
}

static void judge_unsaid(const struct check_outcome *outcome, const char *name,
                         const struct requirement *requirement, unsigned unsaid, struct case_result *out)
{
    struct check_result *result = results_add(out, name, requirement, VERDICT_UNSUPPORTED);
    if (result == NULL)
        return;
    struct text actual = text_of(result->actual, sizeof result->actual);
    results_copy(result->expected, sizeof result->expected, outcome->expected);
    text_add(&actual, "this client does not report ");
    unsaid_describe(&actual, unsaid);
    result->unsaid = unsaid;
}

static void say_plan_was_over(struct check_result *result)
{
    struct text actual = {
        .data = result->actual, .capacity = sizeof result->actual, .len = strlen(result->actual)};
    text_add(&actual, "; but its plan was over then, before the script had come so far");
}

/* What the mock sends or does. */
static bool is_of_mock(const struct event_pattern *pattern)
{
    switch (pattern->side) {
    case EVENT_SENT:
    case EVENT_MARK:
    case EVENT_STEP:
        return true;
    case EVENT_RECEIVED:
    case EVENT_SEEN:
        break;
    }
    return false;
}

/* What the client plays. */
static bool is_of_playing(const struct event_pattern *pattern)
{
    bool played = pattern->side == EVENT_SEEN && pattern->type_count > 0;
    for (size_t i = 0; played && i < pattern->type_count; i++)
        played = strcmp(pattern->types[i], observation_kind_name(OBSERVED_PLAYED)) == 0;
    return played;
}

static void judge_check(const struct judge_input *input, const struct script_check *check,
                        struct case_result *out)
{
    const struct requirement *requirement = judge_check_clause(input->script, check);
    if (requirement == NULL)
        return;
    struct check_outcome outcome;
    check_evaluate(input, check, &outcome);
    const unsigned unsaid = check_unsaid(input, check, &outcome);
    if (unsaid != 0) {
        judge_unsaid(&outcome, check->name, requirement, unsaid, out);
        return;
    }
    const struct free_act *left_out = outcome.unmet != NULL ? judge_left_out(input, outcome.unmet) : NULL;
    if (left_out != NULL)
        outcome.status = CHECK_DROPPED;
    enum weight asked = weight_asked(input->script, check, requirement);
    struct check_result *result = results_add(out, check->name, requirement,
                                              verdict_of_check(input, check, &outcome, asked, requirement));
    if (result == NULL)
        return;
    results_copy(result->expected, sizeof result->expected, outcome.expected);
    if (is_cut_short(input, check, &outcome)) {
        struct text actual = text_of(result->actual, sizeof result->actual);
        text_add(&actual, outcome.actual);
        text_add(&actual, " until the client ended, which was too early to tell");
    } else {
        results_copy(result->actual, sizeof result->actual, outcome.actual);
    }
    if (left_out != NULL)
        judge_say_left_out(left_out, result);
    if (input->end == CLIENT_CRASHED && outcome.missing && verdict_is_broken(result->verdict))
        judge_say_crash(input, result);
    if (result->verdict == VERDICT_INCONCLUSIVE && plan_was_over_first(input, check, &outcome))
        say_plan_was_over(result);
    else
        judge_say_lateness(input, result);
    judge_say_cause(input, outcome.due, result);
    if (outcome.status != CHECK_BROKEN && result->verdict == VERDICT_INFO)
        result->scope = SCOPE_CASE; /* it asks for nothing, so nothing of the requirement is missing */
    result->awaits_mock = outcome.unmet != NULL && is_of_mock(outcome.unmet);
    result->lacking = (outcome.unmet != NULL && !is_of_mock(outcome.unmet)) ||
                      (outcome.status == CHECK_BROKEN && outcome.missing && outcome.due == UINT64_MAX);
    result->behind = ((outcome.status == CHECK_BROKEN && outcome.missing && !outcome.overtaken) ||
                      (outcome.unmet != NULL && is_of_playing(outcome.unmet))) &&
                     (input->end == CLIENT_TIMED_OUT || !judge_client_left_first(input->journal));
    result->by_hang = verdict_is_broken(result->verdict) && judge_is_by_hang(input, check, &outcome);
    result->unheard = outcome.unheard;
    result->journal_sequence = outcome.journal_sequence;
    result->observation_number = outcome.observation_number;
}

/*
 * Clauses that neither a rule nor a check judges. The first is kept by a client that comes through the whole
 * script: how it ends counts under that clause. Of the others nothing was seen.
 */
static void judge_bare_clauses(const struct judge_input *input, struct case_result *out)
{
    const struct case_script *script = input->script;
    for (size_t i = 0; i < script->clause_count; i++) {
        const struct requirement *requirement = script->clauses[i].requirement;
        if (!judge_is_bare(input, requirement))
            continue;
        bool survived = i == 0 && !judge_broke_off(input);
        if (i == 0 && input->end != CLIENT_ENDED)
            continue;
        results_say(out, "survives", requirement,
                    survived ? VERDICT_PASS : judge_verdict_unreached(input, UINT64_MAX), script->expect,
                    survived ? "the client survived the case" : "the case did not run to its end");
    }
}

/* It crashed, and what it had reported cannot be read. */
static void judge_unreadable(const struct judge_input *input, struct case_result *out)
{
    const struct case_script *script = input->script;
    char text[JUDGE_TEXT_MAX];
    struct text actual = text_of(text, sizeof text);
    text_add(&actual, "the client crashed, and the adapter's observation ");
    text_add(&actual, input->bad_observation);
    for (size_t i = 0; i < script->check_count; i++)
        results_say(out, script->checks[i].name, judge_check_clause(script, &script->checks[i]),
                    VERDICT_NOT_REACHED, script->expect, text);
    judge_bare_clauses(input, out);
}

static void judge_memory(const struct judge_input *input, struct case_result *out)
{
    const struct requirement *requirement = judge_first_clause(input->script);
    char expected[JUDGE_TEXT_MAX], actual[JUDGE_TEXT_MAX];
    struct text limit = text_of(expected, sizeof expected);
    struct text peak = text_of(actual, sizeof actual);
    if (input->script->memory_max == 0 || requirement == NULL)
        return;
    text_add(&limit, "at most ");
    text_add_u64(&limit, input->script->memory_max / (1024 * 1024));
    text_add(&limit, " MB of memory");
    text_add_u64(&peak, input->peak_bytes / (1024 * 1024));
    text_add(&peak, " MB");
    if (input->peak_bytes == 0)
        results_say(out, "memory", requirement, VERDICT_UNSUPPORTED, expected,
                    "the memory of one case cannot be measured in this process");
    else if (input->peak_bytes <= input->script->memory_max)
        results_say(out, "memory", requirement, VERDICT_PASS, expected, actual);
    else
        results_say(out, "memory", requirement,
                    judge_verdict_of_breach(input, weight_of_requirement(requirement), requirement), expected,
                    actual);
}

/* What is so of the case, and says nothing of the requirement. */
static void case_say(struct case_result *out, const char *name, const struct requirement *requirement,
                     enum verdict verdict, const char *expected, const char *actual)
{
    struct check_result *result = results_add(out, name, requirement, verdict);
    if (result == NULL)
        return;
    results_copy(result->expected, sizeof result->expected, expected);
    results_copy(result->actual, sizeof result->actual, actual);
    result->scope = SCOPE_CASE;
}

/* Nothing was there that could have been wrong, and nothing of what it saw is known of one that is silent. */
static void judge_idle(const struct judge_input *input, struct case_result *out)
{
    const bool silent = judge_is_silent(input);
    const enum verdict unreached = judge_verdict_unreached(input, UINT64_MAX);
    if (!silent && !judge_is_idle(input))
        return;
    for (size_t i = 0; i < out->check_count; i++) {
        struct check_result *check = &out->checks[i];
        if (strcmp(check->name, "wire") != 0 &&
            (check->verdict == VERDICT_PASS || (silent && verdict_is_broken(check->verdict)))) {
            check->verdict = unreached;
            check->lacking = true;
            results_copy(check->actual, sizeof check->actual, "the client did nothing that could show it");
        }
    }
    case_say(out, "does-nothing", judge_first_clause(input->script), unreached, input->script->expect,
             silent ? "the client connected, sent nothing, said nothing and ended"
                    : "the client connected, sent nothing and ended");
    for (size_t i = 0; i < out->check_count; i++)
        out->checks[i].lacking = out->checks[i].lacking || strcmp(out->checks[i].name, "does-nothing") == 0;
}

static void judge_exit(const struct judge_input *input, struct case_result *out)
{
    char text[JUDGE_TEXT_MAX];
    struct text actual = text_of(text, sizeof text);
    if (input->exception[0] != '\0') {
        case_say(out, "exit", judge_first_clause(input->script), VERDICT_INFO,
                 "no exception is left uncaught", input->exception);
        return;
    }
    if (!judge_fails_for_nothing(input))
        return;
    text_add(&actual, "it ended with exit ");
    text_add_u64(&actual, (uint64_t)input->exit_code);
    text_add(&actual, ", an error, after a session in which there was none");
    case_say(out, "exit", judge_first_clause(input->script), VERDICT_INFO, "exit 0", text);
}

/* A client need not take a sound that it would have to convert. False: this one did not refuse it. */
static bool judge_refusal(const struct judge_input *input, struct case_result *out)
{
    bool told;
    if (!judge_is_refusal(input, &told))
        return false;
    judge_failed_rules(input, out);
    if (told)
        judge_not_taken_up(input, "connect", VERDICT_PASS, "it reported an error and sent no sound", out);
    else
        judge_not_taken_up(input, "connect", VERDICT_UNSUPPORTED,
                           "it ended with an error and sent no sound, which may be how it refuses it", out);
    return true;
}

static void judge_checks(const struct judge_input *input, struct case_result *out)
{
    judge_memory(input, out);
    if (input->script->tier > input->tier) {
        judge_throughout(input, "tier", VERDICT_UNSUPPORTED, "the case is above the client's tier", out);
        return;
    }
    for (size_t i = 0; i < input->script->check_count; i++)
        judge_check(input, &input->script->checks[i], out);
    judge_bare_clauses(input, out);
    judge_idle(input, out);
    judge_exit(input, out);
}

/* The check of the script that a result is of; NULL: it is of another kind. */
static const struct script_check *check_of(const struct case_script *script,
                                           const struct check_result *result)
{
    for (size_t i = 0; i < script->check_count; i++)
        if (strcmp(script->checks[i].name, result->name) == 0 &&
            judge_check_clause(script, &script->checks[i]) == result->requirement)
            return &script->checks[i];
    return NULL;
}

/* What was not reached fails a run where a breach would have, unless what it follows from is told: that
 * decides. */
static void bindings_set(const struct judge_input *input, struct case_result *out)
{
    for (size_t i = 0; i < out->check_count; i++) {
        struct check_result *result = &out->checks[i];
        const struct script_check *check = check_of(input->script, result);
        const enum weight asked = check != NULL ? weight_asked(input->script, check, result->requirement)
                                                : judge_weight_of(input->script, result->requirement);
        result->binding = judge_verdict_of_breach(input, asked, result->requirement) == VERDICT_FAIL;
        result->excused = judge_cause_is_told(input, result->cause);
    }
    out->end_binding = judge_verdict_of_end(input) == VERDICT_NOT_REACHED &&
                       judge_verdict_of_hang(input) == VERDICT_FAIL &&
                       !judge_cause_is_told(input, judge_cause(input, UINT64_MAX));
}

static void judge_absence(const struct judge_input *input, struct case_result *out)
{
    char text[JUDGE_TEXT_MAX];
    struct text actual = text_of(text, sizeof text);
    text_add(&actual, "NOCONNECT: ");
    if (!judge_say_refused(input, &actual))
        text_add(&actual, "the client never connected");
    judge_not_taken_up(input, "connect", VERDICT_NOT_REACHED, text, out);
}

void judge_case(const struct judge_input *input, struct case_result *out)
{
    *out = (struct case_result){.end = input->end};
    judge_say_end(input, out->end_text);
    judge_say_acted(input, out);
    judge_say_mute(input, out);
    judge_say_hung(input, out);
    results_copy(out->raised, sizeof out->raised, input->raised);
    if (judge_own_errors(input, out) || judge_lateness_of_mock(input, out))
        return;
    struct text note = text_of(out->note, sizeof out->note);
    judge_say_stood(input, out);
    judge_note(input, out->stood, &note);
    switch (input->end) {
    case CLIENT_DECLINED:
        judge_failed_rules(input, out);
        judge_not_taken_up(input, "declined", VERDICT_UNSUPPORTED, "the client says it cannot do this case",
                           out);
        break;
    case CLIENT_NEVER_CAME:
        if (!judge_refusal(input, out))
            judge_absence(input, out);
        break;
    case CLIENT_ENDED:
    case CLIENT_CRASHED:
    case CLIENT_TIMED_OUT:
    case CLIENT_BROKEN:
    case CLIENT_NOT_STARTED:
        judge_end(input, out);
        if (input->bad_observation[0] == '\0' && judge_refusal(input, out))
            break;
        judge_rules(input, out);
        if (input->bad_observation[0] == '\0')
            judge_checks(input, out);
        else
            judge_unreadable(input, out);
        break;
    }
    bindings_set(input, out);
    case_take_worst(out, judge_verdict_of_end(input));
}
