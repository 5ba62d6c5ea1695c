/*
 * How the public server of the document's authors answers a message where it does not do what the document
 * says: by quirks, each by itself. See the set deployed-server of quirk.def.
 */
#include "server/duplex/session.h"

/* Is there something in it that does not decode? */
static bool is_undecodable(const struct duplex_message *message)
{
    for (size_t i = 0; i < message->faults.count && i < JSON_FAULTS_MAX; i++) {
        switch (message->faults.list[i].kind) {
        case JSON_FAULT_BASE64:
        case JSON_FAULT_ODD_AUDIO:
        case JSON_FAULT_NO_PICTURE:
        case JSON_FAULT_NO_WAV:
            return true;
        case JSON_FAULT_NOT_JSON:
        case JSON_FAULT_UNREADABLE:
        case JSON_FAULT_NOT_OBJECT:
        case JSON_FAULT_UNKNOWN_TYPE:
        case JSON_FAULT_MISSING:
        case JSON_FAULT_WRONG_TYPE:
        case JSON_FAULT_RANGE:
        case JSON_FAULT_NOT_FINITE:
        case JSON_FAULT_TOO_SHORT:
        case JSON_FAULT_TOO_LONG:
        case JSON_FAULT_NO_MEMORY:
            break;
        }
    }
    return false;
}

/* Of any type that a client does not send, that of a server's message included. */
static bool is_unknown(const struct duplex_message *message)
{
    return message->type <= DUPLEX_MESSAGE_OTHER && !duplex_message_is_clients(message->type);
}

static bool append_fails(const struct session *session, const struct duplex_message *message)
{
    if (message->type != DUPLEX_MESSAGE_APPEND || session->phase == DUPLEX_PHASE_QUEUED)
        return false;
    return !session->updated || (session->phase == DUPLEX_PHASE_ACTIVE && message->audio.len == 0);
}

struct duplex_answer duplex_deployed_answer(const struct session *session,
                                            const struct duplex_message *message, struct duplex_answer answer)
{
    if (answer.take == DUPLEX_IGNORE || answer.take == DUPLEX_DISCONNECT)
        return answer;
    if (is_unknown(message) && duplex_quirk(session, DUPLEX_QUIRK_IGNORES_UNKNOWN) != 0)
        return (struct duplex_answer){.take = DUPLEX_IGNORE};
    if (session->phase != DUPLEX_PHASE_QUEUED && is_undecodable(message) &&
        duplex_quirk(session, DUPLEX_QUIRK_UNDECODABLE_CLOSES) != 0)
        return (struct duplex_answer){.take = DUPLEX_DISCONNECT};
    if (append_fails(session, message) && duplex_quirk(session, DUPLEX_QUIRK_APPENDS_FAIL) != 0)
        return (struct duplex_answer){.take = DUPLEX_REFUSE, .error = DUPLEX_ERROR_INFERENCE_FAILED};
    if (message->type == DUPLEX_MESSAGE_UPDATE && message->faults.count == 0 &&
        session->phase == DUPLEX_PHASE_ACTIVE && duplex_quirk(session, DUPLEX_QUIRK_CREATED_AGAIN) != 0)
        return (struct duplex_answer){.take = DUPLEX_TAKE};
    return answer;
}

void duplex_linger(struct session *session, uint64_t at_us)
{
    session->stage = DUPLEX_STAGE_LINGERS;
    session->phase = DUPLEX_PHASE_CLOSED;
    session->turn.active = false;
    session->listens_due = 0;
    session->ending = false;
    worker_seat_leave(&session->seat, at_us);
    if (duplex_quirk(session, DUPLEX_QUIRK_ENDLESS) != 0)
        return;
    session->close_code = DUPLEX_CLOSE_NORMAL;
    session->close_us = session->clock_us + session->profile->session_us / session->config.speed;
}

void duplex_receive_lingering(struct session *session, const struct session_event *event,
                              struct actions *actions)
{
    const char *type = duplex_classify(false, event->data);
    (void)actions;
    if (session->ending)
        return;
    session->end_us = event->now_us;
    if (strcmp(type, "input_audio_buffer.append") == 0)
        session->listens_due++;
    else if (strcmp(type, "session.close") == 0) {
        session->progress.ends++;
        session->ending = true;
        session->reason = DUPLEX_REASON_STOPPED;
    }
}
