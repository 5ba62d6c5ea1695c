#include "client/core/life.h"

#include <stdlib.h>

#include "codec/ws/frame.h"

struct client_outgoing {
    struct client_outgoing *next;
    struct buffer message;
};

/* ---- its beginning ---- */

/* A session as it is before the upgrade. */
static void begin(struct client_life *life, uint64_t now_us)
{
    life->standing = CLIENT_STANDS_UP;
    life->stage = 0;
    life->opened = false;
    life->lost = false;
    life->lasting = false;
    life->told_why = false;
    life->ready_at_us = UINT64_MAX;
    life->close_at_us = UINT64_MAX;
    life->progress.ready = false;
    life->progress.final = false;
    client_life_stop_pings(life);
    life->family->begin(life->owner, now_us);
}

void client_life_init(struct client_life *life, const struct client_life_family *family, void *owner,
                      const struct client_life_options *options)
{
    *life = (struct client_life){.family = family,
                                 .owner = owner,
                                 .epoch_ms = options->epoch_ms,
                                 .ping_interval_us = CLIENT_PING_INTERVAL_US,
                                 .reconnect.random = options->reconnect_seed};
    if (options->ping_interval_us != 0)
        life->ping_interval_us = options->ping_interval_us;
    client_life_set_reconnect(life, options->reconnect_times);
    begin(life, 0);
}

void client_life_set_reconnect(struct client_life *life, uint32_t times)
{
    life->reconnect.times = times < RECONNECT_TIMES_MAX ? times : RECONNECT_TIMES_MAX;
}

/* ---- messages on their way ---- */

void client_life_release(struct client_life *life)
{
    for (struct client_outgoing *outgoing; (outgoing = life->outgoing) != NULL;) {
        life->outgoing = outgoing->next;
        buffer_free(&outgoing->message);
        free(outgoing);
    }
}

bool client_life_send(struct client_life *life, enum client_action_kind kind, struct buffer *message,
                      struct client_actions *actions)
{
    struct client_outgoing *outgoing = malloc(sizeof *outgoing);
    if (outgoing == NULL) {
        buffer_free(message);
        return false;
    }
    *outgoing = (struct client_outgoing){.next = life->outgoing, .message = *message};
    life->outgoing = outgoing;
    client_action_add(actions, kind)->data = buffer_bytes(&outgoing->message);
    return true;
}

/* ---- what its user is told ---- */

void client_life_observe(struct client_life *life, struct observation *observation,
                         struct client_actions *actions)
{
    if (observation->kind == OBSERVED_ERROR)
        life->progress.errors++;
    client_action_add(actions, CLIENT_OBSERVE)->observation = *observation;
}

void client_life_report_bytes(struct client_life *life, const char *code, struct bytes text,
                              struct client_actions *actions)
{
    struct observation observation;
    observation_error(&observation, code, text);
    client_life_observe(life, &observation, actions);
}

void client_life_report(struct client_life *life, const char *code, const char *text,
                        struct client_actions *actions)
{
    client_life_report_bytes(life, code, bytes_of_text(text), actions);
}

void client_life_no_memory(struct client_life *life, const char *text, struct client_actions *actions)
{
    client_life_report(life, "OUT_OF_MEMORY", text, actions);
    client_life_begin_close(life, life->now_us, life->now_us, WS_CLOSE_NORMAL, false);
}

static void observe_closed(struct client_life *life, uint16_t code, struct bytes reason,
                           struct client_actions *actions)
{
    struct observation observation = {.kind = OBSERVED_CLOSED, .close_code = code};
    struct text text = text_of(observation.text, sizeof observation.text);
    text_add_bytes(&text, reason);
    life->progress.closed++;
    client_life_observe(life, &observation, actions);
}

static void observe_attempt(struct client_life *life, const char *code, uint64_t delay_us,
                            struct client_actions *actions)
{
    struct observation observation;
    reconnect_observe(&life->reconnect, code, life->standing == CLIENT_STANDS_WAITING, delay_us,
                      &observation);
    client_life_observe(life, &observation, actions);
}

const char *client_life_name(const struct client_life *life)
{
    switch (life->standing) {
    case CLIENT_STANDS_UP:
        return life->opened ? life->family->stages[life->stage] : "connecting";
    case CLIENT_STANDS_WAITING:
        return "waiting to try again";
    case CLIENT_STANDS_CLOSING:
        return "closing";
    case CLIENT_STANDS_OVER:
        return "over";
    }
    return "";
}

