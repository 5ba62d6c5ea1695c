/*
 * What a client's message does: taken in, or answered by an error, after which the session goes on. 004
 * Client → Server Messages, Message Error Codes.
 */
#include "server/interview/session.h"

static void refuse(struct session *session, const struct json_fault *fault, struct bytes details,
                   struct actions *actions)
{
    char sentence[INTERVIEW_SENTENCE_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    if (interview_quirk(session, INTERVIEW_QUIRK_LENIENT) != 0)
        return;
    json_fault_write(&text, fault);
    (void)interview_send_error(session, interview_fault_error(fault), sentence, details, actions);
}

static void complain(struct session *session, enum interview_error_code code, const char *sentence,
                     struct actions *actions)
{
    if (interview_quirk(session, INTERVIEW_QUIRK_LENIENT) == 0)
        (void)interview_send_error(session, code, sentence, bytes_of(NULL, 0), actions);
}

/* 004 Error Message, the example: how many bytes there were, and how many there should have been. */
static void refuse_odd(struct session *session, const struct json_fault *fault, size_t bytes,
                       struct actions *actions)
{
    char data[INTERVIEW_SENTENCE_MAX];
    struct text text = text_of(data, sizeof data);
    text_add(&text, "{\"chunk_size\":");
    text_add_u64(&text, bytes + 1);
    text_add(&text, ",\"expected_size\":");
    text_add_u64(&text, bytes);
    text_add(&text, "}");
    refuse(session, fault, bytes_of(data, text.len), actions);
}

static void take(struct session *session, uint64_t now_us, const struct interview_message *message,
                 struct actions *actions)
{
    switch (message->type) {
    case INTERVIEW_MESSAGE_AUDIO_CHUNK:
        session->progress.audio_messages++;
        session->progress.audio_bytes += message->audio.len;
        interview_hear(session, now_us, message->audio);
        break;
    case INTERVIEW_MESSAGE_COMMIT_AUDIO:
        session->progress.ends++;
        if (!interview_commit(session, now_us))
            complain(session, INTERVIEW_ERROR_AUDIO_PROCESSING, "There is no audio to commit", actions);
        break;
    case INTERVIEW_MESSAGE_CANCEL_RESPONSE:
        session->progress.cancels++;
        if (interview_quirk(session, INTERVIEW_QUIRK_CANCEL_IGNORED) == 0)
            interview_reply_cancel(session, now_us);
        break;
    case INTERVIEW_MESSAGE_PING:
        interview_send_ping(session, INTERVIEW_MESSAGE_PONG, actions);
        break;
    case INTERVIEW_MESSAGE_PONG:
        break;
    case INTERVIEW_MESSAGE_AI_AUDIO_CHUNK:
    case INTERVIEW_MESSAGE_TRANSCRIPT:
    case INTERVIEW_MESSAGE_FUNCTION_RESULT:
    case INTERVIEW_MESSAGE_ERROR:
    case INTERVIEW_MESSAGE_STATUS:
        complain(session, INTERVIEW_ERROR_INVALID_MESSAGE_FORMAT, "type: only a server sends that", actions);
        break;
    case INTERVIEW_MESSAGE_OTHER:
    case INTERVIEW_MESSAGE_NO_OBJECT:
    case INTERVIEW_MESSAGE_UNREADABLE:
    case INTERVIEW_MESSAGE_NOT_JSON:
        break; /* which have faults */
    }
}

/* What a server takes amiss: the first fault, but for times that are counted otherwise than it counts. */
static const struct json_fault *fault_of(const struct json_faults *faults)
{
    for (size_t i = 0; i < faults->count && i < JSON_FAULTS_MAX; i++)
        if (faults->list[i].kind != JSON_FAULT_RANGE)
            return &faults->list[i];
    return NULL;
}

static void receive(struct session *session, struct bytes text, uint64_t now_us, struct actions *actions)
{
    struct interview_message message;
    interview_message_read(text, &session->dialect, &message);
    if (json_faults_no_memory(&message.faults)) { /* which is no fault of the client */
        interview_close(session, INTERVIEW_CLOSE_INTERNAL, "out of memory", NULL, now_us);
        return;
    }
    const struct json_fault *fault = fault_of(&message.faults);
    if (fault == NULL)
        take(session, now_us, &message, actions);
    else if (fault->kind == JSON_FAULT_ODD_AUDIO)
        refuse_odd(session, fault, message.audio.len, actions);
    else
        refuse(session, fault, bytes_of(NULL, 0), actions);
    interview_message_free(&message);
}

void interview_receive_text(struct session *session, const struct session_event *event,
                            struct actions *actions)
{
    if (session->close_code != 0 && session->close_us <= event->now_us)
        return;
    if (event->message_bytes > event->data.len || event->data.len > INTERVIEW_MESSAGE_BYTES_MAX) {
        if (interview_quirk(session, INTERVIEW_QUIRK_BIG_HEARD) != 0)
            interview_hear(session, event->now_us, event->data);
        else if (interview_quirk(session, INTERVIEW_QUIRK_BIG_CLOSES) != 0)
            interview_close(session, INTERVIEW_CLOSE_TOO_BIG, "", NULL, event->now_us);
        else
            complain(session, INTERVIEW_ERROR_INVALID_MESSAGE_FORMAT, "The message is larger than 1 MB",
                     actions);
        return;
    }
    receive(session, event->data, event->now_us, actions);
}

/* 004 Message Protocol: all messages are JSON texts. */
void interview_receive_binary(struct session *session, const struct session_event *event,
                              struct actions *actions)
{
    (void)event;
    if (session->close_code == 0)
        complain(session, INTERVIEW_ERROR_INVALID_MESSAGE_FORMAT, "The message is binary", actions);
}
