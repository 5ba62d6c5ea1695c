/* A session as it begins, and until when it waits for what; waiting.c does what follows from it. */
#include "client/ojin/internal.h"

void ojin_client_begin(void *owner, uint64_t now_us)
{
    struct ojin_client *client = owner;
    client->sender = client->fresh_sender;
    client->turn = (struct turn){0};
    client->sent_speech = false;
    client->opening_due = false;
    client->cancel_due = false;
    client->end_sent = false;
    client->final_missed = false;
    client->final_waived = false;
    client->playing = client->seams.keep_buffer_on_reconnect && client->buffer.count > 0;
    client->starved = false;
    client->flush = false;
    client->next_play_us = now_us;
    client->heard_turn = false;
    client->life.deadline_us = ojin_client_wait_until_us(client, now_us, OJIN_WAIT_READY);
    client->awaits_final = false;
    client->final_deadline_us = UINT64_MAX;
    client->give_up_at_us = UINT64_MAX;
    client->stall_at_us = UINT64_MAX;
}

uint64_t ojin_client_wait_until_us(const struct ojin_client *client, uint64_t now_us,
                                   enum ojin_client_wait wait)
{
    const uint64_t wait_us = client->wait_us[wait];
    return wait_us == UINT64_MAX ? UINT64_MAX : now_us + wait_us;
}

void ojin_client_wait_for_final(struct ojin_client *client, uint64_t now_us)
{
    client->awaits_final = true;
    client->final_deadline_us = ojin_client_wait_until_us(client, now_us, OJIN_WAIT_FINAL);
}

/* Speech that is all zero is not rendered, so nothing is due for it. */
void ojin_client_wait_for_speech(struct ojin_client *client, uint64_t now_us, const int16_t *samples,
                                 size_t count)
{
    if (client->stall_at_us != UINT64_MAX)
        return;
    for (size_t i = 0; i < count; i++)
        if (samples[i] != 0) {
            client->stall_at_us = ojin_client_wait_until_us(client, now_us, OJIN_WAIT_SPEECH);
            return;
        }
}

void ojin_client_wait_for_frames(struct ojin_client *client, uint64_t now_us)
{
    client->give_up_at_us = ojin_client_wait_until_us(client, now_us, OJIN_WAIT_FRAME);
    if (client->seams.leaves_second_us != 0 && client->life.progress.reconnects == 1)
        client->give_up_at_us = now_us + client->seams.leaves_second_us;
}

void ojin_client_frame_came(struct ojin_client *client, uint64_t now_us, bool speech)
{
    if (client->wait_us[OJIN_WAIT_FRAME] != UINT64_MAX)
        ojin_client_wait_for_frames(client, now_us);
    if (speech)
        client->stall_at_us = ojin_client_wait_until_us(client, now_us, OJIN_WAIT_SPEECH);
    else if (client->turn.state == TURN_IDLE)
        client->stall_at_us = UINT64_MAX;
}
