/*
 * Which entries of a journal are meant: `session=2&direction=client&label=audio&since=120` and so on. All
 * that is given has to hold.
 */
#ifndef SERVER_CONTROL_FIND_H
#define SERVER_CONTROL_FIND_H

#include "server/control/query.h"
#include "server/control/ring.h"

enum { FIND_LIMIT_DEFAULT = 1000, FIND_NEEDLE_MAX = 6 * QUERY_VALUE_MAX + 3 };

struct find {
    uint64_t session;             /* 0: any */
    char family[32];              /* of the session, by name; that it is served is not looked at here */
    char direction[8];            /* "client", "server"; empty: any, as of the other texts */
    char kind[32];                /* of the entry: "wire", "finding", "mark" … */
    char what[RING_TYPE_MAX];     /* its kind, label, event or type */
    char label[ACTION_LABEL_MAX]; /* what it is: "audio", "speech", "upgrade" … */
    char event[32];               /* on the wire: "text", "binary", "close" … */
    char type[RING_TYPE_MAX];     /* of a JSON text message */
    char requirement[32];         /* of a finding */
    char needle[FIND_NEEDLE_MAX]; /* what its line holds, as JSON spells it */
    uint64_t since;               /* sequences from here on */
    uint64_t limit;
};

/* The names of the parameters, ended by NULL; callers add their own. */
#define FIND_PARAMETERS                                                                                      \
    "session", "family", "direction", "what", "kind", "label", "event", "type", "requirement", "text",       \
        "since", "limit"

/* False with a sentence in `error`. */
bool find_read(const struct http_head *head, struct find *out, char error[QUERY_ERROR_MAX]);
bool find_matches(const struct find *find, const struct ring_entry *entry);
/* How many entries of the ring match, without regard to the limit. */
size_t find_count(const struct find *find, const struct ring *ring);

#endif
