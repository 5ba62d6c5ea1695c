/* The interview family from the client's end, for cases about servers. */
#ifndef CONFORMANCE_SCRIPT_INTERVIEW_CLIENT_SIDE_H
#define CONFORMANCE_SCRIPT_INTERVIEW_CLIENT_SIDE_H

#include "conformance/script/client_side.h"

enum interview_client_send { INTERVIEW_SEND_CHUNK, INTERVIEW_SEND_COMMIT, INTERVIEW_SEND_CANCEL };

extern const struct client_side INTERVIEW_CLIENT_SIDE;

/* ---- client_write.c: functions of the table ---- */

const char *interview_client_lacks(const struct client_target *target, const struct client_step *step);
bool interview_client_target(const struct client_target *target, const struct profile *profile,
                             const struct client_step *step, struct text *out);
bool interview_client_write(const struct client_step *step, const struct client_writing *with,
                            struct buffer *out);

/* ---- client_see.c ---- */

/* Rows of INTERVIEW_CLIENT_RECEIVES, which are ended by a NULL name. */
enum {
    INTERVIEW_RECEIVE_CONNECTED = RECEIVE_FAMILY,
    INTERVIEW_RECEIVE_STATUS,
    INTERVIEW_RECEIVE_TRANSCRIPT,
    INTERVIEW_RECEIVE_CHUNK,
    INTERVIEW_RECEIVE_FINAL,
    INTERVIEW_RECEIVE_RESULT
};
extern const struct client_receive INTERVIEW_CLIENT_RECEIVES[];
extern const struct seen_message INTERVIEW_SEEN_MESSAGES[];

void interview_client_see(const struct profile *profile, const struct wire_event *event, struct seen *out,
                          struct frame_summary *frame);
void interview_client_see_body(struct bytes body, struct seen *out);
bool interview_client_matches(const struct seen *seen, int receive);
/* The profile whose words a first message is in; NULL: it cannot be told. */
const struct profile *interview_client_profile_said(struct bytes message);

#endif
