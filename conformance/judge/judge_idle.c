/* A client of which a case says nothing: it did nothing, or refused what it was to say. */
#include <string.h>

#include "codec/wire/json.h"
#include "conformance/judge/judge_parts.h"
#include "conformance/judge/pattern.h"

/* More than to connect, wait and close. */
static bool plan_asks_for_something(const struct case_script *script)
{
    for (size_t i = 0; i < script->plan_count; i++) {
        switch (script->plan[i].kind) {
        case PLAN_SPEAK:
        case PLAN_CANCEL:
        case PLAN_END:
        case PLAN_FORCE_LISTEN:
            return true;
        case PLAN_CONNECT:
        case PLAN_WAIT:
        case PLAN_CLOSE:
        case PLAN_RECONNECT:
            break;
        }
    }
    return false;
}

/* In these steps the mock gives no reason to leave. */
static bool step_is_plain(const char *word)
{
    return strcmp(word, "accept") == 0 || strcmp(word, "serve") == 0 || strcmp(word, "wait") == 0;
}

static bool is_from(const struct journal_entry *entry, enum wire_direction direction)
{
    return entry->kind == JOURNAL_WIRE && entry->wire.direction == direction;
}

static bool is_message(const struct journal_entry *entry)
{
    return entry->wire.kind == WIRE_EVENT_TEXT || entry->wire.kind == WIRE_EVENT_BINARY;
}

static bool is_end(const struct journal_entry *entry)
{
    return entry->wire.kind == WIRE_EVENT_CLOSE || entry->wire.kind == WIRE_EVENT_END;
}

static bool client_did(const struct journal *journal, bool (*what)(const struct journal_entry *entry))
{
    for (size_t i = 0; i < journal_count(journal); i++)
        if (is_from(journal_at(journal, i), WIRE_FROM_CLIENT) && what(journal_at(journal, i)))
            return true;
    return false;
}

/* ---- a session that never began ---- */

/* Silence may have opened the stream. */
static bool sound_was_sent(const struct judge_input *input)
{
    for (size_t i = 0; i < journal_count(input->journal); i++)
        if (pattern_entry_is_heard(input->script->class->messages, journal_at(input->journal, i)))
            return true;
    return false;
}

/* Not an error, and not that it has to wait. */
static bool begins_something(const struct session_messages *messages, const struct journal_entry *entry)
{
    char code[JUDGE_TEXT_MAX];
    struct text text = text_of(code, sizeof code);
    return is_from(entry, WIRE_FROM_SERVER) && entry->wire.kind == WIRE_EVENT_TEXT &&
           json_check(entry->wire.data).status == WIRE_OK &&
           (messages->error_code == NULL || !messages->error_code(entry->wire.data, &text)) &&
           (messages->tells_to_wait == NULL || !messages->tells_to_wait(entry->wire.data));
}

void judge_say_mute(const struct judge_input *input, struct case_result *out)
{
    bool begun = false, let_in = false, taken = false;
    for (size_t i = 0; i < journal_count(input->journal); i++) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        let_in = let_in || (is_from(entry, WIRE_FROM_SERVER) && strcmp(entry->label, "accept") == 0);
        begun = begun || begins_something(input->script->class->messages, entry);
    }
    for (size_t i = 0; i < input->observation_count; i++)
        taken = taken || input->observations[i].kind == OBSERVED_READY;
    out->mute = let_in && !client_did(input->journal, is_message);
    out->unbegun = begun && !taken && !sound_was_sent(input);
}

bool judge_never_began(const struct case_result *result, const struct check_result *check,
                       const struct stop_row *row)
{
    const bool unreached = check->verdict == VERDICT_NOT_REACHED;
    const bool rule = strcmp(check->name, "wire") == 0;
    return ((row->mute && result->mute) || (row->unbegun && result->unbegun)) &&
           (unreached || verdict_is_broken(check->verdict)) && strcmp(check->name, "crash") != 0 &&
           strcmp(check->requirement->id, row->from) != 0 &&
           (!rule || unreached || stop_row_holds(row, check->requirement->id));
}

/* ---- a plan that is done by waiting ---- */

/* A client may begin the wait a little before its request is there, and its clock is not ours. */
static uint64_t shortened(uint64_t wait_us)
{
    return wait_us - wait_us / 5;
}

