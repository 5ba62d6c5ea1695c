/* What the files share that make the messages of a script's `send` step. Private to the interview session
 * core. */
#ifndef SERVER_INTERVIEW_COMPOSE_H
#define SERVER_INTERVIEW_COMPOSE_H

#include "server/core/compose.h"
#include "server/interview/session.h"

enum { INTERVIEW_COMPOSE_SAMPLES_MAX = 10 * INTERVIEW_RATE };

/* ---- compose_add.c ---- */

/* Is the text something that a reader must take for wrong? False without a session: nothing is sent then. */
bool interview_compose_is_fault(const struct session *session, struct bytes text);
/* Adds the message with the members of the option `extra` ("\"name\":value"), and marks it as a fault where a
 * reader must take it for wrong. */
bool interview_compose_add(const struct compose_call *call, const struct interview_message *message,
                           struct bytes members);

/* ---- compose_chunk.c ---- */

bool interview_compose_chunk(const struct compose_call *call);

#endif
