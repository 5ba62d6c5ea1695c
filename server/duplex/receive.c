/*
 * What a client's message does: taken in, or answered by an error, after which the session goes on. 002
 * Message Format, State Machine, Error Codes, Invalid JSON.
 */
#include "codec/media/jpeg.h"
#include "server/duplex/session.h"

/* ---- what is taken ---- */

static void take_update(struct session *session, uint64_t now_us, const struct duplex_message *message)
{
    session->updated = true;
    if (message->has_max_slices)
        session->slices = message->max_slices;
    session->prompt_tokens = duplex_prompt_tokens(message->instructions);
    duplex_cache_init(&session->cache, session->prompt_tokens);
    const uint64_t used = duplex_quirk(session, DUPLEX_QUIRK_CACHE_USED);
    if (used != 0)
        duplex_cache_init(&session->cache, (uint32_t)used);
    session->created_due_us = now_us + duplex_quirk(session, DUPLEX_QUIRK_CREATED_LATE);
}

static void take_append(struct session *session, uint64_t now_us, const struct duplex_message *message,
                        struct actions *actions)
{
    session->progress.audio_messages++;
    session->progress.audio_bytes += message->audio.len;
    session->appended_us = now_us;
    if (message->force_listen) {
        session->progress.cancels++;
        duplex_speak_force(session, now_us);
    }
    if (message->has_max_slices && duplex_quirk(session, DUPLEX_QUIRK_SLICES_STICK) != 0)
        session->slices = message->max_slices;
    if (duplex_quirk(session, DUPLEX_QUIRK_FAST_ERRORS) != 0 && duplex_hear_is_full(session, message))
        (void)duplex_send_error(session, DUPLEX_ERROR_INVALID_PAYLOAD,
                                "This came too fast: what was appended before is dropped", actions);
    if (!duplex_hear_add(session, now_us, message))
        (void)duplex_send_error(session, DUPLEX_ERROR_INFERENCE_ERROR,
                                "There is not enough memory: what was appended is dropped", actions);
}

static void take(struct session *session, uint64_t now_us, const struct duplex_message *message,
                 struct actions *actions)
{
    if (message->type == DUPLEX_MESSAGE_UPDATE) {
        take_update(session, now_us, message);
    } else if (message->type == DUPLEX_MESSAGE_APPEND) {
        take_append(session, now_us, message, actions);
    } else {
        session->progress.ends++;
        duplex_end(session, DUPLEX_REASON_STOPPED, now_us);
    }
}

/* ---- what is refused ---- */

/* Between session.update and session.created, too, only that may come, and it has. */
static struct duplex_answer answer_to(const struct session *session, const struct duplex_message *message)
{
    struct duplex_answer answer = duplex_phase_answer(session->phase, message);
    const bool again = session->updated && session->phase == DUPLEX_PHASE_CONNECTED;
    if (again && answer.take == DUPLEX_TAKE)
        answer = (struct duplex_answer){.take = DUPLEX_REFUSE, .error = DUPLEX_ERROR_NOT_READY};
    return session->has_quirks ? duplex_deployed_answer(session, message, answer) : answer;
}

