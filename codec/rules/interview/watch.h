/*
 * What both sets of rules of the interview family know of a session: each event read once, and how far the
 * session has come. Used by the files of this folder only.
 *
 * The rules see an event before the watch has taken it in, so that they find the session as it was.
 */
#ifndef CODEC_RULES_INTERVIEW_WATCH_H
#define CODEC_RULES_INTERVIEW_WATCH_H

#include "codec/interview/messages.h"
#include "codec/rules/rules.h"

struct interview_seen {
    const struct wire_event *event;
    bool from_client; /* a text or binary message of the client: `message` is set unless it was cut */
    bool from_server; /* ... of the server */
    bool is_cut;      /* the message is not here whole */
    bool is_binary;   /* not JSON text: read all the same */
    bool ends;        /* a close or the end of the connection */
    struct interview_message message;
};

/* Is it a message of that type, and here whole? */
static inline bool interview_client_sent(const struct interview_seen *seen, enum interview_message_type type)
{
    return seen->from_client && !seen->is_cut && seen->message.type == type;
}
static inline bool interview_server_sent(const struct interview_seen *seen, enum interview_message_type type)
{
    return seen->from_server && !seen->is_cut && seen->message.type == type;
}

struct interview_watch {
    const struct interview_profile *profile;
    bool open; /* the upgrade was granted */
    uint64_t open_us;
    bool connected;   /* a status "connected" came */
    bool over;        /* closed or ended, by either side */
    bool server_left; /* ... by the server first */

    /* the client's turn */
    uint64_t chunks; /* since the latest commit, right or wrong */
    uint64_t cut;    /* messages since then that are not here whole: each may have been a chunk */
    uint64_t samples;
    uint64_t chunk_us; /* the latest */
    uint64_t commits;
    uint64_t commit_us; /* the latest */

    /* the reply */
    bool replying;  /* a chunk of it came, and none with is_final since */
    bool cancelled; /* a cancel_response since the reply began, and no commit since */
    uint64_t cancel_us;
};

void interview_watch_init(struct interview_watch *watch, const struct interview_profile *profile);
/* Reads the event. The message is freed by interview_watch_settle. */
void interview_watch_observe(const struct interview_watch *watch, const struct wire_event *event,
                             struct interview_seen *seen);
void interview_watch_settle(struct interview_watch *watch, struct interview_seen *seen);

static inline uint64_t interview_since(uint64_t from_us, uint64_t to_us)
{
    return to_us > from_us ? to_us - from_us : 0;
}

#endif
