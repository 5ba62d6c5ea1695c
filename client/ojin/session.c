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
    client->final_waived = false;
    client->playing = false;
    client->starved = false;
    client->flush = false;
    client->next_play_us = now_us;
    client->heard_turn = false;
    client->life.deadline_us = now_us + client->ready_wait_us;
    client->awaits_final = false;
    client->final_deadline_us = UINT64_MAX;
    client->stall_at_us = UINT64_MAX;
}

void ojin_client_wait_for_final(struct ojin_client *client, uint64_t now_us)
{
    client->awaits_final = true;
    client->final_deadline_us = now_us + client->final_wait_us;
}

/* Speech that is all zero is not rendered, so nothing is due for it. */
void ojin_client_wait_for_speech(struct ojin_client *client, uint64_t now_us, const int16_t *samples,
                                 size_t count)
{
    if (client->stall_at_us != UINT64_MAX)
        return;
    for (size_t i = 0; i < count; i++)
        if (samples[i] != 0) {
            client->stall_at_us = now_us + client->stall_wait_us;
            return;
        }
}

void ojin_client_frame_came(struct ojin_client *client, uint64_t now_us, bool speech)
{
    if (speech)
        client->stall_at_us = now_us + client->stall_wait_us;
    else if (client->turn.state == TURN_IDLE)
        client->stall_at_us = UINT64_MAX;
}
