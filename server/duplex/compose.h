/*
 * The options of a script's `send` step, and the message they make. Private to the full-duplex session core.
 *
 * Each reader writes a sentence to `error` and returns false when a value is wrong; an option that is not
 * given leaves things as they are. Nothing in compose_values.c touches a session.
 */
#ifndef SERVER_DUPLEX_COMPOSE_H
#define SERVER_DUPLEX_COMPOSE_H

#include "server/core/compose.h"
#include "server/duplex/session.h"

enum { DUPLEX_COMPOSE_SAMPLES_MAX = 10 * DUPLEX_OUTPUT_RATE };

/* ---- compose_values.c ---- */

bool duplex_compose_fail_value(const struct compose_call *call, const char *name, const char *value,
                               const char *expected);
/* A string member; "absent" leaves it out. */
void duplex_compose_text(const struct compose_call *call, const char *name, bool *has, struct bytes *out);
/* An integer member; "absent" leaves it out. */
bool duplex_compose_integer(const struct compose_call *call, const char *name, bool *has, int64_t *out);
/* true, false, or "absent", which leaves it out. */
bool duplex_compose_bool(const struct compose_call *call, const char *name, bool *has, bool *out);
/* The position of the value in the words, which end with NULL; `otherwise` when it is not given. */
bool duplex_compose_choice(const struct compose_call *call, const char *name, const char *const *words,
                           size_t otherwise, size_t *out);

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
