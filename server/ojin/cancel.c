/*
 * What a cancel does (000 CancelInteractionMessage; field notes, Cancel). As documented it takes effect at
 * once and plain silence follows. By quirks it settles late, is acknowledged, and leaves frames that fade the
 * speech out or are marked final; a turn that ended, cancelled or not, may leave a stray start of speech.
 * Whatever is asked for, the order is: late speech, the acknowledgement, the stray start, the fade, the final
 * frame, silence.
 *
 * The first idle frame after a cancel says that it is settled: a client that waits for it and then speaks is
 * heard. So nothing settles late but speech frames that are still to come: without any the cancel settles at
 * once, and with fewer than the quirk's time allows it settles after the last of them.
 *
 * A cancel that follows endInteraction discards the final frame with the rest: none is sent (000). The client
 * may speak again, as after any cancel. But it has said that it is done, so when it sends no input and no
 * other end within the time that it has to close after a final frame, the session is closed as it is then.
 */
#include "server/ojin/session.h"

bool ojin_cancel_discards(const struct session *session)
{
    return session->cancel.settling || session->cancel.fades_due > 0;
}

void ojin_cancel(struct session *session, uint64_t now_us)
{
    struct ojin_cancel *cancel = &session->cancel;
    if (ojin_quirk(session, OJIN_QUIRK_CANCEL_IGNORED) != 0 || cancel->settling)
        return;
    cancel->end_retaken = session->ending;
    session->ending = false;
    cancel->settling = true;
    cancel->was_speaking = session->phase == OJIN_PHASE_SPEECH;
    cancel->settle_us = now_us;
    if (cancel->was_speaking)
        cancel->settle_us += ojin_quirk(session, OJIN_QUIRK_CANCEL_LATE);
    if (cancel->settle_us == now_us)
        ojin_cancel_settle(session, now_us);
}

void ojin_cancel_settle(struct session *session, uint64_t at_us)
{
    struct ojin_cancel *cancel = &session->cancel;
    cancel->settling = false;
    speech_queue_clear(&session->speech);
    session->speech_ready_us = UINT64_MAX;
    session->in_interaction = false;
    session->end_retaken = session->end_retaken || cancel->end_retaken;
    session->retaken_us = at_us;
    if (session->phase == OJIN_PHASE_SPEECH)
        ojin_stream_leave_speech(session, at_us);
    if (cancel->was_speaking)
        cancel->fades_due = ojin_quirk(session, OJIN_QUIRK_FADE);
    cancel->final_due = ojin_quirk(session, OJIN_QUIRK_STRAY_FINAL) != 0;
    if (ojin_quirk(session, OJIN_QUIRK_CANCELLED) != 0)
        ojin_notice_add(session, at_us, OJIN_NOTICE_CANCELLED);
    if (cancel->end_after)
        ojin_stream_end(session, at_us);
    cancel->end_after = false;
}
