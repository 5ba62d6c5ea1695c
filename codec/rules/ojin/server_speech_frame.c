/* What a frame has to do with the speech that was sent. */
#include "codec/rules/ojin/server_speech.h"

static uint64_t sent_end(const struct server_speech *speech)
{
    return speech->base + speech->sent.len;
}

static const uint8_t *sent_at(const struct server_speech *speech, uint64_t at)
{
    return speech->sent.data + (at - speech->base);
}

static bool all_zero(const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (data[i] != 0)
            return false;
    }
    return true;
}

/* The message that holds the byte `at`; NULL past the end. */
static const struct speech_message *message_of(const struct server_speech *speech, uint64_t at)
{
    for (size_t i = 0; i < speech->message_count; i++) {
        if (speech->messages[i].start <= at && at < speech->messages[i].end)
            return &speech->messages[i];
    }
    return NULL;
}

static bool is_message_start(const struct server_speech *speech, uint64_t at)
{
    const struct speech_message *message = message_of(speech, at);
    return message == NULL || message->start == at;
}

static bool matches_whole(const struct server_speech *speech, uint64_t at, struct bytes audio)
{
    return at >= speech->base && at + audio.len <= sent_end(speech) &&
           memcmp(sent_at(speech, at), audio.data, audio.len) == 0;
}

/* A message ends within the frame, and zeros follow it; *next: where it ends. */
static bool matches_padded(const struct server_speech *speech, uint64_t at, struct bytes audio,
                           uint64_t *next)
{
    for (size_t i = 0; i < speech->message_count; i++) {
        const uint64_t end = speech->messages[i].end;
        if (end <= at || end - at >= audio.len)
            continue;
        const size_t len = (size_t)(end - at);
        if (memcmp(sent_at(speech, at), audio.data, len) == 0 &&
            all_zero(audio.data + len, audio.len - len)) {
            *next = end;
            return true;
        }
    }
    return false;
}

static bool matches(const struct server_speech *speech, uint64_t at, struct bytes audio, uint64_t *next,
                    bool *padded)
{
    *padded = false;
    if (matches_whole(speech, at, audio)) {
        *next = at + audio.len;
        return true;
    }
    *padded = matches_padded(speech, at, audio, next);
    return *padded;
}

/* Zeros that follow a message's end may be padding, or the beginning of the next message: both ways are kept
 * until one of them fails. */
static bool take_due(struct server_speech *speech, struct bytes audio, struct speech_step *step)
{
    uint64_t next = 0;
    uint64_t other_next = 0;
    bool padded = false;
    bool other_padded = false;
    const bool fits = matches(speech, speech->at, audio, &next, &padded);
    const bool other_fits =
        speech->has_other && matches(speech, speech->other, audio, &other_next, &other_padded);
    if (!fits && !other_fits)
        return false;
    uint64_t pad_end = 0;
    if (fits && !padded && !other_fits && matches_padded(speech, speech->at, audio, &pad_end)) {
        speech->has_other = true;
        speech->other = pad_end;
    } else {
        speech->has_other = fits && other_fits && next != other_next;
        speech->other = other_next;
    }
    speech->at = fits ? next : other_next;
    speech->padded = fits ? padded : other_padded;
    step->kind = speech->padded ? SPEECH_STEP_PADDED : SPEECH_STEP_DUE;
    return true;
}

static void skip_to(struct server_speech *speech, uint64_t found, struct bytes audio,
                    struct speech_step *step)
{
    step->kind = SPEECH_STEP_SKIPPED;
    step->samples = (found - speech->at) / OJIN_SAMPLE_BYTES;
    step->whole_message = is_message_start(speech, speech->at) && is_message_start(speech, found);
    speech->has_other = false;
    uint64_t next = found;
    (void)matches(speech, found, audio, &next, &speech->padded);
    speech->at = next;
}

