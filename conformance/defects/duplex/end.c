/* Defects of errors and of the end: DX-CLS, DX-ERR, DX-FLD-03. */
#include <stdlib.h>

#include "codec/duplex/constants.h"
#include "codec/ws/frame.h"
#include "conformance/defects/duplex/tables.h"

/* ---- the end ---- */

static bool is_close(const struct buffer *message)
{
    return defect_holds(buffer_bytes(message), "\"session.close\"");
}

static bool leave_at_close(struct defect_state *state, struct buffer *message)
{
    if (is_close(message))
        defect_leave(state, true);
    return true;
}

static bool leave_without_close(struct defect_state *state, struct buffer *message)
{
    return leave_at_close(state, message) && !is_close(message);
}

static void wait_for_closed(struct defect_state *state)
{
    if (state->life->stage == DUPLEX_CLIENT_STOPPING)
        state->life->deadline_us = UINT64_MAX;
}

static void wait_for_turn(struct defect_state *state)
{
    struct duplex_client *client = defect_duplex_client(state);
    if (client->end_asked && client->player.in_turn)
        client->quiet_at_us = state->now_us;
}

/* ---- after the end ---- */

static enum defect_taking note_closed(struct defect_state *state, struct bytes message)
{
    state->seen = defect_holds(message, "\"session.closed\"");
    return DEFECT_TAKE;
}

static void append_next(struct defect_state *state)
{
    struct duplex_client *client = defect_duplex_client(state);
    const size_t bytes = client->append_samples * DUPLEX_SAMPLE_BYTES;
    struct duplex_message append = {.type = DUPLEX_MESSAGE_APPEND,
                                    .has_audio = true,
                                    .audio = bytes_of(client->waiting, bytes),
                                    .has_force_listen = true};
    (void)microphone_take(&client->microphone, client->append_samples, client->waiting);
    append.has_pictures = client->profile->pictures && client->config.picture_count > 0;
    append.picture_count = append.has_pictures ? 1 : 0;
    if (append.has_pictures)
        append.pictures[0].jpeg = client->config.pictures[0];
    duplex_client_send(client, &append, state->actions);
}

/* A second every second until it closes, which it does late. */
static void append_on(struct defect_state *state)
{
    if (state->seen) {
        state->life->close_at_us = state->now_us + DUPLEX_CLIENT_CLOSED_WAIT_US;
        state->life->deadline_us = state->life->close_at_us + CLIENT_CLOSE_WAIT_US;
        state->due_us = state->now_us;
        state->seen = false;
    }
    if (state->now_us < state->due_us)
        return;
    const bool closed = state->life->lost || state->life->close_at_us == UINT64_MAX;
    state->due_us = closed ? UINT64_MAX : state->due_us + DUPLEX_APPEND_US;
    if (!closed)
        append_next(state);
}

static void append_once(struct defect_state *state)
{
    if (state->seen)
        append_next(state);
    state->seen = false;
}

static void answer_closed(struct defect_state *state)
{
    struct duplex_message answer = {.type = DUPLEX_MESSAGE_CLOSE};
    if (state->seen)
        duplex_client_send(defect_duplex_client(state), &answer, state->actions);
    state->seen = false;
}

static enum defect_taking note_error(struct defect_state *state, struct bytes text)
{
    const struct duplex_read_options options = {.profile = defect_duplex_client(state)->profile};
    struct duplex_message message;
    duplex_message_read(text, &options, &message);
    state->seen = message.type == DUPLEX_MESSAGE_ERROR;
    duplex_message_free(&message);
    return DEFECT_TAKE;
}

static void leave_at_error(struct defect_state *state)
{
    if (state->seen)
        defect_leave(state, true);
    state->seen = false;
}

static bool say_other_reason(struct defect_state *state, void *given)
{
    struct duplex_message *message = given;
    if (message->type == DUPLEX_MESSAGE_CLOSE)
        message->reason = bytes_of_text("bye");
    return true;
}

static bool hide_context_full(struct defect_state *state, struct observation *observation)
{
    return strcmp(observation->text, "context_full") != 0;
}

static bool hides_close(const struct observation *observation, uint16_t code)
{
    return observation->kind == OBSERVED_CLOSED && observation->close_code == code;
}

static bool hide_loss(struct defect_state *state, struct observation *observation)
{
    return !hides_close(observation, WS_CLOSE_NO_FRAME);
}

static bool hide_bad_data(struct defect_state *state, struct observation *observation)
{
    return !hides_close(observation, DUPLEX_CLOSE_INVALID_JSON);
}

/* ---- errors ---- */

