/* How a session of this family ends, and what another begins without. 002 Close, Error Codes. */
#include "client/duplex/internal.h"

void duplex_client_stop(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    struct duplex_message message = {.type = DUPLEX_MESSAGE_CLOSE,
                                     .has_reason = true,
                                     .reason = bytes_of_text(duplex_reason_name(DUPLEX_REASON_USER_STOP))};
    duplex_client_cut(client, now_us, actions);
    if (!client_life_leave(&client->life))
        return;
    if (client->life.stage == DUPLEX_CLIENT_STREAMING) {
        client->life.stage = DUPLEX_CLIENT_STOPPING;
        client_life_stop_pings(&client->life);
        client->life.deadline_us = now_us + DUPLEX_CLIENT_CLOSED_WAIT_US;
        duplex_client_send(client, &message, actions);
    } else if (client->life.stage != DUPLEX_CLIENT_STOPPING) {
        client_life_begin_close(&client->life, now_us, now_us, DUPLEX_CLOSE_NORMAL, true);
    }
}

bool duplex_client_plays_on(const void *owner)
{
    return !duplex_client_is_played_out(owner);
}

/* Speech of which a part was said is gone: half a sentence makes no sense in another session. What the server
 * heard nothing of is still to be said. */
void duplex_client_leave(void *owner, uint64_t now_us, struct client_actions *actions)
{
    struct duplex_client *client = owner;
    duplex_client_cut(client, now_us, actions);
    if (!client->sent_speech)
        return;
    if (!microphone_is_empty(&client->microphone) || client->life.progress.turns == 0)
        client_life_report(&client->life, "SPEECH_LOST", "speech was not answered, and is not sent again",
                           actions);
    microphone_drop(&client->microphone);
}

/* An error event. */
bool duplex_client_read_refusal(const void *owner, struct bytes body, struct text *out)
{
    const struct duplex_client *client = owner;
    const struct duplex_read_options options = {.profile = client->profile};
    struct duplex_message message;
    duplex_message_read(body, &options, &message);
    const bool is_error = message.type == DUPLEX_MESSAGE_ERROR;
    if (is_error) {
        text_add_bytes(out, message.code);
        text_add(out, ": ");
        text_add_bytes(out, message.error_message);
    }
    duplex_message_free(&message);
    return is_error;
}
