/* The full-duplex family from the client's end, for cases about servers. */
#ifndef CONFORMANCE_SCRIPT_DUPLEX_CLIENT_SIDE_H
#define CONFORMANCE_SCRIPT_DUPLEX_CLIENT_SIDE_H

#include "conformance/script/client_side.h"

enum duplex_client_send { DUPLEX_SEND_UPDATE, DUPLEX_SEND_APPEND, DUPLEX_SEND_CLOSE };

extern const struct client_side DUPLEX_CLIENT_SIDE;

/* ---- client_write.c: functions of the table ---- */

bool duplex_client_target(const struct client_target *target, const struct profile *profile,
                          const struct client_step *step, struct text *out);
bool duplex_client_write(const struct client_step *step, const struct client_writing *with,
                         struct buffer *out);
/* How many pictures an append holds. */
uint64_t duplex_client_pictures(const struct client_step *step, const struct profile *profile);

/* ---- client_see.c ---- */

/* Rows of DUPLEX_CLIENT_RECEIVES, which are ended by a NULL name. */
enum {
    DUPLEX_RECEIVE_QUEUED = RECEIVE_FAMILY,
    DUPLEX_RECEIVE_QUEUE_UPDATE,
    DUPLEX_RECEIVE_QUEUE_DONE,
    DUPLEX_RECEIVE_CREATED,
    DUPLEX_RECEIVE_DELTA,
    DUPLEX_RECEIVE_TURN_END,
    DUPLEX_RECEIVE_LISTEN,
    DUPLEX_RECEIVE_OUTPUT,
    DUPLEX_RECEIVE_CLOSED
};
extern const struct client_receive DUPLEX_CLIENT_RECEIVES[];
extern const struct seen_message DUPLEX_SEEN_MESSAGES[];

void duplex_client_see(const struct profile *profile, const struct wire_event *event, struct seen *out,
                       struct frame_summary *frame);
void duplex_client_see_body(struct bytes body, struct seen *out);
bool duplex_client_matches(const struct seen *seen, int receive);

#endif
