/* How a session of this family ends: what it has had by then, what it still plays, what another session
 * begins without. 000 Best Practices, Error Handling. */
#include "client/ojin/internal.h"

#include "codec/ojin/messages.h"

bool ojin_client_is_played_out(const struct ojin_client *client)
{
    return client->buffer.count == 0 && (!client->playing || client->starved);
}

/* No final frame is awaited any more: it came, or none will, since the interaction was cancelled. */
static bool has_had_final(const struct ojin_client *client)
{
    return client->end_sent && !client->awaits_final;
}

bool ojin_client_is_done(const void *owner)
{
    const struct ojin_client *client = owner;
    return client->life.progress.final || has_had_final(client);
}

/* After the final frame the server may close first. */
bool ojin_client_plays_on(const void *owner)
{
    const struct ojin_client *client = owner;
    return client->playing && has_had_final(client) && !ojin_client_is_played_out(client);
}

void ojin_client_closing(void *owner)
{
    struct ojin_client *client = owner;
    client->playing = false;
}

static bool is_any(void *context, const struct ojin_frame *frame)
{
    (void)context;
    (void)frame;
    return true;
}

/* Speech of which a part was said is gone: half a sentence makes no sense in another session. What the
 * server heard nothing of is still to be said. */
void ojin_client_leave(void *owner, uint64_t now_us, struct client_actions *actions)
{
    struct ojin_client *client = owner;
    (void)now_us;
    if (client->sent_speech) {
        if (turn_is_due(&client->turn) || speech_unsent(&client->speech) > 0)
            client_life_report(&client->life, "SPEECH_LOST", "speech was not answered, and is not sent again",
                               actions);
        speech_drop(&client->speech);
    }
    frame_buffer_drop(&client->buffer, is_any, NULL);
    client->buffer.skip_next = false;
}

/* An errorResponse: 000 WebSocket Handshake (401). */
bool ojin_client_read_refusal(const void *owner, struct bytes body, struct text *out)
{
    struct ojin_message message;
    (void)owner;
    ojin_message_read(body, &message);
    if (message.type != OJIN_MESSAGE_ERROR_RESPONSE)
        return false;
    text_add(out, message.code);
    text_add(out, ": ");
    text_add(out, message.message);
    return true;
}
