/* What the writer and the reader of journal lines share. Private to the journal. */
#ifndef SERVER_JOURNAL_JOURNAL_LINES_H
#define SERVER_JOURNAL_JOURNAL_LINES_H

#include "codec/wire/secret.h"
#include "server/journal/journal.h"

enum {
    JOURNAL_VERSION = 1,
    REDACTED_KEY_BYTES_MIN =
        SECRET_BYTES_MIN /* a shorter key is looked for in the request head only, where it belongs */
};

/* Static names, and back; false for a name that is none. */
const char *journal_kind_name(enum journal_kind kind);
bool journal_kind_by_name(const char *name, enum journal_kind *out);
const char *journal_event_name(enum wire_event_kind kind);
bool journal_event_by_name(const char *name, enum wire_event_kind *out);
/* What a transport entry of that label is; RAW, whatever was sent as such. */
enum wire_act journal_act_of(const char *label);

/* ---- redact.c ---- */

/* Appends the request head with the entry's secrets, and whatever stands for one, replaced. */
bool redact_head(struct bytes head, const struct journal_entry *entry, struct buffer *out);
/* Appends `text` with the key replaced by "{key}", however it is spelled (codec/wire/secret.h), and others by
 * their hashes; where there is no key, by "{key}" too. */
bool redact_secrets(struct bytes text, const struct secrets *secrets, struct buffer *out);
/* Those of the entry; a key that is too short is none. */
struct secrets journal_entry_secrets(const struct journal_entry *entry);
/* Appends `text` with each `find` replaced by `with`; an empty `find` changes nothing. */
bool redact_replace(struct bytes text, struct bytes find, struct bytes with, struct buffer *out);

#endif
