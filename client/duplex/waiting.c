/* What does not come in time: the upgrade, a worker, session.created, session.closed, pongs, an answer. */
#include "client/duplex/internal.h"

/* ---- what a phase waits for ---- */

static void check_phase(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (now_us < client->deadline_us || client->phase == DUPLEX_CLIENT_CLOSING)
        return;
    client->deadline_us = UINT64_MAX;
    switch (client->phase) {
    case DUPLEX_CLIENT_CONNECTING:
        duplex_client_report_text(client, "NO_CONNECTION", "the upgrade was not answered in time", actions);
        duplex_client_hang_up(client, now_us, actions);
        break;
    case DUPLEX_CLIENT_QUEUED:
        duplex_client_report_text(client, "QUEUE_TIMEOUT", "no session.queue_done came in time", actions);
        duplex_client_begin_close(client, now_us, now_us, DUPLEX_CLOSE_NORMAL, false);
        break;
    case DUPLEX_CLIENT_CREATING:
        if (client->seams.no_early_close)
            break;
        duplex_client_report_text(client, "CREATED_TIMEOUT", "no session.created came in time", actions);
        duplex_client_begin_close(client, now_us, now_us, DUPLEX_CLOSE_NORMAL, false);
        break;
    case DUPLEX_CLIENT_STOPPING:
        if (client->seams.no_closed_timeout)
            break;
        duplex_client_report_text(client, "CLOSED_TIMEOUT", "no session.closed came after session.close",
                                  actions);
        duplex_client_begin_close(client, now_us, now_us, DUPLEX_CLOSE_NORMAL, true);
        break;
    case DUPLEX_CLIENT_BACKING_OFF:
    case DUPLEX_CLIENT_STREAMING:
    case DUPLEX_CLIENT_CLOSING:
    case DUPLEX_CLIENT_OVER:
        break;
    }
}

/* ---- pongs ---- */

static bool is_up(const struct duplex_client *client)
{
    return client->phase == DUPLEX_CLIENT_QUEUED || client->phase == DUPLEX_CLIENT_CREATING ||
           client->phase == DUPLEX_CLIENT_STREAMING;
}

static uint64_t ping_interval_us(const struct duplex_client *client)
{
    if (client->seams.ping_interval_us != 0)
        return client->seams.ping_interval_us;
    return client->config.ping_interval_us != 0 ? client->config.ping_interval_us
                                                : DUPLEX_CLIENT_PING_INTERVAL_US;
}

void duplex_client_wait_for_pongs(struct duplex_client *client, uint64_t now_us)
{
    client->next_ping_us = now_us + ping_interval_us(client);
}

static void check_pongs(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (!is_up(client))
        return;
    if (now_us >= client->pong_deadline_us) {
        client->pong_deadline_us = UINT64_MAX;
        duplex_client_report_text(client, "PONG_TIMEOUT", "the server answers no ping", actions);
        duplex_client_begin_close(client, now_us, now_us, WS_CLOSE_GOING_AWAY, false);
    } else if (now_us >= client->next_ping_us) {
        client->next_ping_us = now_us + ping_interval_us(client);
        if (client->pong_deadline_us == UINT64_MAX)
            client->pong_deadline_us = now_us + ping_interval_us(client) / 3;
        client->summary.pings_sent++;
        client_action_add(actions, CLIENT_SEND_PING);
    }
}

/* ---- the answer, when it is to end ---- */

static bool waits_for_end(const struct duplex_client *client)
{
    return client->end_asked && client->phase == DUPLEX_CLIENT_STREAMING &&
           client->empty_at_us != UINT64_MAX && duplex_client_is_played_out(client);
}

static bool is_answered(const struct duplex_client *client)
{
    return !client->player.in_turn && (client->progress.turns > 0 || !client->talked);
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
    if (client->seams.no_turn_timeout && client->player.in_turn)
        return;
    if (!is_answered(client))
        duplex_client_report_text(client, "NO_ANSWER", "speech was sent, and no turn of the server came",
                                  actions);
    duplex_client_stop(client, now_us, actions);
}

/* ---- all of them ---- */

void duplex_client_check_waits(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    check_phase(client, now_us, actions);
    check_pongs(client, now_us, actions);
    check_end(client, now_us, actions);
}

uint64_t duplex_client_waits_deadline_us(const struct duplex_client *client)
{
    uint64_t deadline_us = client->phase == DUPLEX_CLIENT_CLOSING ? UINT64_MAX : client->deadline_us;
    if (is_up(client))
        deadline_us = duplex_client_earlier(
            deadline_us, duplex_client_earlier(client->next_ping_us, client->pong_deadline_us));
    if (waits_for_end(client) && !(client->seams.no_turn_timeout && client->player.in_turn))
        deadline_us = duplex_client_earlier(deadline_us, end_due_us(client));
    return deadline_us;
}
