/*
 * What people read of a finding: the line, and the sentence of the documents that was broken. No secrets are
 * replaced here; journal_told does that.
 */
#ifndef SERVER_JOURNAL_FINDING_TEXT_H
#define SERVER_JOURNAL_FINDING_TEXT_H

#include "codec/rules/requirements.h"
#include "codec/wire/text.h"
#include "server/journal/journal.h"

enum { FINDING_LINE_MAX = 1024 }; /* enough for any of the texts below */

/* "OJ-IN-08 MUST: expected …; got …" of an entry of kind JOURNAL_FINDING. */
void finding_sentence(const struct journal_entry *entry, struct text *text);
/* " (connection 3, 0.512 s": the caller closes it. */
void finding_where(const struct journal_entry *entry, uint64_t at_us, struct text *text);
/* "the client MUST: Sends at most 6 messages in any second (000 Rate Limits)" */
void finding_statement(const struct requirement *requirement, struct text *text);
/* Static: "client" or "server", whom the requirement binds. */
const char *finding_party(const struct requirement *requirement);

#endif