/* ---- the end of a session, and what follows ---- */

static void finish(struct client_life *life)
{
    life->standing = CLIENT_STANDS_OVER;
    life->stage = 0;
    life->progress.over = true;
}

static void give_up(struct client_life *life, uint64_t asked_us, struct client_actions *actions)
{
    char sentence[120];
    struct text text = text_of(sentence, sizeof sentence);
    reconnect_say_end(&life->reconnect, asked_us, &text);
    client_life_report(life, "GAVE_UP", sentence, actions);
    finish(life);
}

static bool is_for_good(const struct client_life *life)
{
    return life->reconnect.times == 0 || life->user_closed || life->lasting ||
           (life->family->is_done != NULL && life->family->is_done(life->owner));
}

/* The connection is gone, and was reported as that. */
static void end_session(struct client_life *life, uint64_t now_us, uint64_t asked_us,
                        struct client_actions *actions)
{
    uint64_t delay_us = 0;
    life->lost = true;
    if (is_for_good(life)) {
        life->standing = CLIENT_STANDS_CLOSING;
        life->stage = 0;
        if (life->user_closed || !life->family->plays_on(life->owner))
            finish(life);
        return;
    }
    if (life->ready_at_us != UINT64_MAX && now_us - life->ready_at_us >= RECONNECT_HEALTHY_US)
        reconnect_healthy(&life->reconnect);
    if (!reconnect_next(&life->reconnect, asked_us, &delay_us)) {
        give_up(life, asked_us, actions);
        return;
    }
    life->family->leave(life->owner, now_us, actions);
    begin(life, now_us);
    life->lost = true;
    life->standing = CLIENT_STANDS_WAITING;
    life->retry_at_us = now_us + delay_us;
    observe_attempt(life, "backing-off", delay_us, actions);
}

static void refused(struct client_life *life, const struct client_event *event,
                    struct client_actions *actions)
{
    char code[OBSERVATION_CODE_MAX];
    char words[OBSERVATION_TEXT_MAX];
    struct text code_text = text_of(code, sizeof code);
    struct text text = text_of(words, sizeof words);
    uint64_t asked_us = 0;
    if (event->code == 0)
        text_add(&code_text, "NO_CONNECTION");
    else
        text_add_u64(&code_text, event->code);
    if (!life->user_closed) { /* else nobody wants to know any more */
        const bool told = life->family->read_refusal(life->owner, event->data, &text);
        client_life_report_bytes(life, code, told ? bytes_of(words, text.len) : event->data, actions);
    }
    observe_closed(life, WS_CLOSE_NO_FRAME, (struct bytes){0}, actions);
    if (event->lasting || !reconnect_status_can_pass(event->code))
        life->lasting = true;
    if (!retry_after_read(event->retry_after, life->epoch_ms + event->now_us / 1000, &asked_us))
        asked_us = 0; /* none, or one that cannot be read */
    end_session(life, event->now_us, asked_us, actions);
}

static void connection_closed(struct client_life *life, const struct client_event *event,
                              struct client_actions *actions)
{
    const bool ours = life->standing == CLIENT_STANDS_CLOSING && life->close_at_us == UINT64_MAX;
    const uint64_t asked_us =
        life->family->retry_wait_us == NULL ? 0 : life->family->retry_wait_us(life->owner, event->code);
    observe_closed(life, event->code, event->data, actions);
    if (event->lasting || (!ours && !life->told_why && !reconnect_close_can_pass(event->code)))
        life->lasting = true;
    end_session(life, event->now_us, asked_us, actions);
}

/* Without a connection that a close frame could go to. */
static void hang_up(struct client_life *life, uint64_t now_us, struct client_actions *actions)
{
    observe_closed(life, WS_CLOSE_NO_FRAME, (struct bytes){0}, actions);
    end_session(life, now_us, 0, actions);
}

void client_life_begin_close(struct client_life *life, uint64_t now_us, uint64_t at_us, uint16_t code,
                             bool lasting)
{
    life->lasting = life->lasting || lasting;
    if (life->standing != CLIENT_STANDS_UP)
        return;
    life->standing = CLIENT_STANDS_CLOSING;
    life->stage = 0;
    life->close_code = code;
    life->close_at_us = at_us;
    life->deadline_us = (at_us > now_us ? at_us : now_us) + CLIENT_CLOSE_WAIT_US;
    if (life->family->closing != NULL)
        life->family->closing(life->owner);
}

