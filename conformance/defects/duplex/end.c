/* Defects of errors and of the end: DX-CLS, DX-ERR, DX-FLD-03. */
#include <stdlib.h>

#include "codec/duplex/constants.h"
#include "codec/ws/frame.h"
#include "conformance/defects/duplex/tables.h"

/* ---- the end ---- */

static bool drop_close(void *context, struct duplex_message *message)
{
    (void)context;
    return message->type != DUPLEX_MESSAGE_CLOSE;
}

static bool say_other_reason(void *context, struct duplex_message *message)
{
    (void)context;
    if (message->type == DUPLEX_MESSAGE_CLOSE)
        message->reason = bytes_of_text("bye");
    return true;
}

static bool hide_context_full(void *context, struct observation *observation)
{
    (void)context;
    return strcmp(observation->text, "context_full") != 0;
}

static bool hides_close(const struct observation *observation, uint16_t code)
{
    return observation->kind == OBSERVED_CLOSED && observation->close_code == code;
}

static bool hide_loss(void *context, struct observation *observation)
{
    (void)context;
    return !hides_close(observation, WS_CLOSE_NO_FRAME);
}

static bool hide_bad_data(void *context, struct observation *observation)
{
    (void)context;
    return !hides_close(observation, DUPLEX_CLOSE_INVALID_JSON);
}

/* ---- errors ---- */

static bool is_error_event(const struct observation *observation)
{
    enum duplex_error_code code = DUPLEX_ERROR_COUNT;
    return observation->kind == OBSERVED_ERROR &&
           duplex_error_by_name(bytes_of_text(observation->code), &code);
}

static bool hide_message(void *context, struct observation *observation)
{
    (void)context;
    if (is_error_event(observation))
        observation->text[0] = '\0';
    return true;
}

/* Its text is "message (type)". */
static bool hide_type(void *context, struct observation *observation)
{
    (void)context;
    char *type = is_error_event(observation) ? strrchr(observation->text, '(') : NULL;
    if (type != NULL)
        *type = '\0';
    return true;
}

static bool hide_inference_error(void *context, struct observation *observation)
{
    (void)context;
    return strcmp(observation->code, "inference_error") != 0;
}

