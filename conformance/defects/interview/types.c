/* Defects of who takes every message and every member to be as documented: IV-OUT-06, and what of IV-OUT-04,
 * IV-OUT-05 and IV-ERR-01 is about types. */
#include "conformance/defects/interview/tables.h"

/* A click, in the middle of a reply. */
static const char NOISE[] =
    "{\"type\":\"ai_audio_chunk\",\"is_final\":false,\"audio\":\"AEAAQABAAEAAQABAAEAAQABAAEAAQABA\"}";

static void read_message(const struct defect_state *state, struct bytes text, struct interview_message *out)
{
    interview_message_read(text, defect_interview_client(state)->dialect, out);
}

/* ---- whole messages ---- */

static bool leave_at_unknown_type(struct defect_state *state, struct bytes text)
{
    return defect_interview_is(state, text, INTERVIEW_MESSAGE_OTHER) && defect_holds(text, "\"type\":\"");
}

/* As one that needs a moment to fail: its next message is on its way by then. */
static enum defect_taking note_unknown_type(struct defect_state *state, struct bytes text)
{
    state->seen = state->seen || leave_at_unknown_type(state, text);
    return DEFECT_TAKE;
}

static bool count_what_follows(struct defect_state *state, struct buffer *message)
{
    (void)message;
    state->count += state->seen ? 1 : 0;
    return true;
}

static void leave_with_the_next(struct defect_state *state)
{
    if (state->count == 1)
        defect_leave(state, true);
    state->count += state->count > 0 ? 1 : 0;
}

static bool leave_at_odd_type(struct defect_state *state, struct bytes text)
{
    return defect_interview_is(state, text, INTERVIEW_MESSAGE_OTHER) && !defect_holds(text, "\"type\":\"");
}

static bool leave_at_no_object(struct defect_state *state, struct bytes text)
{
    return defect_interview_is(state, text, INTERVIEW_MESSAGE_NO_OBJECT);
}

static bool has_unknown_member(struct defect_state *state, struct bytes text)
{
    struct interview_message message;
    read_message(state, text, &message);
    const bool has = message.faults.unknown_member.len > 0;
    interview_message_free(&message);
    return has;
}

/* A message of whatever type that has sound is one to be played. */
static enum defect_taking play_any_type(struct defect_state *state, struct bytes text)
{
    if (defect_interview_is(state, text, INTERVIEW_MESSAGE_OTHER) && defect_holds(text, "\"audio\":"))
        (void)buffer_append(&state->instead, bytes_of_text(NOISE));
    return DEFECT_TAKE;
}

/* ---- ai_audio_chunk ---- */

static bool is_odd_chunk(struct defect_state *state, struct bytes text, const char *member)
{
    return defect_interview_is_odd(state, text, INTERVIEW_MESSAGE_AI_AUDIO_CHUNK, member);
}

/* As one that decodes what it can, and plays whatever that gives. */
static enum defect_taking play_damaged_audio(struct defect_state *state, struct bytes text)
{
    if (is_odd_chunk(state, text, "audio"))
        (void)buffer_append(&state->instead, bytes_of_text(NOISE));
    return DEFECT_TAKE;
}

static bool miss_chunk_after_damage(struct defect_state *state, struct bytes text)
{
    const bool misses = state->seen && defect_interview_is(state, text, INTERVIEW_MESSAGE_AI_AUDIO_CHUNK);
    state->seen = is_odd_chunk(state, text, "audio");
    return misses;
}

static bool is_odd_byte(struct defect_state *state, struct bytes text)
{
    struct interview_message message;
    read_message(state, text, &message);
    const struct json_fault *fault = json_fault_of(&message.faults, "audio");
    const bool odd = fault != NULL && fault->kind == JSON_FAULT_ODD_AUDIO;
    interview_message_free(&message);
    return odd;
}

