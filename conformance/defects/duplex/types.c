/* Defects of who takes every member to be of its documented type: what comes in another disturbs the client.
 */
#include "conformance/defects/duplex/tables.h"

/* A member of that message is of another type than its own, or a number that is none of its range. `member`
 * NULL: any. */
static bool is_odd(struct bytes text, enum duplex_message_type type, const char *member)
{
    const struct duplex_read_options options = {.profile = &DUPLEX_PROFILES[0]};
    struct duplex_message message;
    bool odd = false;
    duplex_message_read(text, &options, &message);
    for (size_t i = 0; message.type == type && i < message.faults.count; i++) {
        const struct json_fault *fault = &message.faults.list[i];
        const bool wrong = fault->kind == JSON_FAULT_WRONG_TYPE || fault->kind == JSON_FAULT_RANGE;
        odd = odd || (wrong && (member == NULL || strcmp(fault->member, member) == 0));
    }
    duplex_message_free(&message);
    return odd;
}

static bool finds_odd(struct defect_state *state, struct bytes text)
{
    const struct defect_odd *odd = &state->defect->odd;
    return is_odd(text, (enum duplex_message_type)odd->type, odd->member);
}

static bool leave_at_odd_place(struct defect_state *state, struct bytes text)
{
    return is_odd(text, DUPLEX_MESSAGE_QUEUED, NULL) || is_odd(text, DUPLEX_MESSAGE_QUEUE_UPDATE, NULL);
}

static bool leave_at_odd_audio(struct defect_state *state, struct bytes message)
{
    return is_odd(message, DUPLEX_MESSAGE_DELTA, "audio") && !defect_holds(message, "\"audio\":null");
}

static bool is_type_odd(struct defect_state *state, struct bytes text)
{
    const struct duplex_read_options options = {.profile = &DUPLEX_PROFILES[0]};
    struct duplex_message message;
    duplex_message_read(text, &options, &message);
    const bool odd = message.type == DUPLEX_MESSAGE_OTHER && !defect_holds(text, "\"type\":\"");
    duplex_message_free(&message);
    return odd;
}

static const struct defect ROWS[] = {
    {.name = "leaves-at-odd-place",
     .requirement = "DX-FLD-02",
     .wrong = "leaves when a message of the queue holds a member of another type than documented",
     .implies = {"DX-CON-02"},
     .cases = "duplex/types/queued*",
     .leaves_at = leave_at_odd_place},
    {.name = "misses-odd-created",
     .requirement = "DX-SES-02",
     .wrong = "does not see a session.created with a member of another type than documented",
     .cases = "duplex/types/created*",
     .ends_badly = true,
     .odd = {DUPLEX_MESSAGE_CREATED, NULL},
     .hides = finds_odd},
    {.name = "misses-odd-listen",
     .requirement = "DX-OUT-04",
     .wrong = "does not see a response.listen whose kv_cache_length is no count",
     .cases = "duplex/types/listen*",
     .ends_badly = true,
     .odd = {DUPLEX_MESSAGE_LISTEN, NULL},
     .hides = finds_odd},
    {.name = "misses-odd-text",
     .requirement = "DX-OUT-05",
     .wrong = "plays nothing of a delta whose text is no string",
     .cases = "duplex/types/delta-text*",
     .odd = {DUPLEX_MESSAGE_DELTA, "text"},
     .hides = finds_odd},
    {.name = "misses-odd-cache",
     .requirement = "DX-OUT-05",
     .wrong = "plays nothing of a delta whose kv_cache_length is no count",
     .cases = "duplex/types/delta-cache*",
     .odd = {DUPLEX_MESSAGE_DELTA, "kv_cache_length"},
     .hides = finds_odd},
    {.name = "misses-odd-end",
     .requirement = "DX-OUT-05",
     .wrong = "plays nothing of a delta whose end_of_turn is no boolean",
     .cases = "duplex/types/delta-end*",
     .odd = {DUPLEX_MESSAGE_DELTA, "end_of_turn"},
     .hides = finds_odd},
    {.name = "leaves-at-odd-audio",
     .requirement = "DX-ERR-04",
     .wrong = "leaves at a delta whose audio is no string",
     .cases = "duplex/types/delta-audio*",
     .leaves_at = leave_at_odd_audio},
    {.name = "misses-odd-closed",
     .requirement = "DX-CLS-02",
     .wrong = "does not see a session.closed whose reason is no string",
     .cases = "duplex/types/closed*",
     .odd = {DUPLEX_MESSAGE_CLOSED, NULL},
     .hides = finds_odd},
    {.name = "misses-odd-error",
     .requirement = "DX-ERR-01",
     .wrong = "says nothing of an error with a member of another type than documented",
     .cases = "duplex/types/error*",
     .odd = {DUPLEX_MESSAGE_ERROR, NULL},
     .hides = finds_odd},
    {.name = "duplex-leaves-at-odd-type",
     .requirement = "DX-OUT-08",
     .wrong = "leaves at a message whose type is no string",
     .cases = "duplex/types/type*",
     .leaves_at = is_type_odd},
};

const struct defect_table DUPLEX_DEFECTS_TYPES = DEFECT_TABLE(ROWS);
