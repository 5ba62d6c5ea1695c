/*
 * Which frame leaves, and with what in it. The stream says when; the params of each chunk of speech say how
 * the mouth moves (000 InteractionInputMessage params), quirks what is strange about it.
 */
#include "server/ojin/session.h"

enum { STALL_AFTER_FRAMES = 10 };

/* The id that silence carries. */
static void silence_interaction(struct session *session, uint8_t out[UUID_BYTES])
{
    const uint64_t choice = ojin_quirk(session, OJIN_QUIRK_SILENCE_ID);
    memset(out, 0, UUID_BYTES);
    if (choice == OJIN_SILENCE_ID_LAST)
        memcpy(out, session->progress.interaction, UUID_BYTES);
    if (choice != OJIN_SILENCE_ID_FRESH)
        return;
    if (!session->has_silence_id)
        uuid_generate(&session->silence_seed, session->silence_id);
    session->has_silence_id = true;
    memcpy(out, session->silence_id, UUID_BYTES);
}

static void order_mark_final(const struct session *session, struct frame_order *order)
{
    if (ojin_quirk(session, OJIN_QUIRK_NO_FINAL) != 0)
        return;
    order->label = "final";
    order->header.is_final = 1;
}

/* Draws and orders a frame without speech in it; false when the picture cannot be had. */
static bool quiet_order(struct session *session, uint64_t now_us, enum frame_kind kind,
                        const uint8_t interaction[UUID_BYTES], struct frame_order *order)
{
    const double mouth = mouth_rest(&session->mouth, &session->idle_params);
    if (kind != FRAME_SILENCE)
        memset(session->audio, 0, sizeof session->audio);
    if (!ojin_frame_draw_late(session, mouth, interaction, 0))
        return false;
    ojin_frame_order(session, now_us, kind, interaction, order);
    return true;
}

static void order_send(struct session *session, struct frame_order *order, struct actions *actions)
{
    ojin_dress_payloads(session, order);
    (void)ojin_frame_send(session, order, actions);
}

void ojin_deliver_idle(struct session *session, uint64_t now_us, struct actions *actions)
{
    uint8_t interaction[UUID_BYTES];
    struct frame_order order;
    session->starved = true;
    pacer_advance(&session->pacer);
    silence_interaction(session, interaction);
    if (quiet_order(session, now_us, FRAME_SILENCE, interaction, &order))
        order_send(session, &order, actions);
}

/* The next frame of those that come before plain silence. */
static void deliver_tail(struct session *session, uint64_t now_us, struct actions *actions)
{
    struct ojin_cancel *cancel = &session->cancel;
    struct frame_order order;
    const bool start = cancel->start_due;
    const bool fade = !start && cancel->fades_due > 0;
    if (start)
        cancel->start_due = false;
    else if (fade)
        cancel->fades_due--;
    else
        cancel->final_due = false;
    if (!quiet_order(session, now_us, fade ? FRAME_FADE : FRAME_SILENCE, session->progress.interaction,
                     &order))
        return;
    if (start) {
        ojin_dress_type(&order, OJIN_FRAME_TYPE_START);
        if (ojin_quirk(session, OJIN_QUIRK_RUNNING_INDEX) == 0)
            order.header.index = OJIN_INDEX_SPEECH; /* which is what shows to who does not know the byte */
    }
    if (!start && !fade) {
        order.label = "final";
        order.header.is_final = 1;
    }
    order_send(session, &order, actions);
}

void ojin_deliver_silence(struct session *session, uint64_t now_us, struct actions *actions)
{
    const uint64_t due_us = pacer_due_us(&session->pacer);
    session->in_interaction = false;
    pacer_advance(&session->pacer);
    if (ojin_cancel_has_tail(session)) {
        /* What waits to be spoken begins right after the last of these. */
        session->held_us = due_us > session->held_us ? due_us : session->held_us;
        deliver_tail(session, now_us, actions);
        return;
    }
    /* A late tick may find a silence frame due before speech that is to come first. */
    const bool final = session->ending && speech_queue_samples(&session->speech) == 0;
    uint8_t interaction[UUID_BYTES];
    silence_interaction(session, interaction);
    struct frame_order order;
    if (quiet_order(session, now_us, FRAME_SILENCE, interaction, &order)) {
        if (final)
            order_mark_final(session, &order);
        order_send(session, &order, actions);
    }
    if (final)
        ojin_stream_finish(session, now_us);
}

/* 000 InteractionInputMessage params, client_frame_index: the client shows that frame now, so the motion of
 * the head goes on from there when the speech begins. 0, the default, says nothing. */
static void transition_move(struct session *session, const struct ojin_params *params)
{
    if (params->client_frame_index > 0)
        session->pose_shift = (uint64_t)params->client_frame_index + 1 - session->frame_count;
}

/* Every Nth is left out, but not the last: that would be another breach. */
static bool is_lost(const struct session *session, bool final)
{
    const uint64_t every = ojin_quirk(session, OJIN_QUIRK_LOSES_FRAMES);
    return every != 0 && !final && (session->turn_frames + 1) % every == 0;
}

static void speech_send(struct session *session, uint64_t now_us, double mouth, bool final,
                        struct actions *actions)
{
    struct frame_order order;
    if (!ojin_frame_draw_late(session, mouth, session->progress.interaction, session->position))
        return;
    ojin_frame_order(session, now_us, FRAME_SPEECH, session->progress.interaction, &order);
    if (session->turn_frames == 0 && ojin_quirk(session, OJIN_QUIRK_FRAME_TYPE_BYTE) != 0)
        ojin_dress_type(&order, OJIN_FRAME_TYPE_START);
    if (final)
        order_mark_final(session, &order);
    order_send(session, &order, actions);
}

void ojin_deliver_speech(struct session *session, uint64_t now_us, struct actions *actions)
{
    struct ojin_params params = OJIN_PARAMS_DEFAULT;
    if (!ojin_frame_take_speech(session, &params))
        return;
    if (session->turn_frames == 0)
        transition_move(session, &params);
    ojin_dress_audio(session);
    const bool final = session->ending && speech_queue_samples(&session->speech) == 0;
    const double mouth = mouth_speak(&session->mouth, session->audio, &params);
    pacer_advance(&session->pacer);
    if (speech_queue_samples(&session->speech) < OJIN_FRAME_SAMPLES)
        session->dry_us = pacer_due_us(&session->pacer);
    if (!is_lost(session, final))
        speech_send(session, now_us, mouth, final, actions);
    session->position += OJIN_FRAME_SAMPLES;
    session->turn_frames++;
    session->starved = false;
    if (session->turn_frames == STALL_AFTER_FRAMES && ojin_quirk(session, OJIN_QUIRK_STALL) != 0)
        session->stalled_us = pacer_due_us(&session->pacer) + ojin_quirk(session, OJIN_QUIRK_STALL);
    if (final)
        ojin_stream_finish(session, now_us);
}