static bool is_error_event(const struct observation *observation)
{
    enum duplex_error_code code = DUPLEX_ERROR_COUNT;
    return observation->kind == OBSERVED_ERROR &&
           duplex_error_by_name(bytes_of_text(observation->code), &code);
}

static bool hide_message(struct defect_state *state, struct observation *observation)
{
    if (is_error_event(observation))
        observation->text[0] = '\0';
    return true;
}

/* Its text is "message (type)". */
static bool hide_type(struct defect_state *state, struct observation *observation)
{
    char *type = is_error_event(observation) ? strrchr(observation->text, '(') : NULL;
    if (type != NULL)
        *type = '\0';
    return true;
}

static bool hide_inference_error(struct defect_state *state, struct observation *observation)
{
    return strcmp(observation->code, "inference_error") != 0;
}

static bool hide_queue_full(struct defect_state *state, struct observation *observation)
{
    return strcmp(observation->code, "queue_full") != 0;
}

/* ---- damaged deltas ---- */

static bool is_damaged(struct bytes text)
{
    const struct duplex_read_options options = {.profile = &DUPLEX_PROFILES[0]};
    struct duplex_message message;
    duplex_message_read(text, &options, &message);
    const struct json_fault *fault = json_fault_of(&message.faults, "audio");
    const bool damaged = message.type == DUPLEX_MESSAGE_DELTA && fault != NULL &&
                         fault->kind != JSON_FAULT_WRONG_TYPE && fault->kind != JSON_FAULT_MISSING;
    duplex_message_free(&message);
    return damaged;
}

static bool leave_at_damage(struct defect_state *state, struct bytes message)
{
    return is_damaged(message);
}

static bool be_deaf_after_damage(struct defect_state *state, struct bytes message)
{
    if (state->seen)
        return true;
    state->seen = is_damaged(message);
    return false;
}

