/*
 * The reference of the whole language, printed as Markdown from the tables that the parser reads by.
 * server/SCRIPTS.md and conformance/SCRIPTS.md are made of it and of the text around it, SCRIPTS.md.in.
 */
#ifndef CONFORMANCE_SCRIPT_REFERENCE_H
#define CONFORMANCE_SCRIPT_REFERENCE_H

#include "codec/wire/buffer.h"
#include "conformance/script/case_family.h"

/* Appends the table of that name: one of server/script/reference.h, "case-lines", "plan", "plan-conditions",
 * "client-steps", "client-sends-of-all", "client-connect", "client-receives", "client-sends", "seen",
 * "check", "expects" or "filters". False when there is none of that name, or no room. */
bool case_reference_write(const char *table, const struct case_family *family, struct buffer *out);

#endif