/* The frame's audio stands later in what was sent: by whole frames, or where another message begins. */
static bool take_later(struct server_speech *speech, struct bytes audio, struct speech_step *step)
{
    uint64_t next = 0;
    bool padded = false;
    if (all_zero(audio.data, audio.len))
        return false;
    for (uint64_t at = speech->at + audio.len; at < sent_end(speech); at += audio.len) {
        if (matches(speech, at, audio, &next, &padded)) {
            skip_to(speech, at, audio, step);
            return true;
        }
    }
    for (size_t i = 0; i < speech->message_count; i++) {
        const uint64_t start = speech->messages[i].start;
        if (start > speech->at && matches(speech, start, audio, &next, &padded)) {
            skip_to(speech, start, audio, step);
            return true;
        }
    }
    return false;
}

static void take_wrong(struct server_speech *speech, struct bytes audio, struct speech_step *step)
{
    step->kind = SPEECH_STEP_WRONG;
    speech->turn.wrong = true;
    speech->has_other = false;
    speech->padded = false;
    const uint64_t left = sent_end(speech) - speech->at;
    speech->at += left < audio.len ? left : audio.len;
}

/* Without a doubt: the audio of this frame, against what was sent. */
static void take_audio(struct server_speech *speech, struct bytes audio, struct speech_step *step)
{
    if (take_due(speech, audio, step))
        return;
    const bool was_clean = speech->turn.clean;
    speech->turn.clean = false;
    if (speech->at == sent_end(speech)) {
        step->kind = SPEECH_STEP_EXTRA;
    } else if (take_later(speech, audio, step)) {
        return;
    } else if (speech->at >= speech->base + audio.len && !all_zero(audio.data, audio.len) &&
               matches_whole(speech, speech->at - audio.len, audio)) {
        step->kind = SPEECH_STEP_REPEATED;
    } else {
        take_wrong(speech, audio, step);
        speech->turn.clean = was_clean;
    }
}

/* A frame whose audio was wrong tells nothing of where a message ended, so the nearest end is taken. */
static void settle_wrong(struct server_speech *speech)
{
    for (size_t i = 0; i < speech->message_count; i++) {
        const uint64_t end = speech->messages[i].end;
        const uint64_t off = end > speech->at ? end - speech->at : speech->at - end;
        if (off < OJIN_FRAME_AUDIO_BYTES) {
            speech->at = end;
            return;
        }
    }
    speech->uncertain = true;
}

static void end_turn(struct server_speech *speech, uint64_t at_us, bool by_silence, struct speech_step *step)
{
    if (!speech->turn.on)
        return;
    if (speech->turn.wrong && !speech->uncertain && speech->at != sent_end(speech))
        settle_wrong(speech);
    step->turn_ends = true;
    step->by_silence = by_silence;
    step->turn = speech->turn;
    step->complete = !speech->uncertain && speech->at == sent_end(speech);
    speech->turn.on = false;
    speech->padded = false;
    speech->turns_over++;
    speech->last_over = step->complete;
    speech->last_over_us = at_us;
    memcpy(speech->last_id, speech->turn.id, UUID_BYTES);
}

static void begin_turn(struct server_speech *speech, uint64_t at_us, const uint8_t id[UUID_BYTES],
                       struct speech_step *step)
{
    step->turn_begins = true;
    step->id_again =
        speech->last_over && speech->turns_over > 0 && memcmp(id, speech->last_id, UUID_BYTES) == 0;
    if (speech->cancel.watched) {
        step->cancel_ends = true;
        step->cancel = speech->cancel;
        speech->cancel.watched = false;
    }
    speech->last_over = false;
    speech->turn =
        (struct speech_turn){.on = true, .first_us = at_us, .clean = !speech->uncertain, .all_due = true};
    memcpy(speech->turn.id, id, UUID_BYTES);
}

/* Is this a frame of the interaction that was cancelled? What fits the speech sent since is not, and while
 * nothing tells them apart the old one is assumed. */
static bool is_cancelled(struct server_speech *speech, const struct frame_view *frame)
{
    struct speech_cancel *cancel = &speech->cancel;
    if (!cancel->watched)
        return false;
    const struct bytes audio = frame->audio;
    uint64_t next;
    bool padded;
    const bool fits = !speech->uncertain && audio.len == OJIN_FRAME_AUDIO_BYTES &&
                      speech->at < sent_end(speech) && matches(speech, speech->at, audio, &next, &padded);
    const bool same_id = cancel->id_known && memcmp(cancel->id, frame->header.interaction, UUID_BYTES) == 0;
    const bool sent_since = speech->uncertain || speech->at < sent_end(speech);
    if (fits || (sent_since && !same_id && (cancel->id_known || cancel->settled)))
        return false;
    if (!cancel->id_known && !cancel->settled) {
        cancel->id_known = true;
        memcpy(cancel->id, frame->header.interaction, UUID_BYTES);
    }
    return true;
}

