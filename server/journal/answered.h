/*
 * What a client does wrong that no requirement names, but the mock has to answer with an error: a text that
 * is no message, a path that is not served. Found in the entries of the journal, as they come.
 *
 * An error that a script or a fault sends is no answer, and one whose cause is a finding already is not told
 * twice. RATE_LIMITED is left to the rules: they know how much a network may shift messages.
 */
#ifndef SERVER_JOURNAL_ANSWERED_H
#define SERVER_JOURNAL_ANSWERED_H

#include "codec/wire/text.h"
#include "server/journal/journal.h"

enum { ANSWERED_SLOTS = 2048, ANSWERED_SENTENCE_MAX = 400 };

struct answered {
    struct {
        uint32_t connection;
        bool found;          /* the client's latest message is a finding already */
        bool answering;      /* the session has just been told of it */
        bool scripted;       /* steps of a script or a fault run here */
    } slots[ANSWERED_SLOTS]; /* by the number of the connection */
};

/* True with a sentence ("answered with INVALID_MESSAGE: …") when the entry is such an error. */
bool answered_entry(struct answered *answered, const struct journal_entry *entry,
                    char sentence[ANSWERED_SENTENCE_MAX]);

/* Adds what a response of the server that is no 101 says: "HTTP 401: {"type":…", printable, cut. */
void answered_refusal(const struct journal_entry *entry, struct text *text);

#endif
