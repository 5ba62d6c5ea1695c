/*
 * What both sets of rules of the full-duplex family know of a session: each event read once, and how far the
 * session has come. Used by the files of this folder only.
 *
 * The rules see an event before the watch has taken it in, so that they find the session as it was.
 */
#ifndef CODEC_RULES_DUPLEX_WATCH_H
#define CODEC_RULES_DUPLEX_WATCH_H

#include "codec/duplex/phase.h"
#include "codec/duplex/turn.h"
#include "codec/rules/rules.h"

struct duplex_seen {
    const struct wire_event *event;
    bool from_client; /* a text or binary message of the client: `message` is set unless it was cut */
    bool from_server; /* ... of the server */
    bool is_cut;      /* the message is not here whole */
    bool is_binary;   /* not JSON text: read all the same */
    bool ends;        /* a close or the end of the connection */
    struct duplex_message message;
};

/* Is it a message of that type, and here whole? */
static inline bool duplex_seen_is(const struct duplex_seen *seen, enum duplex_message_type type)
{
    return (seen->from_client || seen->from_server) && !seen->is_cut && seen->message.type == type;
}

struct duplex_watch {
    const struct duplex_profile *profile;
    bool open; /* the upgrade was granted */
    uint64_t open_us;
    enum duplex_phase phase; /* CLOSED: a session.closed came */
    uint64_t phase_us;       /* since when */
    bool may_be_further;     /* raw bytes came, which may have been any message of the server */
    bool queued;             /* a session.queued came */
    uint64_t queue_events;   /* queued and queue_update */
    uint64_t queue_done_us;
    uint64_t updates; /* of the client, right or wrong */
    uint64_t appends;
    bool close_sent; /* session.close */
    uint64_t close_us;
    bool fatal; /* an error came behind which the server closes */
    uint64_t fatal_us;
    bool over; /* closed or ended, by either side */

    /* what the server says */
    uint64_t outputs; /* deltas and listens */
    bool in_turn;     /* the latest output is a delta without end_of_turn */
    bool speaking;    /* a delta came, and no listen since */
    struct duplex_playout playout;
};

void duplex_watch_init(struct duplex_watch *watch, const struct duplex_profile *profile);
/* Reads the event; `options` has the profile of the watch. The message is freed by duplex_watch_settle. */
void duplex_watch_observe(const struct duplex_watch *watch, const struct wire_event *event,
                          const struct duplex_read_options *options, struct duplex_seen *seen);
void duplex_watch_settle(struct duplex_watch *watch, struct duplex_seen *seen);

static inline uint64_t duplex_since(uint64_t from_us, uint64_t to_us)
{
    return to_us > from_us ? to_us - from_us : 0;
}

#endif
