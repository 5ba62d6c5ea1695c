/* What the functions of the interview family's defects share. */
#include "conformance/defects/interview/tables.h"

struct interview_client *defect_interview_client(const struct defect_state *state)
{
    return state->core;
}

static void read_message(const struct defect_state *state, struct bytes text, struct interview_message *out)
{
    interview_message_read(text, defect_interview_client(state)->dialect, out);
}

bool defect_interview_say_changed(struct defect_state *state, struct buffer *text)
{
    struct interview_message message;
    read_message(state, buffer_bytes(text), &message);
    bool said = state->defect->change(state, &message);
    buffer_clear(text);
    said = said && interview_message_write(defect_interview_client(state)->dialect, &message, text);
    interview_message_free(&message);
    return said;
}

enum defect_taking defect_interview_hear_changed(struct defect_state *state, struct bytes text)
{
    struct interview_message message;
    read_message(state, text, &message);
    if (message.faults.count == 0 && state->defect->change(state, &message))
        (void)interview_message_write(defect_interview_client(state)->dialect, &message, &state->instead);
    interview_message_free(&message);
    return DEFECT_TAKE;
}

bool defect_interview_is(const struct defect_state *state, struct bytes text,
                         enum interview_message_type type)
{
    struct interview_message message;
    read_message(state, text, &message);
    const bool is = message.type == type;
    interview_message_free(&message);
    return is;
}

bool defect_interview_is_odd(const struct defect_state *state, struct bytes text,
                             enum interview_message_type type, const char *member)
{
    struct interview_message message;
    read_message(state, text, &message);
    const bool is = message.type == type && message.faults.count > 0 &&
                    (member == NULL || json_fault_of(&message.faults, member) != NULL);
    interview_message_free(&message);
    return is;
}

bool defect_interview_finds_odd(struct defect_state *state, struct bytes text)
{
    const struct defect_odd *odd = &state->defect->odd;
    return defect_interview_is_odd(state, text, (enum interview_message_type)odd->type, odd->member);
}