static bool hide_queue_full(void *context, struct observation *observation)
{
    (void)context;
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

static enum client_taking leave_at_damage(void *context, struct bytes message)
{
    (void)context;
    return is_damaged(message) ? CLIENT_GIVE_UP : CLIENT_TAKE;
}

static enum client_taking be_deaf_after_damage(void *context, struct bytes message)
{
    struct defect_state *state = context;
    if (state->seen)
        return CLIENT_HIDE;
    state->seen = is_damaged(message);
    return CLIENT_TAKE;
}

static bool is_base64(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

/* As Buffer.from(text, "base64") does: what is no base64 is left out, and the rest decoded as far as it goes.
 */
static bool decode_what_is_left(void *context, struct bytes message, struct buffer *out)
{
    static const char AUDIO[] = "\"audio\":\"";
    enum { GROUP = 16, SEARCHED = 4096 }; /* characters: three whole samples */
    (void)context;
    const char *text = (const char *)message.data;
    size_t from = 0, kept = 0;
    while (from + sizeof AUDIO <= message.len && from < SEARCHED &&
           memcmp(text + from, AUDIO, sizeof AUDIO - 1) != 0)
        from++;
    from += sizeof AUDIO - 1;
    if (!is_damaged(message) || from >= message.len || !buffer_append(out, bytes_of(message.data, from)))
        return false;
    size_t end = from;
    for (; end < message.len && text[end] != '"'; end++)
        if (is_base64(text[end]) && buffer_append(out, bytes_of(text + end, 1)))
            kept++;
    out->len -= kept % GROUP;
    return buffer_append(out, bytes_of(text + end, message.len - end));
}

static enum client_taking leave_at_null(void *context, struct bytes message)
{
    (void)context;
    return defect_holds(message, "\"audio\":null") ? CLIENT_GIVE_UP : CLIENT_TAKE;
}

static enum client_taking crash_after_closed(void *context, struct bytes message)
{
    struct defect_state *state = context;
    if (state->seen && defect_holds(message, "\"response.output_audio.delta\""))
        abort();
    state->seen = state->seen || defect_holds(message, "\"session.closed\"");
    return CLIENT_TAKE;
}

static const struct defect ROWS[] = {
    {.name = "no-close-message",
     .requirement = "DX-CLS-01",
     .wrong = "closes the connection without session.close",
     .seams.duplex = {.message = drop_close, .no_closed_wait = true}},
    {.name = "no-closed-wait",
     .requirement = "DX-CLS-01",
     .wrong = "does not wait for session.closed",
     .seams.duplex.no_closed_wait = true},
    {.name = "other-close-reason",
     .requirement = "DX-CLS-01",
     .wrong = "sends session.close with a reason of its own",
     .seams.duplex.message = say_other_reason},
    {.name = "waits-for-closed-for-ever",
     .requirement = "DX-CLS-01",
     .wrong = "waits for session.closed without an end",
     .ends_badly = true,
     .seams.duplex.no_closed_timeout = true},
    {.name = "waits-for-turn-for-ever",
     .requirement = "DX-CLS-01",
     .wrong = "waits without an end for the end of a turn",
     .cases = "duplex/close/*never-ends",
     .seams.duplex.no_turn_timeout = true},
    {.name = "appends-after-closed",
     .requirement = "DX-CLS-02",
     .wrong = "appends on after session.closed",
     .seams.duplex.append_after_closed = true},
    {.name = "flushes-at-closed",
     .requirement = "DX-CLS-02",
     .wrong = "sends what it has when session.closed comes",
     .seams.duplex.flush_at_closed = true},
    {.name = "answers-closed",
     .requirement = "DX-CLS-02",
     .wrong = "answers session.closed with session.close",
     .cases = "duplex/close/*",
     .seams.duplex.answer_closed = true},
    {.name = "hides-context-full",
     .requirement = "DX-CLS-02",
     .wrong = "says nothing of a session that closed over context_full",
     .seams.duplex.life.observe = hide_context_full},
    {.name = "hides-lost-session",
     .requirement = "DX-CLS-03",
     .wrong = "says nothing of a lost connection",
     .seams.duplex.life.observe = hide_loss},
    {.name = "error-is-end",
     .requirement = "DX-ERR-01",
     .wrong = "leaves at any error",
     .implies = {"DX-CLS-02"},
     .seams.duplex.error_is_end = true},
    {.name = "error-without-message",
     .requirement = "DX-ERR-01",
     .wrong = "reports errors without their message",
     .seams.duplex.life.observe = hide_message},
    {.name = "error-without-type",
     .requirement = "DX-ERR-01",
     .wrong = "reports errors without their type",
     .seams.duplex.life.observe = hide_type},
    {.name = "hides-inference-error",
     .requirement = "DX-ERR-01",
     .wrong = "says nothing of inference_error",
     .seams.duplex.life.observe = hide_inference_error},
    {.name = "hides-queue-full",
     .requirement = "DX-ERR-02",
     .wrong = "says nothing of queue_full",
     .seams.duplex.life.observe = hide_queue_full},
    {.name = "hides-1003",
     .requirement = "DX-ERR-03",
     .wrong = "says nothing of a close with 1003",
     .seams.duplex.life.observe = hide_bad_data},
    {.name = "leaves-at-damage",
     .requirement = "DX-ERR-04",
     .wrong = "leaves at a delta whose sound is damaged",
     .seams.duplex.incoming = leave_at_damage},
    {.name = "deaf-after-damage",
     .requirement = "DX-ERR-04",
     .wrong = "reads nothing after a delta whose sound is damaged",
     .ends_badly = true,
     .seams.duplex.incoming = be_deaf_after_damage},
    {.name = "plays-damaged-base64",
     .requirement = "DX-ERR-04",
     .wrong = "leaves out what is no base64 in the sound of a delta, and plays the rest",
     .cases = "duplex/error/damaged-base64*",
     .seams.duplex.rewrite = decode_what_is_left},
    {.name = "duplex-reconnects-evenly",
     .requirement = "DX-ERR-05",
     .wrong = "waits as long before each attempt",
     .seams.duplex.life.reconnect.no_growth = true},
    {.name = "duplex-reconnects-at-once",
     .requirement = "DX-ERR-05",
     .wrong = "reconnects without a delay",
     .seams.duplex.life.reconnect.no_delay = true},
    {.name = "duplex-never-reconnects",
     .requirement = "DX-ERR-05",
     .wrong = "takes it that it is to try again, and never does",
     .cases = "duplex/error/comes-back",
     .seams.duplex.life.never_reconnects = true},
    {.name = "duplex-reconnects-after-close",
     .requirement = "DX-ERR-05",
     .wrong = "tries again though the user has closed meanwhile",
     .cases = "duplex/error/closed-while-backing-off",
     .ends_badly = true,
     .seams.duplex.life.reconnect_after_close = true},
    {.name = "leaves-at-null-audio",
     .requirement = "DX-FLD-03",
     .wrong = "leaves at a delta whose audio is null",
     .seams.duplex.incoming = leave_at_null},
    {.name = "crashes-after-closed",
     .requirement = "DX-FLD-03",
     .wrong = "crashes at a delta after session.closed",
     .ends_badly = true,
     .crashes = true,
     .seams.duplex.incoming = crash_after_closed},
};

const struct defect_table DUPLEX_DEFECTS_END = DEFECT_TABLE(ROWS);