static void refuse(struct session *session, const struct duplex_answer *answer, struct actions *actions)
{
    char sentence[DUPLEX_SENTENCE_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    const bool by_phase = answer->fault == NULL && answer->error == DUPLEX_ERROR_NOT_READY;
    if (duplex_quirk(session, by_phase ? DUPLEX_QUIRK_ANY_PHASE : DUPLEX_QUIRK_LENIENT) != 0)
        return;
    const bool state_machine = by_phase && duplex_quirk(session, DUPLEX_QUIRK_INVALID_EVENT) != 0;
    if (by_phase && session->updated && session->phase == DUPLEX_PHASE_CONNECTED)
        text_add(&text, "wait for session.created");
    else if (answer->error == DUPLEX_ERROR_INFERENCE_FAILED)
        text_add(&text, session->updated ? "there is no audio" : "session.update comes first");
    else
        duplex_answer_write(&text, session->profile->dialect, session->phase, answer);
    (void)duplex_send_error(session, state_machine ? DUPLEX_ERROR_INVALID_EVENT : answer->error, sentence,
                            actions);
}

/* Strict servers: members that no message has, and instructions that say nothing. */
static bool is_refused_by_strict(struct session *session, const struct duplex_message *message,
                                 struct actions *actions)
{
    char sentence[DUPLEX_SENTENCE_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    const bool empty = message->type == DUPLEX_MESSAGE_UPDATE && message->instructions.len == 0 &&
                       !session->profile->dialect->instructions_optional;
    if (duplex_quirk(session, DUPLEX_QUIRK_STRICT) == 0 ||
        (!empty && message->faults.unknown_member.len == 0))
        return false;
    text_add(&text, empty ? "the instructions are empty" : "there is no member ");
    text_add_printable(&text, empty ? bytes_of(NULL, 0) : message->faults.unknown_member, 60);
    (void)duplex_send_error(session, DUPLEX_ERROR_INVALID_PAYLOAD, sentence, actions);
    return true;
}

/* ---- what comes too early ---- */

enum { EARLY_HEAD_BYTES = 4 };

/* Keeps a text for later; false: it is not to be kept, or there is no room. */
static bool keep_early(struct session *session, struct bytes text)
{
    if (session->phase != DUPLEX_PHASE_QUEUED || duplex_quirk(session, DUPLEX_QUIRK_BUFFERS_EARLY) == 0 ||
        session->early_count == DUPLEX_EARLY_MAX)
        return false;
    uint8_t *room = buffer_reserve(&session->early, EARLY_HEAD_BYTES + text.len);
    if (room == NULL)
        return false;
    for (size_t i = 0; i < EARLY_HEAD_BYTES; i++)
        room[i] = (uint8_t)(text.len >> 8 * i);
    if (text.len > 0)
        memcpy(room + EARLY_HEAD_BYTES, text.data, text.len);
    session->early.len += EARLY_HEAD_BYTES + text.len;
    session->early_count++;
    return true;
}

static struct duplex_read_options read_options(const struct duplex_profile *profile)
{
    return (struct duplex_read_options){.profile = profile, .picture_size = jpeg_picture_size};
}

static void receive(struct session *session, struct bytes text, const struct duplex_ahead *ahead,
                    uint64_t now_us, struct actions *actions)
{
    struct duplex_read_options options = read_options(session->profile);
    options.float32_voices = duplex_quirk(session, DUPLEX_QUIRK_FLOAT32_VOICES) != 0;
    struct duplex_message message;
    duplex_message_read_once(text, &options, ahead, &message);
    if (json_faults_no_memory(&message.faults)) { /* which is no fault of the client */
        duplex_close(session, DUPLEX_CLOSE_UNAVAILABLE, now_us);
        return;
    }
    const struct duplex_answer answer = answer_to(session, &message);
    switch (answer.take) {
    case DUPLEX_TAKE:
        if (!is_refused_by_strict(session, &message, actions))
            take(session, now_us, &message, actions);
        break;
    case DUPLEX_REFUSE:
        refuse(session, &answer, actions);
        break;
    case DUPLEX_DISCONNECT:
        if (message.type != DUPLEX_MESSAGE_NOT_JSON)
            duplex_close(session, DUPLEX_CLOSE_NORMAL, now_us);
        else if (duplex_quirk(session, DUPLEX_QUIRK_ANY_TEXT) == 0)
            duplex_close(session, DUPLEX_CLOSE_INVALID_JSON, now_us);
        break;
    case DUPLEX_IGNORE:
        break;
    }
    duplex_message_free(&message);
}

void duplex_receive_text(struct session *session, const struct session_event *event, struct actions *actions)
{
    if (session->ending || session->close_code != 0)
        return;
    if (event->message_bytes > event->data.len || event->data.len > DUPLEX_MESSAGE_BYTES_MAX) {
        duplex_close(session, DUPLEX_CLOSE_TOO_BIG, event->now_us);
        return;
    }
    if (!keep_early(session, event->data))
        receive(session, event->data, event->ahead, event->now_us, actions);
}

void duplex_receive_binary(struct session *session, const struct session_event *event,
                           struct actions *actions)
{
    (void)actions;
    if (session->ending || session->close_code != 0 || duplex_quirk(session, DUPLEX_QUIRK_ANY_TEXT) != 0)
        return;
    /* 002 Mode Constraints: JSON text frames */
    duplex_close(session, DUPLEX_CLOSE_INVALID_JSON, event->now_us);
}

void *duplex_read_ahead(const struct profile *profile, struct bytes text)
{
    const struct duplex_read_options options = read_options(duplex_profile_of(profile));
    return duplex_ahead_new(text, &options);
}

void duplex_free_ahead(void *ahead)
{
    duplex_ahead_free(ahead);
}

void duplex_receive_early(struct session *session, uint64_t now_us, struct actions *actions)
{
    const struct bytes early = buffer_bytes(&session->early);
    size_t at = 0;
    for (; session->early_count > 0; session->early_count--) {
        size_t len = 0;
        for (size_t i = 0; i < EARLY_HEAD_BYTES; i++)
            len |= (size_t)early.data[at + i] << 8 * i;
        at += EARLY_HEAD_BYTES;
        receive(session, bytes_of(early.data + at, len), NULL, now_us, actions);
        at += len;
    }
    buffer_clear(&session->early);
}