/* Joins the bytes of chunks, and so each sample after it is made of two. */
static enum defect_taking keep_odd_byte(struct defect_state *state, struct bytes text)
{
    struct interview_message message;
    state->seen = state->seen || is_odd_byte(state, text);
    read_message(state, text, &message);
    if (state->seen && message.type == INTERVIEW_MESSAGE_AI_AUDIO_CHUNK && message.faults.count == 0 &&
        message.audio.len > INTERVIEW_SAMPLE_BYTES) {
        uint8_t *pcm = (uint8_t *)(uintptr_t)message.audio.data; /* the message's own */
        memmove(pcm + 1, pcm, message.audio.len - 1);
        (void)interview_message_write(defect_interview_client(state)->dialect, &message, &state->instead);
    }
    interview_message_free(&message);
    return DEFECT_TAKE;
}

/* ---- what is told ---- */

/* Nothing more is told of what comes after it. */
static enum defect_taking be_deaf_after_odd_words(struct defect_state *state, struct bytes text)
{
    const bool deaf = state->seen;
    state->seen = state->seen || defect_interview_is_odd(state, text, INTERVIEW_MESSAGE_TRANSCRIPT, NULL) ||
                  defect_interview_is_odd(state, text, INTERVIEW_MESSAGE_STATUS, "status");
    return deaf ? DEFECT_HIDE : DEFECT_TAKE;
}

