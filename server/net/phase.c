/* The phases of a connection, as all that carry it along see them. */
#include "server/net/net.h"

bool connection_is_restless(const struct connection *connection)
{
    return !connection->transport_is_over && (connection->left || connection->phase == PHASE_HELD ||
                                              transport_is_ending(connection->transport));
}

static bool phase_is_of_session(enum connection_phase phase)
{
    switch (phase) {
    case PHASE_ASKING:
    case PHASE_JOINED:
    case PHASE_OPEN:
    case PHASE_CLOSING:
        return true;
    case PHASE_HEAD:
    case PHASE_HTTP:
    case PHASE_HELD:
    case PHASE_OVER:
        break;
    }
    return false;
}

void connection_enter(struct connection *connection, enum connection_phase phase, uint64_t for_us)
{
    struct mock_server *server = connection->server;
    server->session_count -= phase_is_of_session(connection->phase) ? 1 : 0;
    server->session_count += phase_is_of_session(phase) ? 1 : 0;
    connection->phase = phase;
    if (phase == PHASE_OVER && connection->endpoint != NULL)
        ws_endpoint_mute(connection->endpoint);
    server->moves++;
    connection->phase_by_us = for_us == UINT64_MAX ? UINT64_MAX : mock_server_now_us(server) + for_us;
    connection_wake(connection, connection->phase_by_us);
    if (connection_is_restless(connection))
        connection_wake(connection, mock_server_now_us(server));
}

uint64_t connection_quirk(const struct connection *connection, enum host_quirk quirk)
{
    const int row = connection->service->quirk_rows[quirk];
    if (row < 0 || connection->seat == NULL || connection->seat->engine == NULL)
        return 0;
    return engine_quirk(connection->seat->engine, (size_t)row);
}

size_t mock_server_sessions(const struct mock_server *server)
{
    return server->session_count;
}
