/* How a session ends, and what follows: nothing, or a new session after a while. 002 Close, Error Codes. */
#include "client/duplex/internal.h"

#include "codec/wire/json.h"

void duplex_client_finish(struct duplex_client *client)
{
    client->phase = DUPLEX_CLIENT_OVER;
    client->progress.over = true;
}

void duplex_client_begin_close(struct duplex_client *client, uint64_t now_us, uint64_t at_us, uint16_t code,
                               bool lasting)
{
    client->lasting = client->lasting || lasting;
    if (client->phase == DUPLEX_CLIENT_CLOSING || client->phase == DUPLEX_CLIENT_BACKING_OFF ||
        client->phase == DUPLEX_CLIENT_OVER)
        return;
    client->phase = DUPLEX_CLIENT_CLOSING;
    client->close_code = code;
    client->close_at_us = at_us;
    client->deadline_us = (at_us > now_us ? at_us : now_us) + DUPLEX_CLIENT_CLOSE_WAIT_US;
}

void duplex_client_stop(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    struct duplex_message message = {.type = DUPLEX_MESSAGE_CLOSE,
                                     .has_reason = true,
                                     .reason = bytes_of_text(duplex_reason_name(DUPLEX_REASON_USER_STOP))};
    client->user_closed = true;
    if (client->phase == DUPLEX_CLIENT_BACKING_OFF) {
        if (client->seams.reconnects_after_close)
            client->user_closed = false;
        else
            duplex_client_finish(client);
        return;
    }
    duplex_client_cut(client, now_us, actions);
    if (client->lost) {
        duplex_client_finish(client);
        return;
    }
    if (client->phase == DUPLEX_CLIENT_STREAMING) {
        client->phase = DUPLEX_CLIENT_STOPPING;
        client->deadline_us = now_us + DUPLEX_CLIENT_CLOSED_WAIT_US;
        if (!client->seams.no_close_message)
            duplex_client_send(client, &message, actions);
        if (!client->seams.no_close_message && !client->seams.no_closed_wait)
            return;
    }
    if (client->phase != DUPLEX_CLIENT_STOPPING || client->seams.no_close_message ||
        client->seams.no_closed_wait)
        duplex_client_begin_close(client, now_us, now_us, DUPLEX_CLOSE_NORMAL, true);
}

static void observe_closed(struct duplex_client *client, uint16_t code, struct bytes reason,
                           struct client_actions *actions)
{
    struct observation observation = {.kind = OBSERVED_CLOSED, .close_code = code};
    struct text text = text_of(observation.text, sizeof observation.text);
    text_add_bytes(&text, reason);
    client->progress.closed++;
    if (!client->seams.no_closed_report)
        duplex_client_observe(client, &observation, actions);
}

/* ---- backing off ---- */

static void observe_state(struct duplex_client *client, const char *code, uint64_t delay_us,
                          struct client_actions *actions)
{
    struct observation observation;
    reconnect_observe(&client->reconnect, code, client->phase == DUPLEX_CLIENT_BACKING_OFF, delay_us,
                      &observation);
    duplex_client_observe(client, &observation, actions);
}

static void give_up(struct duplex_client *client, uint64_t asked_us, struct client_actions *actions)
{
    char sentence[120];
    struct text text = text_of(sentence, sizeof sentence);
    reconnect_say_end(&client->reconnect, asked_us, &text);
    duplex_client_report_text(client, "GAVE_UP", sentence, actions);
    duplex_client_finish(client);
}

/* Speech of which a part was said is gone: half a sentence makes no sense in another session. What the server
 * heard nothing of is still to be said. */
static void drop_old_session(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    duplex_client_cut(client, now_us, actions);
    if (!client->sent_speech)
        return;
    if (!microphone_is_empty(&client->microphone) || client->progress.turns == 0)
        duplex_client_report_text(client, "SPEECH_LOST", "speech was not answered, and is not sent again",
                                  actions);
    microphone_drop(&client->microphone);
}