bool client_life_leave(struct client_life *life)
{
    if (life->standing == CLIENT_STANDS_OVER)
        return false;
    life->user_closed = true;
    if (life->lost)
        finish(life);
    return !life->lost;
}

/* ---- what comes ---- */

void client_life_event(struct client_life *life, const struct client_event *event,
                       struct client_actions *actions)
{
    life->now_us = event->now_us;
    switch (event->kind) {
    case CLIENT_OPENED:
        if (life->opened || life->lost)
            break;
        life->opened = true;
        if (life->standing != CLIENT_STANDS_UP)
            break;
        life->next_ping_us = event->now_us + life->ping_interval_us;
        life->family->opened(life->owner, event->now_us, actions);
        break;
    case CLIENT_REFUSED:
        if (!life->lost)
            refused(life, event, actions);
        break;
    case CLIENT_TEXT:
    case CLIENT_BINARY:
        if (life->opened && !life->lost)
            life->family->message(life->owner, event, actions);
        break;
    case CLIENT_CLOSED:
        if (!life->lost)
            connection_closed(life, event, actions);
        break;
    case CLIENT_PONG:
        life->pong_deadline_us = UINT64_MAX;
        break;
    case CLIENT_TICK:
        break;
    }
}

void client_life_ready(struct client_life *life, uint64_t now_us)
{
    life->ready_at_us = now_us;
    life->progress.ready = true;
    life->progress.readies++;
}

/* ---- what is due ---- */

void client_life_stop_pings(struct client_life *life)
{
    life->next_ping_us = UINT64_MAX;
    life->pong_deadline_us = UINT64_MAX;
}

static void check_pongs(struct client_life *life, uint64_t now_us, struct client_actions *actions)
{
    if (now_us >= life->pong_deadline_us) {
        client_life_report(life, "PONG_TIMEOUT", "the server answers no ping", actions);
        client_life_begin_close(life, now_us, now_us, WS_CLOSE_GOING_AWAY, false);
    } else if (now_us >= life->next_ping_us) {
        life->next_ping_us = now_us + life->ping_interval_us;
        if (life->pong_deadline_us == UINT64_MAX)
            life->pong_deadline_us = now_us + life->ping_interval_us / 3;
        life->progress.pings_sent++;
        client_action_add(actions, CLIENT_SEND_PING);
    }
}

void client_life_check_waits(struct client_life *life, uint64_t now_us, struct client_actions *actions)
{
    if (life->standing == CLIENT_STANDS_UP && now_us >= life->deadline_us) {
        life->deadline_us = UINT64_MAX;
        life->family->overdue(life->owner, actions);
        if (life->opened)
            client_life_begin_close(life, now_us, now_us, WS_CLOSE_NORMAL, false);
        else
            hang_up(life, now_us, actions);
    }
    if (life->standing == CLIENT_STANDS_UP)
        check_pongs(life, now_us, actions);
}

static void check_closing(struct client_life *life, uint64_t now_us, struct client_actions *actions)
{
    if (life->lost) {
        if (!life->family->plays_on(life->owner))
            finish(life);
        return;
    }
    if (life->opened && now_us >= life->close_at_us) {
        life->close_at_us = UINT64_MAX;
        client_action_add(actions, CLIENT_SEND_CLOSE)->code = life->close_code;
    }
    if (now_us >= life->deadline_us)
        hang_up(life, now_us, actions);
}

void client_life_check_end(struct client_life *life, uint64_t now_us, struct client_actions *actions)
{
    if (life->standing == CLIENT_STANDS_CLOSING)
        check_closing(life, now_us, actions);
    if (life->standing != CLIENT_STANDS_WAITING || now_us < life->retry_at_us)
        return;
    begin(life, now_us);
    life->progress.reconnects++;
    observe_attempt(life, "connecting", 0, actions);
    client_action_add(actions, CLIENT_CONNECT);
}

uint64_t client_life_deadline_us(const struct client_life *life)
{
    switch (life->standing) {
    case CLIENT_STANDS_UP:
        return client_earlier(life->deadline_us, client_earlier(life->next_ping_us, life->pong_deadline_us));
    case CLIENT_STANDS_WAITING:
        return life->retry_at_us;
    case CLIENT_STANDS_CLOSING:
        if (life->lost)
            return UINT64_MAX;
        return life->opened ? client_earlier(life->deadline_us, life->close_at_us) : life->deadline_us;
    case CLIENT_STANDS_OVER:
        return UINT64_MAX;
    }
    return UINT64_MAX;
}
