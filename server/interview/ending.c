/* How a session ends; run.c does it in its time. */
#include "server/interview/session.h"

void interview_close(struct session *session, uint16_t code, const char *reason, const char *status,
                     uint64_t at_us)
{
    if (session->close_code != 0 && session->close_us <= at_us)
        return;
    session->close_code = code;
    session->close_reason = reason;
    session->status_message = status;
    session->close_us = at_us;
}