/* It speaks, waits by the clock and closes; nothing in it needs a session that stands. How long it waits. */
static bool plan_only_waits(const struct case_script *script, uint64_t *wait_us)
{
    *wait_us = 0;
    for (size_t i = 0; i < script->plan_count; i++) {
        const struct plan_step *step = &script->plan[i];
        if (step->after.name[0] != '\0')
            return false;
        switch (step->kind) {
        case PLAN_CONNECT:
        case PLAN_SPEAK:
        case PLAN_RECONNECT:
            break;
        case PLAN_WAIT:
            *wait_us += step->wait_us;
            break;
        case PLAN_CLOSE:
            return *wait_us > 0;
        case PLAN_CANCEL:
        case PLAN_END:
        case PLAN_FORCE_LISTEN:
            return false;
        }
    }
    return false;
}

static bool is_nothing_to_tell(const struct judge_input *input, const struct journal_entry *entry)
{
    const struct session_messages *messages = input->script->class->messages;
    if (strcmp(entry->label, "accept") == 0 || entry->wire.kind == WIRE_EVENT_PING ||
        entry->wire.kind == WIRE_EVENT_PONG)
        return true;
    return entry->wire.kind == WIRE_EVENT_TEXT && messages->tells_to_wait != NULL &&
           messages->tells_to_wait(entry->wire.data);
}

/* To the letter: it was asked to wait and close, did so at its time, and until then the mock let it wait.
 * There was nothing to send, and nothing to tell of. */
static bool plan_was_waited_out(const struct judge_input *input)
{
    uint64_t wait_us = 0, since_us = UINT64_MAX;
    if (!plan_only_waits(input->script, &wait_us))
        return false;
    for (size_t i = 0; i < journal_count(input->journal); i++) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        if (is_from(entry, WIRE_FROM_CLIENT) && entry->wire.kind == WIRE_EVENT_REQUEST)
            since_us = entry->at_us;
        else if (is_from(entry, WIRE_FROM_CLIENT) && is_end(entry))
            return since_us != UINT64_MAX && entry->at_us - since_us >= shortened(wait_us);
        else if (is_from(entry, WIRE_FROM_SERVER) && !is_nothing_to_tell(input, entry))
            return false;
    }
    return false;
}

bool judge_is_silent(const struct judge_input *input)
{
    return input->end == CLIENT_ENDED && input->exit_code == 0 && input->tier == TIER_OBSERVE &&
           input->observation_count == 0 && !client_did(input->journal, is_message) &&
           client_did(input->journal, is_end) && !plan_was_waited_out(input);
}

/* What the wire shows of a session up to when the client left it. */
struct course {
    bool taken; /* it was let in */
    bool spoke; /* it sent a message */
    bool final; /* its speech was answered up to the end */
    bool left;
    bool reason; /* the mock did something out of the ordinary, or ended it */
};

static struct course course_of(const struct judge_input *input)
{
    struct course course = {.reason = judge_mock_objected(input)};
    for (size_t i = 0; i < journal_count(input->journal); i++) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        course.spoke = course.spoke || (is_from(entry, WIRE_FROM_CLIENT) && is_message(entry));
        course.left = course.left || (is_from(entry, WIRE_FROM_CLIENT) && is_end(entry));
        course.taken =
            course.taken || (is_from(entry, WIRE_FROM_SERVER) && strcmp(entry->label, "accept") == 0);
        course.final = course.final || (entry->has_frame && entry->frame.is_final != 0);
        if (!course.left && ((is_from(entry, WIRE_FROM_SERVER) && is_end(entry)) ||
                             (entry->kind == JOURNAL_STEP && !step_is_plain(entry->label))))
            course.reason = true;
    }
    return course;
}

bool judge_is_idle(const struct judge_input *input)
{
    if (input->end != CLIENT_ENDED || input->exit_code != 0 || judge_saw_error(input) ||
        !plan_asks_for_something(input->script))
        return false;
    const struct course course = course_of(input);
    return course.taken && course.left && !course.spoke && !course.reason && !plan_was_waited_out(input);
}

bool judge_fails_for_nothing(const struct judge_input *input)
{
    if (input->end != CLIENT_ENDED || input->exit_code == 0 || judge_saw_error(input) ||
        judge_broke_a_rule(input))
        return false;
    const struct course course = course_of(input);
    return course.taken && course.left && course.final && !course.reason;
}

bool judge_is_refusal(const struct judge_input *input, bool *told)
{
    *told = judge_saw_error(input);
    return input->speech_is_foreign && (*told || input->exit_code != 0) && !judge_mock_objected(input) &&
           (input->end == CLIENT_NEVER_CAME || (input->end == CLIENT_ENDED && !sound_was_sent(input)));
}
