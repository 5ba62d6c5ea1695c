/* What does not come in time: the upgrade, sessionReady, pongs, speech, the final frame. 000 WebSocket
 * Handshake, EndInteraction vs CancelInteraction; field notes. */
#include "client/ojin/internal.h"

enum { WAIT_SENTENCE_MAX = 80 };

/* ---- the upgrade and sessionReady ---- */

static bool awaits_ready(const struct ojin_client *client)
{
    return client->phase == OJIN_CLIENT_CONNECTING || client->phase == OJIN_CLIENT_AWAITING_READY;
}

/* "no sessionReady came within 10 s" */
static void report_wait(struct ojin_client *client, const char *what, struct client_actions *actions)
{
    char sentence[WAIT_SENTENCE_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    text_add(&text, what);
    text_add(&text, " within ");
    text_add_u64(&text, client->ready_wait_us / 1000000);
    text_add(&text, " s");
    ojin_client_report(client, "READY_TIMEOUT", sentence, actions);
}

static void check_ready(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (!awaits_ready(client) || now_us < client->ready_deadline_us)
        return;
    if (client->phase == OJIN_CLIENT_CONNECTING) {
        report_wait(client, "the upgrade was not answered", actions);
        ojin_client_hang_up(client, now_us, actions);
        return;
    }
    report_wait(client, "no sessionReady came", actions);
    ojin_client_begin_close(client, now_us, now_us, OJIN_CLOSE_NORMAL, false);
}

/* ---- pongs ---- */

static bool is_up(const struct ojin_client *client)
{
    return !client->closed && (client->phase == OJIN_CLIENT_AWAITING_READY ||
                               client->phase == OJIN_CLIENT_STREAMING || client->phase == OJIN_CLIENT_ENDING);
}

static uint64_t pong_wait_us(const struct ojin_client *client)
{
    return client->ping_interval_us / (OJIN_PING_INTERVAL_US / OJIN_PING_TIMEOUT_US);
}

static void check_pongs(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (!is_up(client))
        return;
    if (now_us >= client->pong_deadline_us) {
        client->pong_deadline_us = UINT64_MAX;
        ojin_client_report(client, "PONG_TIMEOUT", "the server answers no ping", actions);
        ojin_client_begin_close(client, now_us, now_us, OJIN_CLOSE_GOING_AWAY, false);
    } else if (now_us >= client->next_ping_us) {
        client->next_ping_us = now_us + client->ping_interval_us;
        if (!client->seams.ignore_missing_pong && client->pong_deadline_us == UINT64_MAX)
            client->pong_deadline_us = now_us + pong_wait_us(client);
        client->summary.pings_sent++;
        client_action_add(actions, CLIENT_SEND_PING);
    }
}

/* ---- speech ---- */

static void check_stall(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (!is_up(client) || now_us < client->stall_at_us)
        return;
    client->stall_at_us = UINT64_MAX;
    client->summary.stalls++;
    ojin_client_report(client, "STALLED", "speech was sent, and none has come back for 10 s", actions);
}

/* ---- nothing that is due: defects ---- */

static void check_patience(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (!is_up(client) || now_us < client->give_up_at_us)
        return;
    client->give_up_at_us = UINT64_MAX;
    if (client->seams.frame_wait_us != 0)
        ojin_client_report(client, "TIMEOUT", "no frame came for long", actions);
    ojin_client_begin_close(client, now_us, now_us, OJIN_CLOSE_NORMAL, client->seams.frame_wait_us != 0);
}

/* ---- the final frame ---- */

static void check_final(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->phase != OJIN_CLIENT_ENDING || !client->end_sent)
        return;
    if (client->seams.no_end_message && client->progress.idle) /* nobody was asked for a final frame */
        ojin_client_begin_close(client, now_us, now_us, OJIN_CLOSE_NORMAL, true);
    if (client->final_waived && !client->turn.settling) {
        client->final_waived = false;
        client->flush = true;
        client->final_deadline_us = UINT64_MAX;
        ojin_client_play_arrived(client, now_us);
    }
    if (now_us >= client->final_deadline_us && !client->seams.no_final_timeout) {
        ojin_client_report(client, "FINAL_TIMEOUT", "no final frame came after endInteraction", actions);
        ojin_client_begin_close(client, now_us, now_us, OJIN_CLOSE_NORMAL, true);
    } else if (client->final_deadline_us == UINT64_MAX && ojin_client_is_played_out(client)) {
        if (client->closed)
            ojin_client_finish(client);
        else
            ojin_client_begin_close(client, now_us, now_us, OJIN_CLOSE_NORMAL, true);
    }
}

/* ---- all of them ---- */

void ojin_client_check_waits(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    check_ready(client, now_us, actions);
    check_pongs(client, now_us, actions);
    check_stall(client, now_us, actions);
    check_patience(client, now_us, actions);
    check_final(client, now_us, actions);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t ojin_client_waits_deadline_us(const struct ojin_client *client)
{
    uint64_t deadline_us = UINT64_MAX;
    if (awaits_ready(client))
        deadline_us = client->ready_deadline_us;
    if (is_up(client))
        deadline_us =
            earlier(earlier(deadline_us, client->give_up_at_us),
                    earlier(client->stall_at_us, earlier(client->next_ping_us, client->pong_deadline_us)));
    if (client->phase == OJIN_CLIENT_ENDING && !client->seams.no_final_timeout)
        deadline_us = earlier(deadline_us, client->final_deadline_us);
    return deadline_us;
}
