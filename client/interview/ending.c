/* How a session of this family ends, and what another begins without. 004 WebSocket Close Codes. */
#include "client/interview/internal.h"

bool interview_client_is_done(const void *owner)
{
    const struct interview_client *client = owner;
    return client->end_asked && answers_are_empty(&client->answers);
}

bool interview_client_plays_on(const void *owner)
{
    return !interview_client_is_played_out(owner);
}

/* What was committed is the server's, whatever became of it; of what was not it keeps nothing. */
void interview_client_leave(void *owner, uint64_t now_us, struct client_actions *actions)
{
    struct interview_client *client = owner;
    if (client->awaits_reply)
        client_life_report(
            &client->life, "REPLY_LOST",
            "the connection was lost before the reply was there, and the answer is not said again", actions);
    const uint64_t turns = client->life.progress.turns;
    interview_client_drop(client, now_us, false, actions);
    if (client->awaits_reply)
        client->life.progress.turns = turns + 1;
    answers_rewind(&client->answers);
}

uint64_t interview_client_retry_wait_us(const void *owner, uint16_t close_code)
{
    (void)owner;
    return close_code == INTERVIEW_CLOSE_RESTART ? INTERVIEW_RESTART_WAIT_US : 0;
}

/* An error message. */
bool interview_client_read_refusal(const void *owner, struct bytes body, struct text *out)
{
    const struct interview_client *client = owner;
    struct interview_message message;
    interview_message_read(body, client->dialect, &message);
    const bool is_error = message.type == INTERVIEW_MESSAGE_ERROR;
    if (is_error) {
        text_add_bytes(out, message.code);
        text_add(out, ": ");
        text_add_bytes(out, message.message);
    }
    interview_message_free(&message);
    return is_error;
}