static void change_turn(struct server_speech *speech, uint64_t at_us, const struct frame_view *frame,
                        struct speech_step *step)
{
    const uint8_t *id = frame->header.interaction;
    const bool other_id = speech->turn.on && memcmp(speech->turn.id, id, UUID_BYTES) != 0;
    if (other_id) {
        step->id_changes = !speech->uncertain && !speech->turn.wrong && !speech->padded &&
                           !is_message_start(speech, speech->at);
        end_turn(speech, at_us, false, step);
    } else if (speech->turn.on && speech->padded && speech->at < sent_end(speech)) {
        step->padding_inside = true;
    }
    if (!speech->turn.on)
        begin_turn(speech, at_us, id, step);
}

static void take_speech(struct server_speech *speech, uint64_t at_us, const struct frame_view *frame,
                        struct speech_step *step)
{
    const bool readable = frame_view_has_entries(frame) && frame->audio_count == 1 &&
                          frame->audio.len == OJIN_FRAME_AUDIO_BYTES;
    speech->quiet_frames = 0;
    speech->frame_us = at_us;
    if (is_cancelled(speech, frame)) {
        step->kind = SPEECH_STEP_CANCELLED;
        speech->cancel.speech_frames++;
        return;
    }
    if (!readable)
        server_speech_doubt(speech, at_us);
    change_turn(speech, at_us, frame, step);
    const uint64_t from = speech->at;
    if (speech->uncertain) {
        step->kind = SPEECH_STEP_UNKNOWN;
        speech->turn.clean = false;
    } else {
        take_audio(speech, frame->audio, step);
    }
    for (size_t i = 0; i < speech->message_count; i++)
        speech->turn.messages += speech->messages[i].start >= from && speech->messages[i].start < speech->at;
    speech->turn.frames++;
    speech->turn.last_us = at_us;
}

/* Long silence, and nothing sent in it, leaves nothing queued. */
static void grow_certain(struct server_speech *speech, uint64_t at_us)
{
    if (!speech->uncertain || speech->quiet_frames < SPEECH_QUIET_FRAMES ||
        at_us - speech->sent_us < SPEECH_QUIET_US)
        return;
    speech->uncertain = false;
    speech->base = speech->at = sent_end(speech);
    speech->message_count = 0;
    buffer_clear(&speech->sent);
}

static void take_silence(struct server_speech *speech, uint64_t at_us, struct speech_step *step)
{
    const struct speech_message *message = message_of(speech, speech->at);
    if (speech->quiet_frames++ == 0)
        speech->quiet_us = at_us;
    if (speech->cancel.watched) {
        speech->cancel.settled = true;
        speech->cancel.silence_frames++;
    }
    const bool queued =
        message != NULL && message->start < speech->at && message->end - speech->at >= OJIN_FRAME_AUDIO_BYTES;
    if (speech->turn.on && !speech->uncertain && !speech->turn.wrong && !speech->has_other && queued) {
        step->gap = !speech->turn.gapped;
        step->samples = (message->end - speech->at) / OJIN_SAMPLE_BYTES;
        speech->turn.gapped = true;
        speech->turn.clean = false;
        return;
    }
    end_turn(speech, at_us, true, step);
    grow_certain(speech, at_us);
}

void server_speech_frame(struct server_speech *speech, uint64_t at_us, const struct frame_view *frame,
                         struct speech_step *step)
{
    *step = (struct speech_step){.kind = SPEECH_STEP_NONE};
    if (!frame_view_has_header(frame) || frame->header.index > OJIN_INDEX_SPEECH)
        server_speech_doubt(speech, at_us);
    else if (frame->header.index == OJIN_INDEX_SPEECH)
        take_speech(speech, at_us, frame, step);
    else
        take_silence(speech, at_us, step);
}
