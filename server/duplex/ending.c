/* How a session ends: by a reason, by a close code, or as session.closed is out. run.c does it in its time.
 */
#include "server/duplex/session.h"

void duplex_end(struct session *session, enum duplex_reason reason, uint64_t at_us)
{
    if (session->ending || session->stage != DUPLEX_STAGE_OPEN)
        return;
    session->ending = true;
    session->reason = reason;
    session->end_us = at_us;
}

void duplex_close(struct session *session, uint16_t code, uint64_t at_us)
{
    session->close_code = code;
    session->close_us = at_us;
    session->phase = DUPLEX_PHASE_CLOSED;
    worker_seat_leave(&session->seat, at_us);
}

void duplex_ended(struct session *session, uint64_t at_us)
{
    session->stage = DUPLEX_STAGE_ENDED;
    session->phase = DUPLEX_PHASE_CLOSED;
    session->close_code = DUPLEX_CLOSE_NORMAL;
    session->close_us = at_us;
    if (duplex_quirk(session, DUPLEX_QUIRK_CLOSES_AT_ONCE) == 0)
        session->close_us += DUPLEX_CLOSE_WAIT_US;
    worker_seat_leave(&session->seat, at_us);
}
