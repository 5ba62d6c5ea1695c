/*
 * The options of a script's `send` step, and the message they make. Private to the full-duplex session core.
 */
#ifndef SERVER_DUPLEX_COMPOSE_H
#define SERVER_DUPLEX_COMPOSE_H

#include "server/core/compose_json.h"
#include "server/duplex/session.h"

/* ---- compose_family.c ---- */

extern const struct compose_json DUPLEX_COMPOSE;

/* ---- compose_delta.c ---- */

bool duplex_compose_delta(const struct compose_call *call);

#endif
