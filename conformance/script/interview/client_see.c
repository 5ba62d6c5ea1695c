/* What an interview server sent, for cases about servers: 004 Message Protocol. */
#include "codec/interview/messages.h"
#include "conformance/script/interview/client_side.h"

const struct client_receive INTERVIEW_CLIENT_RECEIVES[] = {
    {"connected", "the status connected", "a status connected", false},
    {"status", "a status", "a status of any kind; `code=` is its word", true},
    {"transcript", "a transcript", "a transcript; `code=` is its speaker, candidate or ai", true},
    {"chunk", "an ai_audio_chunk", "ai_audio_chunk", false},
    {"final", "an ai_audio_chunk with is_final", "ai_audio_chunk with is_final true", false},
    {"result", "a function_result", "function_result; `code=` is the name of its function", true},
    {NULL, NULL, NULL, false}};

enum { TYPE_STATUS, TYPE_TRANSCRIPT, TYPE_CHUNK, TYPE_RESULT, TYPE_OTHER, TYPE_BINARY };

const struct seen_message INTERVIEW_SEEN_MESSAGES[] = {
    [TYPE_STATUS] = {"status", "status", true},
    [TYPE_TRANSCRIPT] = {"transcript", "transcript", true},
    [TYPE_CHUNK] = {"chunk", "ai_audio_chunk", false},
    [TYPE_RESULT] = {"result", "function_result", true},
    [TYPE_OTHER] = {"text", "text", true},
    [TYPE_BINARY] = {"binary", "binary message", false},
};

/* Sets the type, and what code= is compared with. */
static void see_message(const struct interview_message *message, struct bytes text, struct seen *out)
{
    switch (message->type) {
    case INTERVIEW_MESSAGE_STATUS:
        out->type = TYPE_STATUS;
        seen_word_set(out, bytes_of_text(message->has_status ? interview_status_name(message->status) : "?"));
        break;
    case INTERVIEW_MESSAGE_TRANSCRIPT:
        out->type = TYPE_TRANSCRIPT;
        seen_word_set(out,
                      bytes_of_text(message->has_speaker ? interview_speaker_name(message->speaker) : "?"));
        break;
    case INTERVIEW_MESSAGE_AI_AUDIO_CHUNK:
        out->type = TYPE_CHUNK;
        out->is_final = message->is_final;
        break;
    case INTERVIEW_MESSAGE_FUNCTION_RESULT:
        out->type = TYPE_RESULT;
        seen_word_set(out, message->function_name);
        break;
    case INTERVIEW_MESSAGE_ERROR:
        out->kind = SEEN_ERROR;
        seen_word_set(out, message->code);
        break;
    case INTERVIEW_MESSAGE_NOT_JSON:
        out->kind = SEEN_PLAIN_TEXT;
        seen_word_set(out, text);
        break;
    case INTERVIEW_MESSAGE_AUDIO_CHUNK:
    case INTERVIEW_MESSAGE_COMMIT_AUDIO:
    case INTERVIEW_MESSAGE_CANCEL_RESPONSE:
    case INTERVIEW_MESSAGE_PING:
    case INTERVIEW_MESSAGE_PONG:
    case INTERVIEW_MESSAGE_OTHER:
    case INTERVIEW_MESSAGE_NO_OBJECT:
    case INTERVIEW_MESSAGE_UNREADABLE:
        seen_word_set(out, text);
        break;
    }
}

void interview_client_see(const struct profile *profile, const struct wire_event *event, struct seen *out,
                          struct frame_summary *frame)
{
    struct interview_message message;
    (void)frame;
    out->kind = SEEN_MESSAGE;
    out->type = event->kind == WIRE_EVENT_BINARY ? TYPE_BINARY : TYPE_OTHER;
    if (event->kind == WIRE_EVENT_BINARY)
        return;
    interview_message_read(event->data, interview_profile_of(profile)->dialect, &message);
    see_message(&message, event->data, out);
    interview_message_free(&message);
}

void interview_client_see_body(struct bytes body, struct seen *out)
{
    struct interview_message message;
    interview_message_read(body, INTERVIEW_PROFILES[INTERVIEW_PROFILE_DOCUMENTED].dialect, &message);
    if (message.type == INTERVIEW_MESSAGE_ERROR)
        seen_word_set(out, message.code);
    else if (message.type == INTERVIEW_MESSAGE_NOT_JSON)
        seen_word_set(out, bytes_of_text(SEEN_CODE_PLAIN_TEXT));
    interview_message_free(&message);
}

bool interview_client_matches(const struct seen *seen, int receive)
{
    switch (RECEIVE_FAMILY + receive) {
    case INTERVIEW_RECEIVE_CONNECTED:
        return seen->type == TYPE_STATUS &&
               strcmp(seen->word, interview_status_name(INTERVIEW_STATUS_CONNECTED)) == 0;
    case INTERVIEW_RECEIVE_STATUS:
        return seen->type == TYPE_STATUS;
    case INTERVIEW_RECEIVE_TRANSCRIPT:
        return seen->type == TYPE_TRANSCRIPT;
    case INTERVIEW_RECEIVE_CHUNK:
        return seen->type == TYPE_CHUNK;
    case INTERVIEW_RECEIVE_FINAL:
        return seen->type == TYPE_CHUNK && seen->is_final;
    case INTERVIEW_RECEIVE_RESULT:
        return seen->type == TYPE_RESULT;
    }
    return false;
}

/* A server that lets in says so first, each in its own words. */
const struct profile *interview_client_profile_said(struct bytes message)
{
    const struct profile *profile = NULL;
    for (size_t i = 0; i < INTERVIEW_PROFILE_COUNT && profile == NULL; i++) {
        struct interview_message read;
        interview_message_read(message, INTERVIEW_PROFILES[i].dialect, &read);
        if (read.type == INTERVIEW_MESSAGE_STATUS)
            profile = &INTERVIEW_PROFILES[i].base;
        interview_message_free(&read);
    }
    return profile;
}
