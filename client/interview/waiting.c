/* What does not come in time: the upgrade, the status "connected", a reply. */
#include "client/interview/internal.h"

/* ---- what a stage waits for ---- */

void interview_client_overdue(void *owner, struct client_actions *actions)
{
    static const char *const OVERDUE[][2] = {
        {"NO_CONNECTION", "the upgrade was not answered in time"},
        [INTERVIEW_CLIENT_JOINING] = {"CONNECTED_TIMEOUT", "no status \"connected\" came in time"},
        [INTERVIEW_CLIENT_TALKING] = {"", ""}, /* it waits for nothing */
    };
    struct interview_client *client = owner;
    const unsigned stage = client->life.stage;
    client_life_report(&client->life, OVERDUE[stage][0], OVERDUE[stage][1], actions);
}

/* ---- a reply ---- */

static bool waits_for_reply(const struct interview_client *client)
{
    return client->life.stage == INTERVIEW_CLIENT_TALKING && client->awaits_reply;
}

static void check_reply(struct interview_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (!waits_for_reply(client) || now_us < client->reply_deadline_us)
        return;
    const uint64_t turns = client->life.progress.turns;
    client_life_report(&client->life, "NO_REPLY",
                       client->reply_open ? "the reply broke off: no chunk with is_final came in time"
                                          : "an answer was committed, and no reply came in time",
                       actions);
    client->awaits_reply = false;
    client->reply_open = false;
    interview_client_drop(client, now_us, false, actions);
    client->life.progress.turns = turns + 1; /* nobody has to wait for it any more */
}

/* ---- the end ---- */

static bool waits_for_end(const struct interview_client *client)
{
    return client->end_asked && client->life.stage == INTERVIEW_CLIENT_TALKING &&
           answers_are_empty(&client->answers) && !client->awaits_reply &&
           interview_client_is_played_out(client);
}

static uint64_t end_due_us(const struct interview_client *client)
{
    return client->quiet_at_us + INTERVIEW_CLIENT_SETTLE_US;
}

void interview_client_check_waits(struct interview_client *client, uint64_t now_us,
                                  struct client_actions *actions)
{
    client_life_check_waits(&client->life, now_us, actions);
    check_reply(client, now_us, actions);
    if (!waits_for_end(client) || now_us < end_due_us(client))
        return;
    if (client_life_leave(&client->life))
        client_life_begin_close(&client->life, now_us, now_us, INTERVIEW_CLOSE_NORMAL, true);
}

uint64_t interview_client_waits_deadline_us(const struct interview_client *client)
{
    uint64_t deadline_us = client_life_deadline_us(&client->life);
    if (waits_for_reply(client))
        deadline_us = client_earlier(deadline_us, client->reply_deadline_us);
    return waits_for_end(client) ? client_earlier(deadline_us, end_due_us(client)) : deadline_us;
}
