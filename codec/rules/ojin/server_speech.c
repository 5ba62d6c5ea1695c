/* What was sent, the cancel, and what is overdue; how a frame is taken stands in server_speech_frame.c. */
#include "codec/rules/ojin/server_speech.h"

static uint64_t elapsed(uint64_t from_us, uint64_t to_us)
{
    return to_us > from_us ? to_us - from_us : 0;
}

void server_speech_init(struct server_speech *speech)
{
    buffer_init(&speech->sent, SPEECH_SENT_BYTES_MAX);
}

void server_speech_free(struct server_speech *speech)
{
    buffer_free(&speech->sent);
}

static uint64_t sent_end(const struct server_speech *speech)
{
    return speech->base + speech->sent.len;
}

uint64_t server_speech_due_samples(const struct server_speech *speech)
{
    return speech->uncertain ? 0 : (sent_end(speech) - speech->at) / OJIN_SAMPLE_BYTES;
}

uint64_t server_speech_due_frames(const struct server_speech *speech)
{
    return (server_speech_due_samples(speech) + OJIN_FRAME_SAMPLES - 1) / OJIN_FRAME_SAMPLES;
}

bool server_speech_is_idle(const struct server_speech *speech)
{
    const bool unsettled = speech->cancel.watched && !speech->cancel.settled;
    return !speech->uncertain && !unsettled && !speech->turn.on && speech->at == sent_end(speech);
}

static void forget_all(struct server_speech *speech)
{
    speech->base = speech->at = sent_end(speech);
    speech->has_other = false;
    speech->message_count = 0;
    buffer_clear(&speech->sent);
}

void server_speech_doubt(struct server_speech *speech, uint64_t at_us)
{
    speech->uncertain = true;
    speech->sent_us = at_us;
    speech->turn.clean = false;
    speech->has_other = false;
}

/* Those before the one that is due are of no more use. */
static void forget_messages(struct server_speech *speech)
{
    const uint64_t from = speech->has_other ? speech->other : speech->at;
    size_t over = 0;
    while (over < speech->message_count && speech->messages[over].end <= from)
        over++;
    speech->message_count -= over;
    memmove(speech->messages, speech->messages + over, speech->message_count * sizeof speech->messages[0]);
}

void server_speech_send(struct server_speech *speech, uint64_t at_us, struct bytes audio)
{
    if (server_speech_is_idle(speech))
        forget_all(speech);
    if (speech->message_count == SPEECH_MESSAGES_MAX)
        forget_messages(speech);
    const uint64_t start = sent_end(speech);
    if (speech->uncertain || speech->message_count == SPEECH_MESSAGES_MAX ||
        !buffer_append(&speech->sent, audio)) {
        server_speech_doubt(speech, at_us);
        return;
    }
    speech->messages[speech->message_count++] =
        (struct speech_message){.start = start, .end = sent_end(speech), .at_us = at_us};
    speech->sent_us = at_us;
    speech->quiet_frames = 0;
    if (speech->turn.on)
        speech->turn.all_due = false;
}

void server_speech_cancel(struct server_speech *speech, uint64_t at_us)
{
    /* A second cancel before the first has settled adds nothing to it. */
    if (speech->cancel.watched && !speech->cancel.settled && server_speech_due_samples(speech) == 0)
        return;
    speech->cancel = (struct speech_cancel){.watched = true,
                                            .settled = server_speech_is_idle(speech),
                                            .id_known = speech->turn.on,
                                            .at_us = at_us,
                                            .due_frames = server_speech_due_frames(speech)};
    memcpy(speech->cancel.id, speech->turn.id, UUID_BYTES);
    forget_all(speech);
    speech->uncertain = false;
    speech->padded = false;
    speech->last_over = false;
    speech->turn.on = false;
}

static const struct speech_message *message_due(const struct server_speech *speech)
{
    for (size_t i = 0; i < speech->message_count; i++) {
        if (speech->messages[i].end > speech->at)
            return &speech->messages[i];
    }
    return NULL;
}

bool server_speech_overdue(struct server_speech *speech, uint64_t now_us, struct speech_overdue *out)
{
    const struct speech_message *message = message_due(speech);
    const bool unsettled = speech->cancel.watched && !speech->cancel.settled;
    if (speech->uncertain || unsettled || message == NULL || speech->quiet_frames < SPEECH_OVERDUE_FRAMES)
        return false;
    const bool begun = speech->at > message->start;
    const uint64_t waits = begun ? SPEECH_REST_WAIT_US : SPEECH_BEGIN_WAIT_US;
    const uint64_t since = speech->frame_us > message->at_us ? speech->frame_us : message->at_us;
    /* Only the time in which silence came counts: a pause of everything is not this. */
    const uint64_t from = speech->quiet_us > since ? speech->quiet_us : since;
    if (elapsed(from, now_us) < waits)
        return false;
    *out =
        (struct speech_overdue){.samples = server_speech_due_samples(speech),
                                .waited_us = elapsed(since, now_us),
                                .begun = begun,
                                .later_message = !begun && speech->turns_over > 0 &&
                                                 message->at_us < speech->last_over_us + SPEECH_SAME_TURN_US};
    speech->turn.on = false;
    server_speech_doubt(speech, now_us);
    return true;
}
