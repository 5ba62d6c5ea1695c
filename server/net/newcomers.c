/*
 * Connections whose request head is still to come: reading one, deciding and making a session of it costs far
 * more than a frame, and thousands may come at once. A round of the loop has a budget for them; who finds it
 * spent waits in a queue, unread, for one of the next rounds.
 */
#include "server/net/net.h"

static bool budget_is_spent(const struct mock_server *server)
{
    return server->round_newcomers >= NEWCOMERS_MAX || server->round_newcomers_us >= NEWCOMERS_US;
}

bool newcomer_must_wait(struct connection *connection)
{
    struct mock_server *server = connection->server;
    if (server->newcomer_called == connection)
        return false;
    if (connection->is_queued)
        return true;
    if (server->newcomers_first == NULL && !budget_is_spent(server))
        return false;
    connection->is_queued = true;
    connection->queued_next = NULL;
    *(server->newcomers_first == NULL ? &server->newcomers_first : &server->newcomers_last->queued_next) =
        connection;
    server->newcomers_last = connection;
    transport_hold(connection->transport, true);
    server_wake(server, mock_server_now_us(server));
    return true;
}

void newcomer_spend(const struct connection *connection, uint64_t since_us)
{
    struct mock_server *server = connection->server;
    server->round_newcomers_us += mock_server_now_us(server) - since_us;
    server->round_newcomers += connection->head_bytes > 0 ? 1 : 0;
}

void newcomer_leave(struct connection *connection)
{
    struct mock_server *server = connection->server;
    struct connection *before = NULL;
    if (!connection->is_queued)
        return;
    for (struct connection *one = server->newcomers_first; one != connection; one = one->queued_next)
        before = one;
    *(before == NULL ? &server->newcomers_first : &before->queued_next) = connection->queued_next;
    if (server->newcomers_last == connection)
        server->newcomers_last = before;
    connection->is_queued = false;
}

void newcomers_turn(struct mock_server *server)
{
    while (server->newcomers_first != NULL && !budget_is_spent(server)) {
        struct connection *connection = server->newcomers_first;
        newcomer_leave(connection);
        if (transport_is_ending(connection->transport))
            continue;
        server->newcomer_called = connection;
        transport_hold(connection->transport, false);
        transport_tick(connection->transport, mock_server_now_us(server));
        server->newcomer_called = NULL;
        server->moves++;
    }
    if (server->newcomers_first != NULL)
        server_wake(server, mock_server_now_us(server));
}
