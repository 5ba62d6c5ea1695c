/*
 * The reference of the language, printed from the tables that the parser reads by. server/SCRIPTS.md is made
 * of it and of server/SCRIPTS.md.in, the text around it.
 */
#ifndef SERVER_SCRIPT_REFERENCE_H
#define SERVER_SCRIPT_REFERENCE_H

#include "codec/wire/buffer.h"
#include "server/core/session.h"

/* Appends the Markdown table of that name: "lines", "plan", "plan-conditions", "steps", "branches",
 * "client-steps", "client-sends-of-all", "client-connect", "client-receives", "client-sends", "until",
 * "receive", "send", "pipes", "check", "expects" or "filters". False when there is none of that name, or no
 * room. */
bool reference_write(const char *table, const struct session_class *class, struct buffer *out);

#endif
