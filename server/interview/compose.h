/* What the files share that make the messages of a script's `send` step. Private to the interview session
 * core. */
#ifndef SERVER_INTERVIEW_COMPOSE_H
#define SERVER_INTERVIEW_COMPOSE_H

#include "server/core/compose_json.h"
#include "server/interview/session.h"

/* ---- compose_family.c ---- */

extern const struct compose_json INTERVIEW_COMPOSE;

/* ---- compose_chunk.c ---- */

bool interview_compose_chunk(const struct compose_call *call);

#endif
