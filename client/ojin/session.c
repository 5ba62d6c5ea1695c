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
    ojin_client_wait_for_ready(client, now_us);
    client->final_deadline_us = UINT64_MAX;
    client->give_up_at_us = UINT64_MAX;
    client->stall_at_us = UINT64_MAX;
}

void ojin_client_wait_for_ready(struct ojin_client *client, uint64_t now_us)
{
    const uint64_t wait_us =
        client->seams.ready_wait_us != 0 ? client->seams.ready_wait_us : client->ready_wait_us;
    client->life.deadline_us = client->seams.no_ready_timeout ? UINT64_MAX : now_us + wait_us;
}

void ojin_client_wait_for_final(struct ojin_client *client, uint64_t now_us)
{
    client->final_deadline_us =
        now_us + (client->seams.final_wait_us != 0 ? client->seams.final_wait_us : OJIN_CLIENT_FINAL_WAIT_US);
}

static uint64_t stall_wait_us(const struct ojin_client *client)
{
    return client->seams.stall_us != 0 ? client->seams.stall_us : OJIN_CLIENT_STALL_WAIT_US;
}

/* Speech that is all zero is not rendered, so nothing is due for it. */
void ojin_client_wait_for_speech(struct ojin_client *client, uint64_t now_us, const int16_t *samples,
                                 size_t count)
{
    if (client->stall_at_us != UINT64_MAX || client->seams.no_stall_report)
        return;
    for (size_t i = 0; i < count; i++)
        if (samples[i] != 0) {
            client->stall_at_us = now_us + stall_wait_us(client);
            return;
        }
}

void ojin_client_wait_for_frames(struct ojin_client *client, uint64_t now_us)
{
    if (client->seams.frame_wait_us != 0)
        client->give_up_at_us = now_us + client->seams.frame_wait_us;
    else if (client->seams.leaves_second_us != 0 && client->life.progress.reconnects == 1)
        client->give_up_at_us = now_us + client->seams.leaves_second_us;
}

void ojin_client_frame_came(struct ojin_client *client, uint64_t now_us, bool speech)
{
    if (client->seams.frame_wait_us != 0)
        ojin_client_wait_for_frames(client, now_us);
    if (speech)
        client->stall_at_us = client->seams.no_stall_report ? UINT64_MAX : now_us + stall_wait_us(client);
    else if (client->turn.state == TURN_IDLE)
        client->stall_at_us = UINT64_MAX;
}
