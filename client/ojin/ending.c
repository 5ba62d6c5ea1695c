/* How a session ends, and what follows: nothing, or a new session after a while. 000 Best Practices, Error
 * Handling. */
#include "client/ojin/internal.h"

#include "codec/ojin/messages.h"
#include "codec/ws/frame.h"

void ojin_client_begin_close(struct ojin_client *client, uint64_t now_us, uint64_t at_us, uint16_t code,
                             bool lasting)
{
    client->lasting = client->lasting || lasting;
    if (client->phase == OJIN_CLIENT_CLOSING || client->phase == OJIN_CLIENT_BACKING_OFF ||
        client->phase == OJIN_CLIENT_OVER)
        return;
    client->phase = OJIN_CLIENT_CLOSING;
    client->playing = false;
    client->close_code = code;
    client->close_at_us = at_us;
    client->close_deadline_us = (at_us > now_us ? at_us : now_us) + OJIN_CLIENT_CLOSE_WAIT_US;
}

void ojin_client_finish(struct ojin_client *client)
{
    client->phase = OJIN_CLIENT_OVER;
    client->playing = false;
    client->progress.over = true;
}

bool ojin_client_is_played_out(const struct ojin_client *client)
{
    return client->buffer.count == 0 && (!client->playing || client->starved);
}

static void observe_closed(struct ojin_client *client, uint16_t code, struct bytes reason,
                           struct client_actions *actions)
{
    struct observation observation = {.kind = OBSERVED_CLOSED, .close_code = code};
    struct text text = text_of(observation.text, sizeof observation.text);
    text_add_bytes(&text, reason);
    client->progress.closed++;
    ojin_client_observe(client, &observation, actions);
}

/* ---- backing off ---- */

static bool is_any(void *context, const struct ojin_frame *frame)
{
    (void)context;
    (void)frame;
    return true;
}

/* Speech of which a part was said is gone: half a sentence makes no sense in another session. What the
 * server heard nothing of is still to be said. */
static void drop_old_session(struct ojin_client *client, struct client_actions *actions)
{
    if (client->seams.keep_speech_on_reconnect) {
        client->speech.sent = client->speech.base;
        client->speech.played = client->speech.base;
        client->speech.turn_count = 0;
    } else if (client->sent_speech) {
        if (turn_is_due(&client->turn) || speech_unsent(&client->speech) > 0)
            ojin_client_report(client, "SPEECH_LOST", "speech was not answered, and is not sent again",
                               actions);
        speech_drop(&client->speech);
    }
    if (!client->seams.keep_buffer_on_reconnect)
        frame_buffer_drop(&client->buffer, is_any, NULL);
    client->buffer.skip_next = false;
}

static void observe_state(struct ojin_client *client, const char *code, uint64_t delay_us,
                          struct client_actions *actions)
{
    struct observation observation;
    reconnect_observe(&client->reconnect, code, client->phase == OJIN_CLIENT_BACKING_OFF, delay_us,
                      &observation);
    ojin_client_observe(client, &observation, actions);
}

static void give_up(struct ojin_client *client, uint64_t asked_us, struct client_actions *actions)
{
    char sentence[120];
    struct text text = text_of(sentence, sizeof sentence);
    reconnect_say_end(&client->reconnect, asked_us, &text);
    ojin_client_report(client, "GAVE_UP", sentence, actions);
    ojin_client_finish(client);
}

/* The connection is gone, and was reported as that. */
static void end_session(struct ojin_client *client, uint64_t now_us, uint64_t asked_us,
                        struct client_actions *actions)
{
    bool lasting = client->lasting && !client->seams.reconnect_after_any;
    bool closed = client->user_closed && !client->seams.reconnect_after_own_close;
    uint64_t delay_us = 0;
    client->closed = true;
    if (client->reconnect.times == 0 || closed || client->progress.final || lasting) {
        ojin_client_finish(client);
        return;
    }
    if (client->ready_at_us != 0 && now_us - client->ready_at_us >= RECONNECT_HEALTHY_US)
        reconnect_healthy(&client->reconnect);
    if (!reconnect_next(&client->reconnect, client->seams.ignore_retry_after ? 0 : asked_us, &delay_us)) {
        give_up(client, asked_us, actions);
        return;
    }
    drop_old_session(client, actions);
    ojin_client_reset_session(client, now_us);
    client->closed = true;
    client->phase = OJIN_CLIENT_BACKING_OFF;
    client->retry_at_us = now_us + delay_us;
    observe_state(client, "backing-off", delay_us, actions);
}

