/*
 * The bytes of a message for people: its fields by name, each in hex, with the field marked that does not
 * read as the protocol has it, and the rest cut. type 01  timestamp 0000019a2b3c4d5e  >params-size ffffffff<
 * audio 01000200...  (1293 bytes)
 */
#ifndef CONFORMANCE_REPORT_WIRE_BYTES_H
#define CONFORMANCE_REPORT_WIRE_BYTES_H

#include "codec/wire/text.h"
#include "server/journal/journal.h"

enum { WIRE_BYTES_SHOWN_MAX = 16 /* of a field without a length of its own */ };

/* Appends the fields of a binary message of the client's or the server's; nothing for any other entry. The
 * key does not stand in it. */
void wire_bytes_write(struct text *out, const struct journal_entry *entry);
/* Appends what an entry of the wire holds as it may be shown, at most `bytes_max` of it: text as it is,
 * without control characters but for line ends. Nothing for a binary message. */
void wire_text_write(struct text *out, const struct journal_entry *entry, size_t bytes_max);

#endif
