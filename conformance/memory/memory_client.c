/* The client's side of a case in memory: what a connector does for a client core. */
#include "conformance/memory/session.h"

#include <stdlib.h>

#include "client/core/life.h"
#include "codec/wire/http_head.h"
#include "codec/ws/frame.h"

static const struct bytes NOTHING = {.data = NULL};

/* ---- observations ---- */

static bool observation_append(struct memory_result *result, const struct observation *observation)
{
    if (result->observation_count == result->observation_capacity) {
        size_t capacity = result->observation_capacity == 0 ? 256 : 2 * result->observation_capacity;
        struct observation *more = realloc(result->observations, capacity * sizeof *more);
        if (more == NULL)
            return false;
        result->observations = more;
        result->observation_capacity = capacity;
    }
    result->observations[result->observation_count++] = *observation;
    return true;
}

/* Written and read back, as a client's standard output is. */
static void observe(struct memory_session *session, const struct observation *observation)
{
    char line[OBSERVATION_LINE_MAX];
    char error[200];
    struct observation read_back;
    if (session->result->observation_count == JUDGE_OBSERVATIONS_MAX)
        return;
    struct text text = text_of(line, sizeof line);
    observation_write(&text, observation);
    session_observed(session, bytes_of(line, text.len));
    if (session->followed != NULL)
        session->result->observation_count++;
    else if (observation_read(bytes_of(line, text.len), &read_back, error) != OBSERVATION_GOOD)
        session_own_error(session, "the client's observation cannot be read back");
    else if (!observation_append(session->result, &read_back))
        session->no_memory = true;
}

/* ---- what the client asks for ---- */

static void send_close(struct memory_session *session, uint16_t code)
{
    if (session->client_closed || !session->client_joined)
        return;
    session->client_closed = true;
    session_send(session, MESSAGE_TO_SERVER, MESSAGE_CLOSE, code, NOTHING);
}

static void perform(struct memory_session *session, const struct client_action *action)
{
    bool open = session->client_joined && !session->client_closed;
    switch (action->kind) {
    case CLIENT_CONNECT:
        session_client_asks(session);
        break;
    case CLIENT_SEND_PING:
        if (open)
            session_send(session, MESSAGE_TO_SERVER, MESSAGE_PING, 0, NOTHING);
        break;
    case CLIENT_SEND_TEXT:
        if (open)
            session_send(session, MESSAGE_TO_SERVER, MESSAGE_TEXT, 0, action->data);
        break;
    case CLIENT_SEND_BINARY:
        if (open)
            session_send(session, MESSAGE_TO_SERVER, MESSAGE_BINARY, 0, action->data);
        break;
    case CLIENT_SEND_CLOSE:
        send_close(session, action->code);
        break;
    case CLIENT_OBSERVE:
        observe(session, &action->observation);
        break;
    }
}

static void perform_all(struct memory_session *session)
{
    struct client_actions *actions = session->client_actions;
    for (size_t i = 0; i < actions->count; i++)
        perform(session, &actions->list[i]);
    actions->count = 0;
}

/* A client that is over, or backs off, hangs up, whether or not the closing handshake came to its end. */
static void hang_up(struct memory_session *session)
{
    const enum client_standing standing = session->client->life(session->core)->standing;
    if ((standing != CLIENT_STANDS_OVER && standing != CLIENT_STANDS_WAITING) || !session->client_joined)
        return;
    session->client_joined = false;
    session_send(session, MESSAGE_TO_SERVER, MESSAGE_END, 0, NOTHING);
}

static void step_event(struct memory_session *session, const struct client_event *given)
{
    struct client_event event = *given;
    bool commanded = true;
    while (commanded) { /* the core goes on with what it was told, as under a connector */
        session->steps++;
        session->client_us = session->now_us;
        session->client->step(session->core, &event, session->client_actions);
        hang_up(session); /* before a connection that follows at once */
        perform_all(session);
        commanded = plan_runner_step(&session->runner, session->now_us, session->client_actions);
        perform_all(session);
        hang_up(session);
        event = (struct client_event){.kind = CLIENT_TICK, .now_us = session->now_us};
    }
}