static bool is_base64(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

/* As Buffer.from(text, "base64") does: what is no base64 is left out, and the rest decoded as far as it goes.
 */
static enum defect_taking decode_what_is_left(struct defect_state *state, struct bytes message)
{
    static const char AUDIO[] = "\"audio\":\"";
    enum { GROUP = 16, SEARCHED = 4096 }; /* characters: three whole samples */
    const char *text = (const char *)message.data;
    struct buffer *out = &state->instead;
    size_t from = 0, kept = 0;
    while (from + sizeof AUDIO <= message.len && from < SEARCHED &&
           memcmp(text + from, AUDIO, sizeof AUDIO - 1) != 0)
        from++;
    from += sizeof AUDIO - 1;
    if (!is_damaged(message) || from >= message.len || !buffer_append(out, bytes_of(message.data, from)))
        return DEFECT_TAKE;
    size_t end = from;
    for (; end < message.len && text[end] != '"'; end++)
        if (is_base64(text[end]) && buffer_append(out, bytes_of(text + end, 1)))
            kept++;
    out->len -= kept % GROUP;
    (void)buffer_append(out, bytes_of(text + end, message.len - end));
    return DEFECT_TAKE;
}

static bool leave_at_null(struct defect_state *state, struct bytes message)
{
    return defect_holds(message, "\"audio\":null");
}

static enum defect_taking crash_after_closed(struct defect_state *state, struct bytes message)
{
    if (state->seen && defect_holds(message, "\"response.output_audio.delta\""))
        abort();
    state->seen = state->seen || defect_holds(message, "\"session.closed\"");
    return DEFECT_TAKE;
}

/* ---- coming back ---- */

static void come_back_evenly(struct defect_state *state, struct client_event *event)
{
    defect_come_back_unasked(state, event);
    defect_forget_attempts(state, event);
}

static const struct defect ROWS[] = {
    {.name = "no-close-message",
     .requirement = "DX-CLS-01",
     .wrong = "closes the connection without session.close",
     .say = leave_without_close},
    {.name = "no-closed-wait",
     .requirement = "DX-CLS-01",
     .wrong = "does not wait for session.closed",
     .say = leave_at_close},
    {.name = "other-close-reason",
     .requirement = "DX-CLS-01",
     .wrong = "sends session.close with a reason of its own",
     .say = defect_say_changed,
     .change = say_other_reason},
    {.name = "waits-for-closed-for-ever",
     .requirement = "DX-CLS-01",
     .wrong = "waits for session.closed without an end",
     .ends_badly = true,
     .after = wait_for_closed},
    {.name = "waits-for-turn-for-ever",
     .requirement = "DX-CLS-01",
     .wrong = "waits without an end for the end of a turn",
     .cases = "duplex/close/*never-ends",
     .after = wait_for_turn},
    {.name = "appends-after-closed",
     .requirement = "DX-CLS-02",
     .wrong = "appends on after session.closed",
     .hear = note_closed,
     .after = append_on},
    {.name = "flushes-at-closed",
     .requirement = "DX-CLS-02",
     .wrong = "sends what it has when session.closed comes",
     .hear = note_closed,
     .after = append_once},
    {.name = "answers-closed",
     .requirement = "DX-CLS-02",
     .wrong = "answers session.closed with session.close",
     .cases = "duplex/close/*",
     .hear = note_closed,
     .after = answer_closed},
    {.name = "hides-context-full",
     .requirement = "DX-CLS-02",
     .wrong = "says nothing of a session that closed over context_full",
     .tell = hide_context_full},
    {.name = "hides-lost-session",
     .requirement = "DX-CLS-03",
     .wrong = "says nothing of a lost connection",
     .tell = hide_loss},
    {.name = "error-is-end",
     .requirement = "DX-ERR-01",
     .wrong = "leaves at any error",
     .implies = {"DX-CLS-02"},
     .hear = note_error,
     .after = leave_at_error},
    {.name = "error-without-message",
     .requirement = "DX-ERR-01",
     .wrong = "reports errors without their message",
     .tell = hide_message},
    {.name = "error-without-type",
     .requirement = "DX-ERR-01",
     .wrong = "reports errors without their type",
     .tell = hide_type},
    {.name = "hides-inference-error",
     .requirement = "DX-ERR-01",
     .wrong = "says nothing of inference_error",
     .tell = hide_inference_error},
    {.name = "hides-queue-full",
     .requirement = "DX-ERR-02",
     .wrong = "says nothing of queue_full",
     .tell = hide_queue_full},
    {.name = "hides-1003",
     .requirement = "DX-ERR-03",
     .wrong = "says nothing of a close with 1003",
     .tell = hide_bad_data},
    {.name = "leaves-at-damage",
     .requirement = "DX-ERR-04",
     .wrong = "leaves at a delta whose sound is damaged",
     .leaves_at = leave_at_damage},
    {.name = "deaf-after-damage",
     .requirement = "DX-ERR-04",
     .wrong = "reads nothing after a delta whose sound is damaged",
     .ends_badly = true,
     .hides = be_deaf_after_damage},
    {.name = "plays-damaged-base64",
     .requirement = "DX-ERR-04",
     .wrong = "leaves out what is no base64 in the sound of a delta, and plays the rest",
     .cases = "duplex/error/damaged-base64*",
     .hear = decode_what_is_left},
    {.name = "duplex-reconnects-evenly",
     .requirement = "DX-ERR-05",
     .wrong = "waits as long before each attempt",
     .event = defect_forget_attempts,
     .after = defect_remember_attempts},
    {.name = "duplex-reconnects-at-once",
     .requirement = "DX-ERR-05",
     .wrong = "reconnects without a delay",
     .after = defect_come_back_at_once},
    {.name = "duplex-comes-back-evenly",
     .requirement = "DX-ERR-05",
     .wrong = "waits as long before each attempt, where nobody asked it to try again",
     .cases = "duplex/error/busy-for-any-client",
     .event = come_back_evenly,
     .after = defect_remember_attempts},
    {.name = "duplex-comes-back-in-a-hurry",
     .requirement = "DX-ERR-05",
     .wrong = "tries again at once for the first time, where nobody asked it to",
     .cases = "duplex/error/busy-for-any-client",
     .event = defect_come_back_unasked,
     .after = defect_come_back_at_once_first},
    {.name = "duplex-never-reconnects",
     .requirement = "DX-ERR-05",
     .wrong = "takes it that it is to try again, and never does",
     .cases = "duplex/error/comes-back",
     .event = defect_come_back_never},
    {.name = "duplex-leaves-the-second-session",
     .requirement = "DX-ERR-05",
     .wrong = "leaves the session it connected anew for a third",
     .implies = {"DX-OUT-01"}, /* what it would have heard in the second */
     .cases = "duplex/connect/old-closes-late",
     .after = defect_leave_second},
    {.name = "duplex-reconnects-after-close",
     .requirement = "DX-ERR-05",
     .wrong = "tries again though the user has closed meanwhile",
     .cases = "duplex/error/closed-while-backing-off",
     .ends_badly = true,
     .command = defect_ignore_close_while_waiting},
    {.name = "leaves-at-null-audio",
     .requirement = "DX-FLD-03",
     .wrong = "leaves at a delta whose audio is null",
     .leaves_at = leave_at_null},
    {.name = "crashes-after-closed",
     .requirement = "DX-FLD-03",
     .wrong = "crashes at a delta after session.closed",
     .ends_badly = true,
     .crashes = true,
     .hear = crash_after_closed},
};

const struct defect_table DUPLEX_DEFECTS_END = DEFECT_TABLE(ROWS);
