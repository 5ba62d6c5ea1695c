/* What the next frame is once it is due, and when speech begins and is over. */
#include "server/ojin/session.h"

static void run_silence(struct session *session, uint64_t now_us, struct actions *actions)
{
    const uint64_t start = ojin_stream_speech_start_us(session);
    if (start <= pacer_due_us(&session->pacer))
        ojin_stream_begin_speech(session, start);
    else
        ojin_deliver_silence(session, now_us, actions);
}

/* No idle frame comes while a cancel settles: it would say that it has. */
static bool is_starving(const struct session *session)
{
    const uint64_t every = ojin_quirk(session, OJIN_QUIRK_STARVE);
    return every != 0 && !session->cancel.settling && !session->starved && session->turn_frames > 0 &&
           session->turn_frames % every == 0;
}

/* Nothing more is spoken. A cancel that is on its way is settled with that. */
static void speech_over(struct session *session, uint64_t at_us)
{
    if (session->cancel.settling)
        ojin_cancel_settle(session, at_us);
    else
        ojin_stream_leave_speech(session, at_us);
}

static void run_speech(struct session *session, uint64_t now_us, struct actions *actions)
{
    const size_t queued = speech_queue_samples(&session->speech);
    const uint64_t due_us = ojin_stream_due_us(session);
    if (ojin_frame_is_whole(session) || (session->ending && queued > 0)) {
        if (is_starving(session))
            ojin_deliver_idle(session, now_us, actions);
        else
            ojin_deliver_speech(session, now_us, actions);
    } else if (queued > 0) {
        /* The wait for more is over: the rest goes out, and silence goes on one frame later. */
        ojin_deliver_speech(session, now_us, actions);
        speech_over(session, due_us);
        pacer_advance(&session->pacer);
    } else {
        speech_over(session, due_us);
    }
}

void ojin_stream_frame(struct session *session, uint64_t now_us, struct actions *actions)
{
    if (session->phase == OJIN_PHASE_SILENCE)
        run_silence(session, now_us, actions);
    else
        run_speech(session, now_us, actions);
}
