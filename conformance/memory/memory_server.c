/* The mock's side of a case in memory: what a listener does for an engine. */
#include "conformance/memory/session.h"

static void step(struct memory_session *session, enum engine_event_kind kind, uint16_t code,
                 struct bytes data);

static void send_close(struct memory_session *session, uint16_t code, struct bytes reason)
{
    if (session->server_closed)
        return;
    session->server_closed = true;
    session_send(session, MESSAGE_TO_CLIENT, MESSAGE_CLOSE, code, reason);
}

/* Carries one action out. Sets *after to what the engine must be told next. */
static void perform(struct memory_session *session, const struct action *action,
                    enum engine_event_kind *after)
{
    struct bytes data = actions_bytes(session->actions, action);
    bool open = session->server_joined && !session->server_closed;
    switch (action->kind) {
    case ACTION_ACCEPT:
        session->server_joined = true;
        session_send(session, MESSAGE_TO_CLIENT, MESSAGE_ACCEPTED, 0, data);
        *after = ENGINE_OPENED;
        break;
    case ACTION_REFUSE:
        session_send(session, MESSAGE_TO_CLIENT, MESSAGE_REFUSED, action->code, data);
        break;
    case ACTION_SEND_TEXT:
        if (open)
            session_send(session, MESSAGE_TO_CLIENT, MESSAGE_TEXT, 0, data);
        break;
    case ACTION_SEND_BINARY:
        if (open)
            session_send(session, MESSAGE_TO_CLIENT, MESSAGE_BINARY, 0, data);
        break;
    case ACTION_SEND_PING:
        if (open)
            session_send(session, MESSAGE_TO_CLIENT, MESSAGE_PING, 0, data);
        break;
    case ACTION_CLOSE:
        if (open)
            send_close(session, action->code, data);
        break;
    case ACTION_DROP:
    case ACTION_RESET:
        if (session->server_joined)
            session_send(session, MESSAGE_TO_CLIENT, MESSAGE_END, action->kind == ACTION_RESET ? 1 : 0, data);
        session->server_joined = false;
        *after = ENGINE_GONE;
        break;
    case ACTION_SEND_RAW: /* only a real transport has these */
    case ACTION_HALF_CLOSE:
    case ACTION_STOP_READING:
    case ACTION_MARK:
    case ACTION_CAPTURE:
    case ACTION_STEP:
    case ACTION_STEP_FAILED:
    case ACTION_SCRIPT_DONE:
        break;
    }
}

/* What can no longer go out was not sent: it does not stand in the journal either. */
static bool is_recorded(const struct memory_session *session, const struct action *action)
{
    switch (action->kind) {
    case ACTION_SEND_TEXT:
    case ACTION_SEND_BINARY:
    case ACTION_SEND_PING:
    case ACTION_CLOSE:
        return session->server_joined && !session->server_closed;
    case ACTION_RESET:
    case ACTION_SEND_RAW:
    case ACTION_DROP:
    case ACTION_HALF_CLOSE:
    case ACTION_STOP_READING:
        return session->server_joined;
    case ACTION_ACCEPT:
    case ACTION_REFUSE:
    case ACTION_MARK:
    case ACTION_CAPTURE:
    case ACTION_STEP:
    case ACTION_STEP_FAILED:
    case ACTION_SCRIPT_DONE:
        return true;
    }
    return true;
}

/* Ticks that change nothing but the time need no entry: see journal.h. */
static void record_taken(struct memory_session *session, const struct engine_event *event)
{
    bool more = engine_deadline_us(session->engine) <= event->now_us;
    const char *refusal = engine_refusal(session->engine);
    if (event->kind != ENGINE_TICK || !session->begun || more)
        recorder_taken(session->recorder,
                       &(struct taken_event){.now_us = event->now_us,
                                             .event = engine_event_name(event->kind),
                                             .code = event->code,
                                             .message_bytes = event->message_bytes,
                                             .order = session->action_count,
                                             .begins = !session->begun,
                                             .seed = session->given->seed,
                                             .data = bytes_of_text(refusal == NULL ? "" : refusal)});
    session->begun = true;
}

/* What a listener keeps of a message. */
static struct bytes kept_of(const struct memory_session *session, const uint8_t *data, size_t len)
{
    const size_t max = family_message_kept_max(session->given->script->class->family);
    return bytes_of(data, len < max ? len : max);
}

static void step(struct memory_session *session, enum engine_event_kind kind, uint16_t code,
                 struct bytes data)
{
    struct engine_event event = {.kind = kind,
                                 .now_us = session->now_us,
                                 .code = code,
                                 .data = kept_of(session, data.data, data.len),
                                 .message_bytes = data.len};
    for (;;) {
        enum engine_event_kind after = ENGINE_TICK; /* stands for nothing */
        session->steps++;
        actions_clear(session->actions);
        engine_step(session->engine, &event, session->actions);
        session->no_memory = session->no_memory || actions_lack_memory(session->actions);
        record_taken(session, &event);
        for (size_t i = 0; i < session->actions->count; i++) {
            struct action *action = &session->actions->list[i];
            action->order = session->action_count++;
            if (is_recorded(session, action))
                recorder_action(session->recorder, session->now_us, session->actions, action);
            else
                recorder_dropped(session->recorder, session->now_us, action);
            perform(session, action, &after);
        }
        if (after == ENGINE_TICK)
            return;
        event = (struct engine_event){.kind = after, .now_us = session->now_us};
    }
}