/* The connection is gone, and was reported as that. */
static void end_session(struct duplex_client *client, uint64_t now_us, uint64_t asked_us,
                        struct client_actions *actions)
{
    uint64_t delay_us = 0;
    client->lost = true;
    const bool for_good = (client->user_closed || client->lasting) && !client->seams.reconnect_after_any;
    if (client->reconnect.times == 0 || for_good) {
        /* What is queued is still played. */
        client->phase = DUPLEX_CLIENT_CLOSING;
        client->close_at_us = client->deadline_us = UINT64_MAX;
        if (client->user_closed || duplex_client_is_played_out(client))
            duplex_client_finish(client);
        return;
    }
    if (client->progress.ready && now_us - client->summary.created_us >= RECONNECT_HEALTHY_US)
        reconnect_healthy(&client->reconnect);
    if (!reconnect_next(&client->reconnect, client->seams.ignore_retry_after ? 0 : asked_us, &delay_us)) {
        give_up(client, asked_us, actions);
        return;
    }
    drop_old_session(client, now_us, actions);
    duplex_client_reset_session(client, now_us);
    client->lost = true;
    client->phase = DUPLEX_CLIENT_BACKING_OFF;
    client->retry_at_us = now_us + delay_us;
    observe_state(client, "backing-off", delay_us, actions);
}

void duplex_client_check_retry(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->phase != DUPLEX_CLIENT_BACKING_OFF || now_us < client->retry_at_us)
        return;
    duplex_client_reset_session(client, now_us);
    client->summary.reconnects++;
    observe_state(client, "connecting", 0, actions);
    client_action_add(actions, CLIENT_CONNECT);
}

/* ---- the connection's end ---- */

/* The body of a refusal may be an error event. */
static void report_refusal(struct duplex_client *client, const struct client_event *event,
                           struct client_actions *actions)
{
    const struct duplex_read_options options = {.profile = client->profile};
    char code[OBSERVATION_CODE_MAX];
    char sentence[OBSERVATION_TEXT_MAX];
    struct text text = text_of(code, sizeof code);
    if (event->code == 0)
        text_add(&text, "NO_CONNECTION");
    else
        text_add_u64(&text, event->code);
    struct duplex_message message;
    duplex_message_read(event->data, &options, &message);
    text = text_of(sentence, sizeof sentence);
    if (message.type == DUPLEX_MESSAGE_ERROR) {
        text_add_bytes(&text, message.code);
        text_add(&text, ": ");
        text_add_bytes(&text, message.error_message);
    } else {
        text_add_bytes(&text, event->data);
    }
    duplex_message_free(&message);
    duplex_client_report_text(client, code, sentence, actions);
}

void duplex_client_refused(struct duplex_client *client, const struct client_event *event,
                           struct client_actions *actions)
{
    uint64_t asked_us = 0;
    if (!client->user_closed) /* else nobody wants to know any more */
        report_refusal(client, event, actions);
    observe_closed(client, WS_CLOSE_NO_FRAME, (struct bytes){0}, actions);
    if (event->lasting || !reconnect_status_can_pass(event->code))
        client->lasting = true;
    if (!retry_after_read(event->retry_after, client->config.epoch_ms + event->now_us / 1000, &asked_us))
        asked_us = 0; /* none, or one that cannot be read */
    end_session(client, event->now_us, asked_us, actions);
}

void duplex_client_connection_closed(struct duplex_client *client, const struct client_event *event,
                                     struct client_actions *actions)
{
    const bool ours = client->phase == DUPLEX_CLIENT_CLOSING && client->close_at_us == UINT64_MAX;
    observe_closed(client, event->code, event->data, actions);
    /* After session.closed its reason tells whether another session could go better. */
    if (event->lasting || (!ours && !client->closed_came && !reconnect_close_can_pass(event->code)))
        client->lasting = true;
    end_session(client, event->now_us, 0, actions);
}

void duplex_client_hang_up(struct duplex_client *client, uint64_t now_us, struct client_actions *actions)
{
    observe_closed(client, WS_CLOSE_NO_FRAME, (struct bytes){0}, actions);
    end_session(client, now_us, 0, actions);
}

void duplex_client_check_closing(struct duplex_client *client, uint64_t now_us,
                                 struct client_actions *actions)
{
    if (client->phase != DUPLEX_CLIENT_CLOSING)
        return;
    if (client->lost) {
        if (duplex_client_is_played_out(client))
            duplex_client_finish(client);
        return;
    }
    if (client->opened && now_us >= client->close_at_us) {
        const uint16_t code = client->seams.close_code;
        client->close_at_us = UINT64_MAX;
        client_action_add(actions, CLIENT_SEND_CLOSE)->code = code != 0 ? code : client->close_code;
    }
    if (now_us >= client->deadline_us)
        duplex_client_hang_up(client, now_us, actions);
}