static void step(struct memory_session *session, enum client_event_kind kind, uint16_t code,
                 struct bytes data)
{
    struct client_event event = {.kind = kind, .now_us = session->now_us, .code = code, .data = data};
    step_event(session, &event);
}

void session_client_tick(struct memory_session *session)
{
    step(session, CLIENT_TICK, 0, NOTHING);
}

/* A path or a query, with config and key in their places: "config_id={config}". */
static void add_template(struct text *out, const char *template, const struct memory_case *given)
{
    static const char CONFIG[] = "{config}", KEY[] = "{key}";
    for (const char *at = template; *at != '\0';) {
        const bool is_config = strncmp(at, CONFIG, sizeof CONFIG - 1) == 0;
        const bool is_key = strncmp(at, KEY, sizeof KEY - 1) == 0;
        if (is_config || is_key)
            percent_encode(out, is_config ? given->config_id : given->key);
        else
            text_add_char(out, *at);
        at += is_config ? sizeof CONFIG - 1 : is_key ? sizeof KEY - 1 : 1;
    }
}

void session_client_asks(struct memory_session *session)
{
    char data[MEMORY_HEAD_BYTES_MAX];
    struct text head = text_of(data, sizeof data);
    text_add(&head, "GET ");
    add_template(&head, session->given->script->class->family->path, session->given);
    text_add(&head, session->given->profile->query[0] != '\0' ? "?" : "");
    add_template(&head, session->given->profile->query, session->given);
    text_add(&head, " HTTP/1.1\r\nHost: memory\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\nSec-WebSocket-Version: 13\r\n");
    if (session->given->client->sends_key) {
        text_add(&head, "Authorization: ");
        text_add(&head, session->given->key);
        text_add(&head, "\r\n");
    }
    text_add(&head, "\r\n");
    if (head.cut) {
        session_own_error(session, "key and config are too long for a request");
        return;
    }
    session->connection++;
    session->client_joined = false;
    session->client_closed = false;
    session_send(session, MESSAGE_TO_SERVER, MESSAGE_REQUEST, 0, bytes_of(data, head.len));
}

/* ---- what the client gets ---- */

/* The response falls into what a client takes from it: Retry-After, and the body. */
static void take_refusal(struct memory_session *session, uint16_t status, struct bytes response)
{
    struct client_event event = {.kind = CLIENT_REFUSED, .now_us = session->now_us, .code = status};
    http_response_split(response, &event.retry_after, &event.data);
    session_send(session, MESSAGE_TO_SERVER, MESSAGE_END, 0, NOTHING);
    step_event(session, &event);
}

static void take_end(struct memory_session *session, uint16_t code, struct bytes reason)
{
    session->client_joined = false;
    session_send(session, MESSAGE_TO_SERVER, MESSAGE_END, 0, NOTHING);
    step(session, CLIENT_CLOSED, code, reason);
}

void session_client_takes(struct memory_session *session, const struct message *message)
{
    struct bytes data = bytes_of(message->data, message->len);
    switch (message->kind) {
    case MESSAGE_ACCEPTED:
        session->client_joined = true;
        step(session, CLIENT_OPENED, 0, NOTHING);
        break;
    case MESSAGE_REFUSED:
        take_refusal(session, message->code, data);
        break;
    case MESSAGE_TEXT:
        if (session->client_joined)
            step(session, CLIENT_TEXT, 0, data);
        break;
    case MESSAGE_BINARY:
        if (session->client_joined)
            step(session, CLIENT_BINARY, 0, data);
        break;
    case MESSAGE_PING: /* the transport's business, as in a WebSocket library */
        if (session->client_joined && !session->client_closed)
            session_send(session, MESSAGE_TO_SERVER, MESSAGE_PONG, 0, data);
        break;
    case MESSAGE_CLOSE:
        if (!session->client_joined)
            break;
        send_close(session, message->code);
        take_end(session, message->code, data);
        break;
    case MESSAGE_END:
        if (session->client_joined)
            take_end(session, WS_CLOSE_NO_FRAME, NOTHING);
        break;
    case MESSAGE_PONG:
        if (session->client_joined)
            step(session, CLIENT_PONG, 0, data);
        break;
    case MESSAGE_REQUEST:
        break;
    }
}
