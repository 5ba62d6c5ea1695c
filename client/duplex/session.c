/* A session as it is before the upgrade, and from session.created on. */
#include "client/duplex/internal.h"

void duplex_client_begin(void *owner, uint64_t now_us)
{
    struct duplex_client *client = owner;
    client->life.deadline_us = now_us + DUPLEX_CLIENT_UPGRADE_WAIT_US;
    client->sent_speech = false;
    client->is_waiting = false;
    client->not_reading = false;
    client->next_picture = 0;
    client->force_due = false;
    client->muted_until_us = 0;
    client->empty_at_us = UINT64_MAX;
    client->quiet_at_us = now_us;
    client->turn_text_len = 0;
    client->summary.position = 0;
    client->summary.reason[0] = '\0';
}

void duplex_client_stream(struct duplex_client *client, uint64_t now_us)
{
    client->life.stage = DUPLEX_CLIENT_STREAMING;
    client->life.deadline_us = UINT64_MAX;
    client->summary.created_us = now_us;
    client_life_ready(&client->life, now_us);
    client->next_append_us = now_us;
    client->quiet_at_us = now_us;
    player_start(&client->player, now_us);
}