static const struct defect ROWS[] = {
    {.name = "interview-leaves-at-unknown-type",
     .requirement = "IV-OUT-06",
     .wrong = "leaves when a message of an unknown type comes",
     .cases = "interview/*/[ut]*",
     .leaves_at = leave_at_unknown_type},
    {.name = "interview-leaves-soon-after-unknown-type",
     .requirement = "IV-OUT-06",
     .wrong = "sends one more message and leaves, when a message of an unknown type has come",
     .cases = "interview/*/[ut]*",
     .hear = note_unknown_type,
     .say = count_what_follows,
     .after = leave_with_the_next},
    {.name = "interview-leaves-at-odd-type",
     .requirement = "IV-OUT-06",
     .wrong = "leaves at a message whose type is no string",
     .cases = "interview/*/[ut]*",
     .leaves_at = leave_at_odd_type},
    {.name = "interview-leaves-at-no-object",
     .requirement = "IV-OUT-06",
     .wrong = "leaves at a message that is no object",
     .cases = "interview/types/no-object*",
     .leaves_at = leave_at_no_object},
    {.name = "interview-leaves-at-unknown-member",
     .requirement = "IV-OUT-06",
     .wrong = "leaves at a message with a member that no document has",
     .cases = "interview/output/unknown-*",
     .leaves_at = has_unknown_member},
    {.name = "interview-misses-unknown-members",
     .requirement = "IV-OUT-06",
     .wrong = "does not see a message with a member that no document has",
     .cases = "interview/output/unknown-*",
     .ends_badly = true,
     .hides = has_unknown_member},
    {.name = "plays-any-type",
     .requirement = "IV-OUT-06",
     .wrong = "plays the sound of a message of any type",
     .cases = "interview/*/[ut]*",
     .hear = play_any_type},
    {.name = "leaves-at-damaged-audio",
     .requirement = "IV-OUT-06",
     .wrong = "leaves at a chunk whose audio is no base64 of whole samples",
     .cases = "interview/types/*",
     .odd = {INTERVIEW_MESSAGE_AI_AUDIO_CHUNK, "audio"},
     .leaves_at = defect_interview_finds_odd},
    {.name = "plays-damaged-audio",
     .requirement = "IV-OUT-06",
     .wrong = "plays noise in place of audio that is no base64 of whole samples",
     .cases = "interview/types/*",
     .hear = play_damaged_audio},
    {.name = "misses-chunk-after-damage",
     .requirement = "IV-OUT-06",
     .wrong = "plays nothing of the chunk after one whose audio is damaged",
     .cases = "interview/types/*",
     .ends_badly = true,
     .hides = miss_chunk_after_damage},
    {.name = "keeps-odd-byte",
     .requirement = "IV-OUT-06",
     .wrong = "puts the odd byte of a chunk before the sound of the next",
     .cases = "interview/types/odd-bytes",
     .hear = keep_odd_byte},
    {.name = "misses-odd-transcripts",
     .requirement = "IV-OUT-06",
     .wrong = "plays nothing of a chunk whose transcript is no string",
     .cases = "interview/types/chunk-transcript*",
     .odd = {INTERVIEW_MESSAGE_AI_AUDIO_CHUNK, "transcript"},
     .hides = defect_interview_finds_odd},
    {.name = "misses-odd-finals",
     .requirement = "IV-OUT-06",
     .wrong = "plays nothing of a chunk whose is_final is no boolean",
     .cases = "interview/types/chunk-*",
     .odd = {INTERVIEW_MESSAGE_AI_AUDIO_CHUNK, "is_final"},
     .hides = defect_interview_finds_odd},
    {.name = "leaves-at-odd-words",
     .requirement = "IV-OUT-06",
     .wrong = "leaves at a transcript with a member of another type than documented",
     .implies = {"IV-OUT-03"},
     .cases = "interview/types/transcript*",
     .odd = {INTERVIEW_MESSAGE_TRANSCRIPT, NULL},
     .leaves_at = defect_interview_finds_odd},
    {.name = "deaf-after-odd-words",
     .requirement = "IV-OUT-06",
     .wrong = "hears nothing after a transcript or a status with a member of another type than documented",
     .implies = {"IV-OUT-03"},
     .cases = "interview/types/[st]*",
     .ends_badly = true,
     .hear = be_deaf_after_odd_words},
    {.name = "leaves-at-odd-status",
     .requirement = "IV-OUT-06",
     .wrong = "leaves at a status that no document has",
     .cases = "interview/*/status*",
     .odd = {INTERVIEW_MESSAGE_STATUS, "status"},
     .leaves_at = defect_interview_finds_odd},
    {.name = "misses-odd-results",
     .requirement = "IV-OUT-04",
     .wrong = "says nothing of a result whose function has no name",
     .odd = {INTERVIEW_MESSAGE_FUNCTION_RESULT, NULL},
     .hides = defect_interview_finds_odd},
    {.name = "leaves-at-odd-result",
     .requirement = "IV-OUT-04",
     .wrong = "leaves at a result whose function has no name",
     .odd = {INTERVIEW_MESSAGE_FUNCTION_RESULT, NULL},
     .leaves_at = defect_interview_finds_odd},
    {.name = "misses-odd-status-messages",
     .requirement = "IV-OUT-05",
     .wrong = "says nothing of a status whose message is no string",
     .cases = "interview/types/status-message*",
     .odd = {INTERVIEW_MESSAGE_STATUS, "message"},
     .hides = defect_interview_finds_odd},
    {.name = "leaves-at-odd-status-message",
     .requirement = "IV-OUT-05",
     .wrong = "leaves at a status whose message is no string",
     .cases = "interview/types/status-message*",
     .odd = {INTERVIEW_MESSAGE_STATUS, "message"},
     .leaves_at = defect_interview_finds_odd},
    {.name = "interview-misses-odd-errors",
     .requirement = "IV-ERR-01",
     .wrong = "says nothing of an error with a member of another type than documented",
     .cases = "interview/types/error*",
     .odd = {INTERVIEW_MESSAGE_ERROR, NULL},
     .hides = defect_interview_finds_odd},
    {.name = "interview-leaves-at-odd-error",
     .requirement = "IV-ERR-01",
     .wrong = "leaves at an error with a member of another type than documented",
     .cases = "interview/types/error*",
     .odd = {INTERVIEW_MESSAGE_ERROR, NULL},
     .leaves_at = defect_interview_finds_odd},
};

const struct defect_table INTERVIEW_DEFECTS_TYPES = DEFECT_TABLE(ROWS);
