/* The connections of a service by their numbers, for whoever looks on or reaches in from outside. */
#include "server/net/net.h"

static bool is_there(const struct connection *connection, const struct mock_service *service)
{
    return connection->service == service && connection->number != 0 && connection->phase != PHASE_OVER;
}

static struct connection *connection_find(const struct mock_service *service, uint32_t number)
{
    struct connection *connection = service->server->connections;
    while (connection != NULL && !(is_there(connection, service) && connection->number == number))
        connection = connection->next;
    return connection;
}

static const char *state_name(enum connection_phase phase)
{
    switch (phase) {
    case PHASE_HEAD:
    case PHASE_HTTP:
    case PHASE_HELD:
    case PHASE_ASKING:
        return "asking";
    case PHASE_JOINED:
        return "joining";
    case PHASE_OPEN:
        return "open";
    case PHASE_CLOSING:
        return "closing";
    case PHASE_OVER:
        return "over";
    }
    return "over";
}

bool mock_service_session(const struct mock_service *service, uint32_t number, struct mock_session *out)
{
    const struct connection *connection = connection_find(service, number);
    if (connection == NULL)
        return false;
    *out = (struct mock_session){.number = number,
                                 .state = state_name(connection->phase),
                                 .engine = connection->seat == NULL ? NULL : connection->seat->engine,
                                 .waiting_bytes = connection->outbox.bytes};
    http_peer(connection, out->peer, sizeof out->peer);
    return true;
}

size_t mock_service_sessions(const struct mock_service *service, uint32_t *numbers, size_t max)
{
    size_t count = 0;
    for (const struct connection *connection = service->server->connections; connection != NULL;
         connection = connection->next) {
        if (!is_there(connection, service))
            continue;
        if (count < max)
            numbers[count] = connection->number;
        count++;
    }
    return count;
}

bool mock_session_close(struct mock_service *service, uint32_t number, uint16_t code, struct bytes reason)
{
    struct mock_server *server = service->server;
    struct connection *connection = connection_find(service, number);
    struct action *action;
    if (connection == NULL || connection->phase != PHASE_OPEN)
        return false;
    actions_clear(&server->scratch);
    uint8_t *room = actions_add(&server->scratch, ACTION_CLOSE, "close", reason.len, &action);
    if (room == NULL)
        return false;
    if (reason.len > 0)
        memcpy(room, reason.data, reason.len);
    action->code = code;
    action->by_host = true;
    connection_perform(connection, &server->scratch, action);
    return true;
}

bool mock_session_inject(struct mock_service *service, uint32_t number, struct script *steps)
{
    struct connection *connection = connection_find(service, number);
    if (connection == NULL || connection->seat == NULL)
        return false;
    seat_tick(service, connection->seat, mock_server_now_us(service->server)); /* what was due before them */
    if (!engine_inject(connection->seat->engine, steps))
        return false;
    seat_tell(service, connection->seat, "steps", steps->source);
    seat_step(service, connection->seat,
              &(struct engine_event){.kind = ENGINE_TICK, .now_us = mock_server_now_us(service->server)});
    return true;
}

bool mock_session_set_quirks(struct mock_service *service, uint32_t number, const struct quirks *quirks)
{
    struct connection *connection = connection_find(service, number);
    if (connection == NULL || connection->seat == NULL)
        return false;
    seat_tick(service, connection->seat, mock_server_now_us(service->server)); /* with those that held */
    seat_tell_quirks(service, connection->seat, quirks);
    engine_set_quirks(connection->seat->engine, quirks);
    seat_wake(service->server, connection->seat);
    return true;
}

void mock_service_remove(struct mock_service *service, void (*removed)(void *context))
{
    struct mock_server *server = service->server;
    if (service->is_removed || service == server->service)
        return;
    service->is_removed = true;
    service->removed = removed;
    for (struct connection *connection = server->connections; connection != NULL;
         connection = connection->next)
        if (connection->service == service)
            connection_dismiss(connection, WS_CLOSE_GOING_AWAY);
    server_wake(server, mock_server_now_us(server));
}
