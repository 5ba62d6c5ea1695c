/*
 * What the clients of a stage did against the documents: each finding as the line of JSON that is answered.
 * The first FINDINGS_MAX are kept, whatever falls out of the journal; further ones are counted.
 */
#ifndef SERVER_CONTROL_FINDINGS_H
#define SERVER_CONTROL_FINDINGS_H

#include "server/journal/answered.h"
#include "server/journal/journal.h"

enum { FINDINGS_MAX = 200, FINDINGS_LINE_MAX = 16384 };

struct kept_finding {
    uint64_t sequence; /* of its entry in the journal */
    uint32_t connection;
    const struct session_class *class; /* of its family; NULL: nobody knows */
    const char *requirement;           /* static; NULL: none names it (server/journal/answered.h) */
    bool note;                         /* it breaks nothing */
    char *line;                        /* owned, terminated */
};

struct findings {
    struct kept_finding *list; /* owned; grows to FINDINGS_MAX */
    size_t count;
    size_t bytes;  /* of the lines */
    uint64_t lost; /* those that were not kept */
    struct answered answered;
};

/* Takes an entry of the journal in; most are no finding. */
void findings_entry(struct findings *findings, const struct journal_entry *entry);
/* Forgets all. */
void findings_clear(struct findings *findings);

#endif
