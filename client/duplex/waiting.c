/* What does not come in time: the upgrade, a worker, session.created, session.closed, an answer. */
#include "client/duplex/internal.h"

/* ---- what a stage waits for ---- */

void duplex_client_overdue(void *owner, struct client_actions *actions)
{
    static const char *const OVERDUE[][2] = {
        {"NO_CONNECTION", "the upgrade was not answered in time"},
        [DUPLEX_CLIENT_QUEUED] = {"QUEUE_TIMEOUT", "no session.queue_done came in time"},
        [DUPLEX_CLIENT_CREATING] = {"CREATED_TIMEOUT", "no session.created came in time"},
        [DUPLEX_CLIENT_STREAMING] = {"", ""}, /* it waits for nothing */
        [DUPLEX_CLIENT_STOPPING] = {"CLOSED_TIMEOUT", "no session.closed came after session.close"},
    };
    struct duplex_client *client = owner;
    const unsigned stage = client->life.stage;
    client_life_report(&client->life, OVERDUE[stage][0], OVERDUE[stage][1], actions);
}

/* ---- the answer, when it is to end ---- */

static bool waits_for_end(const struct duplex_client *client)
{
    return client->end_asked && client->life.stage == DUPLEX_CLIENT_STREAMING &&
           client->empty_at_us != UINT64_MAX && duplex_client_is_played_out(client);
}

static bool is_answered(const struct duplex_client *client)
{
    return !client->player.in_turn && (client->life.progress.turns > 0 || !client->talked);
}

static uint64_t end_due_us(const struct duplex_client *client)
{
    const uint64_t since_us =
        client->empty_at_us > client->quiet_at_us ? client->empty_at_us : client->quiet_at_us;
    return since_us + (is_answered(client) ? DUPLEX_CLIENT_SETTLE_US : DUPLEX_CLIENT_ANSWER_WAIT_US);
}

static void check_end(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (!client->end_asked || !duplex_client_is_sent(client))
        client->empty_at_us = UINT64_MAX;
    else if (client->empty_at_us == UINT64_MAX)
        client->empty_at_us = now_us;
    if (!waits_for_end(client) || now_us < end_due_us(client))
        return;
    if (!is_answered(client))
        client_life_report(&client->life, "NO_ANSWER", "speech was sent, and no turn of the server came",
                           actions);
    duplex_client_stop(client, now_us, actions);
}

/* ---- all of them ---- */

void duplex_client_check_waits(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    client_life_check_waits(&client->life, now_us, actions);
    check_end(client, now_us, actions);
}

uint64_t duplex_client_waits_deadline_us(const struct duplex_client *client)
{
    const uint64_t deadline_us = client_life_deadline_us(&client->life);
    if (waits_for_end(client))
        return client_earlier(deadline_us, end_due_us(client));
    return deadline_us;
}