void ojin_client_check_retry(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->phase != OJIN_CLIENT_BACKING_OFF || now_us < client->retry_at_us)
        return;
    ojin_client_reset_session(client, now_us);
    client->summary.reconnects++;
    observe_state(client, "connecting", 0, actions);
    client_action_add(actions, CLIENT_CONNECT);
}

void ojin_client_set_reconnect(struct ojin_client *client, uint32_t times)
{
    if (client->seams.reconnect_times != 0)
        times = client->seams.reconnect_times;
    if (client->seams.never_reconnects)
        times = 0;
    client->reconnect.times = times < RECONNECT_TIMES_MAX ? times : RECONNECT_TIMES_MAX;
}

/* ---- the connection's end ---- */

/* The body of a refusal may be an errorResponse: 000 WebSocket Handshake (401). */
static void report_refusal(struct ojin_client *client, const struct client_event *event,
                           struct client_actions *actions)
{
    char code[OBSERVATION_CODE_MAX];
    struct text code_text = text_of(code, sizeof code);
    if (event->code == 0)
        text_add(&code_text, "NO_CONNECTION");
    else
        text_add_u64(&code_text, event->code);
    struct ojin_message message;
    ojin_message_read(event->data, &message);
    if (message.type == OJIN_MESSAGE_ERROR_RESPONSE) {
        char sentence[2 * OJIN_TEXT_FIELD_MAX];
        struct text text = text_of(sentence, sizeof sentence);
        text_add(&text, message.code);
        text_add(&text, ": ");
        text_add(&text, message.message);
        ojin_client_report(client, code, sentence, actions);
    } else {
        ojin_client_report_bytes(client, code, event->data, actions);
    }
}

void ojin_client_refused(struct ojin_client *client, const struct client_event *event,
                         struct client_actions *actions)
{
    uint64_t asked_us = 0;
    if (!client->user_closed) /* else nobody wants to know any more */
        report_refusal(client, event, actions);
    observe_closed(client, WS_CLOSE_NO_FRAME, (struct bytes){0}, actions);
    if (event->lasting || !reconnect_status_can_pass(event->code))
        client->lasting = true;
    if (!retry_after_read(event->retry_after, ojin_client_now_ms(client, event->now_us), &asked_us))
        asked_us = 0; /* none, or one that cannot be read */
    end_session(client, event->now_us, asked_us, actions);
}

void ojin_client_connection_closed(struct ojin_client *client, const struct client_event *event,
                                   struct client_actions *actions)
{
    bool ours = client->phase == OJIN_CLIENT_CLOSING && client->close_at_us == UINT64_MAX;
    client->closed = true;
    observe_closed(client, event->code, event->data, actions);
    /* After the final frame the server may close first; what is held is still played. */
    bool plays_on = client->phase == OJIN_CLIENT_ENDING && client->end_sent &&
                    client->final_deadline_us == UINT64_MAX && !ojin_client_is_played_out(client);
    if (event->lasting || (!ours && !reconnect_close_can_pass(event->code)))
        client->lasting = true;
    if (!plays_on)
        end_session(client, event->now_us, 0, actions);
}

void ojin_client_hang_up(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    observe_closed(client, WS_CLOSE_NO_FRAME, (struct bytes){0}, actions);
    end_session(client, now_us, 0, actions);
}

void ojin_client_check_closing(struct ojin_client *client, uint64_t now_us, struct client_actions *actions)
{
    if (client->phase != OJIN_CLIENT_CLOSING)
        return;
    if (client->opened && now_us >= client->close_at_us) {
        client->close_at_us = UINT64_MAX;
        uint16_t code = client->seams.close_code;
        client_action_add(actions, CLIENT_SEND_CLOSE)->code = code != 0 ? code : client->close_code;
    }
    if (now_us >= client->close_deadline_us)
        ojin_client_hang_up(client, now_us, actions);
}