void session_server_tick(struct memory_session *session)
{
    step(session, ENGINE_TICK, 0, (struct bytes){.data = NULL});
}

static void record(struct memory_session *session, enum wire_event_kind kind, const struct message *message)
{
    struct wire_event event = {.at_us = session->now_us,
                               .direction = WIRE_FROM_CLIENT,
                               .kind = kind,
                               .code = message->code,
                               .message_bytes = message->len,
                               .data = kept_of(session, message->data, message->len)};
    recorder_client_event(session->recorder, &event);
}

/* Answers the client's close frame as a WebSocket library does, unless it is the answer to ours. */
static void take_close(struct memory_session *session, const struct message *message)
{
    record(session, WIRE_EVENT_CLOSE, message);
    step(session, ENGINE_CLOSE, message->code, bytes_of(message->data, message->len));
    send_close(session, message->code, (struct bytes){.data = NULL});
}

/* The transport's business, as in the listener. */
static void take_ping(struct memory_session *session, const struct message *message)
{
    const struct bytes data = bytes_of(message->data, message->len);
    struct quirks quirks;
    engine_quirks(session->engine, &quirks);
    int row = quirk_row(session->given->script->class->quirks, bytes_of_text("no-pong"));
    record(session, WIRE_EVENT_PING, message);
    step(session, ENGINE_PING, 0, data);
    if (session->server_closed || !session->server_joined || (row >= 0 && quirks.value[row] != 0))
        return;
    struct wire_event pong = {.at_us = session->now_us,
                              .direction = WIRE_FROM_SERVER,
                              .kind = WIRE_EVENT_PONG,
                              .message_bytes = data.len,
                              .data = data};
    recorder_host_event(session->recorder, &pong);
    session_send(session, MESSAGE_TO_CLIENT, MESSAGE_PONG, 0, data);
}

/* A script that waits for no connection: what the listener says then. */
static void refuse_by_host(struct memory_session *session)
{
    static const char RESPONSE[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n"
                                   "Content-Length: 52\r\nConnection: close\r\n\r\n"
                                   "The script does not wait for a connection just now.\n";
    enum { STATUS = 503, LEN = sizeof RESPONSE - 1 };
    struct action *action;
    actions_clear(session->actions);
    uint8_t *room = actions_add(session->actions, ACTION_REFUSE, "refusal", LEN, &action);
    if (room == NULL) {
        session->no_memory = true;
        return;
    }
    memcpy(room, RESPONSE, LEN);
    action->code = STATUS;
    action->by_host = true;
    recorder_action(session->recorder, session->now_us, session->actions, action);
    session_send(session, MESSAGE_TO_CLIENT, MESSAGE_REFUSED, STATUS, bytes_of(RESPONSE, LEN));
}

static void take_request(struct memory_session *session, const struct message *message)
{
    recorder_connection(session->recorder, session->now_us);
    record(session, WIRE_EVENT_REQUEST, message);
    session->server_joined = false;
    session->server_closed = false;
    if (session->connection > 1 && !engine_wants_connection(session->engine))
        session_server_tick(session); /* it may be about to */
    if (session->connection > 1 && !engine_wants_connection(session->engine))
        refuse_by_host(session);
    else
        step(session, ENGINE_REQUEST, 0, bytes_of(message->data, message->len));
}

void session_server_takes(struct memory_session *session, const struct message *message)
{
    struct bytes data = bytes_of(message->data, message->len);
    if (message->kind == MESSAGE_REQUEST) {
        take_request(session, message);
        return;
    }
    if (message->kind == MESSAGE_END) { /* also of a connection that was refused */
        record(session, WIRE_EVENT_END, message);
        session->server_joined = false;
        step(session, ENGINE_GONE, 0, (struct bytes){.data = NULL});
        return;
    }
    if (!session->server_joined)
        return;
    switch (message->kind) {
    case MESSAGE_TEXT:
        record(session, WIRE_EVENT_TEXT, message);
        step(session, ENGINE_TEXT, 0, data);
        break;
    case MESSAGE_BINARY:
        record(session, WIRE_EVENT_BINARY, message);
        step(session, ENGINE_BINARY, 0, data);
        break;
    case MESSAGE_PING:
        take_ping(session, message);
        break;
    case MESSAGE_PONG:
        record(session, WIRE_EVENT_PONG, message);
        step(session, ENGINE_PONG, 0, data);
        break;
    case MESSAGE_CLOSE:
        take_close(session, message);
        break;
    case MESSAGE_REQUEST:
    case MESSAGE_ACCEPTED:
    case MESSAGE_REFUSED:
    case MESSAGE_END:
        break;
    }
}
