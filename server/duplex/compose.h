/*
 * The options of a script's `send` step, and the message they make. Private to the full-duplex session core.
 */
#ifndef SERVER_DUPLEX_COMPOSE_H
#define SERVER_DUPLEX_COMPOSE_H

#include "server/core/compose.h"
#include "server/duplex/session.h"

enum { DUPLEX_COMPOSE_SAMPLES_MAX = 10 * DUPLEX_OUTPUT_RATE };

/* ---- compose_add.c ---- */

/* Is the text something that a reader must take for wrong? False without a session: nothing is sent then. */
bool duplex_compose_is_fault(const struct session *session, struct bytes text);
/* Adds the message with the members of the option `extra` ("\"name\":value"), and marks it as a fault where
 * a reader must take it for wrong. */
bool duplex_compose_add(const struct compose_call *call, const struct duplex_message *message,
                        const char *label, struct bytes members);

/* ---- compose_delta.c ---- */

bool duplex_compose_delta(const struct compose_call *call);

#endif
