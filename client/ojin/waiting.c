/* What does not come in time: the upgrade, sessionReady, speech, the final frame. 000 WebSocket Handshake,
 * EndInteraction vs CancelInteraction; field notes. */
#include "client/ojin/internal.h"

enum { WAIT_SENTENCE_MAX = 80 };

/* ---- the upgrade and sessionReady ---- */

/* "no sessionReady came within 10 s" */
void ojin_client_overdue(void *owner, struct client_actions *actions)
{
    struct ojin_client *client = owner;
    char sentence[WAIT_SENTENCE_MAX];
    struct text text = text_of(sentence, sizeof sentence);
    text_add(&text, client->life.opened ? "no sessionReady came" : "the upgrade was not answered");
    text_add(&text, " within ");
    text_add_u64(&text, client->ready_wait_us / 1000000);
    text_add(&text, " s");
    client_life_report(&client->life, "READY_TIMEOUT", sentence, actions);
}

/* ---- speech ---- */

static void check_stall(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->life.stage == 0 || now_us < client->stall_at_us)
        return;
    client->stall_at_us = UINT64_MAX;
    client->summary.stalls++;
    client_life_report(&client->life, "STALLED", "speech was sent, and none has come back for 10 s", actions);
}

/* ---- the final frame ---- */

static void check_final(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->life.stage != OJIN_CLIENT_ENDING || !client->end_sent)
        return;
    if (client->final_waived && !client->turn.settling) {
        client->final_waived = false;
        client->flush = true;
        client->awaits_final = false;
        ojin_client_play_arrived(client, now_us);
    }
    if (client->awaits_final && now_us >= client->final_deadline_us) {
        client_life_report(&client->life, "FINAL_TIMEOUT", "no final frame came after endInteraction",
                           actions);
        client_life_begin_close(&client->life, now_us, now_us, OJIN_CLOSE_NORMAL, true);
    } else if (!client->awaits_final && ojin_client_is_played_out(client)) {
        client_life_begin_close(&client->life, now_us, now_us, OJIN_CLOSE_NORMAL, true);
    }
}

/* ---- all of them ---- */

void ojin_client_check_waits(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    client_life_check_waits(&client->life, now_us, actions);
    check_stall(client, now_us, actions);
    check_final(client, now_us, actions);
}

uint64_t ojin_client_waits_deadline_us(const struct ojin_client *client)
{
    uint64_t deadline_us = client_life_deadline_us(&client->life);
    if (client->life.stage != 0)
        deadline_us = client_earlier(deadline_us, client->stall_at_us);
    if (client->life.stage == OJIN_CLIENT_ENDING && client->awaits_final)
        deadline_us = client_earlier(deadline_us, client->final_deadline_us);
    return deadline_us;
}
