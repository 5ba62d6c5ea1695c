/*
 * Time: when the server looks after what is due. One timer for all, and a pass over those whose time has
 * come.
 *
 * Between two passes that the timer makes lies a rest, so that with hundreds of sessions one waking serves
 * many of them: a frame is late by it at most, and the next one not, as each is due by the pace alone. A pass
 * that got nowhere although something is due is not followed by another at once: what is waited for there
 * only a socket can bring.
 */
#include "server/net/net.h"

enum {
    NOWHERE_WAIT_US = 1000,
    REST_US = 2000,
    CROWD_MIN = 100 /* connections */
};

static void connection_look_after(struct connection *connection, uint64_t now_us)
{
    struct mock_server *server = connection->server;
    connection_tick(connection, now_us);
    wheel_set(&server->wheel, &connection->due, connection_deadline_us(connection));
    if (connection->is_on_restless || !connection_is_restless(connection))
        return;
    connection->is_on_restless = true;
    connection->restless_next = server->restless;
    server->restless = connection;
}

/* Those that are looked after in each pass. True: one waits for the seat of a script, which is free. */
static bool restless_look_after(struct mock_server *server, uint64_t now_us)
{
    struct connection **link = &server->restless;
    bool goes_on = false;
    while (*link != NULL) {
        struct connection *connection = *link;
        if (connection_is_restless(connection))
            connection_look_after(connection, now_us);
        goes_on = goes_on ||
                  (connection->phase == PHASE_HELD && connection->service->script_seat.connection == NULL);
        if (connection_is_restless(connection)) {
            link = &connection->restless_next;
            continue;
        }
        *link = connection->restless_next;
        connection->is_on_restless = false;
    }
    return goes_on;
}

/* While one is served the memory of those behind it is fetched, a part at a time: where the next part is has
 * to be there before that can be asked for. */
static void connections_warm(const struct wheel *wheel)
{
    const struct wheel_entry *entry = wheel_ahead(wheel);
    for (enum warm_part part = 0; part < WARM_PARTS && entry != NULL; part++) {
        connection_warm((const struct connection *)(const void *)entry, part);
        entry = wheel_behind(wheel, entry);
    }
}

/* Ticks those that are due, and returns when the next one is. */
static uint64_t connections_look_after(struct mock_server *server, uint64_t now_us)
{
    wheel_collect(&server->wheel, now_us);
    for (struct wheel_entry *entry = wheel_next(&server->wheel); entry != NULL;
         entry = wheel_next(&server->wheel)) {
        connections_warm(&server->wheel);
        connection_look_after(connection_of_due(entry), now_us);
    }
    /* A held one goes on as soon as its seat is free. */
    return restless_look_after(server, now_us) ? 0 : wheel_due_us(&server->wheel);
}

static void notice_crowd_left(struct mock_server *server)
{
    if (server->connection_most < CROWD_MIN || server->connection_count > server->connection_most / 2)
        return;
    server->connection_most = server->connection_count;
    if (server->options.crowd_left != NULL)
        server->options.crowd_left(server->options.context);
}

/* True: there is more. The end of a session is work, too: thousands may end at once. */
static bool free_what_is_over(struct mock_server *server)
{
    if (!server->something_over)
        return false;
    const uint64_t until_us = mock_server_now_us(server) + FREES_US;
    const uint64_t moves = server->moves;
    server->something_over = false;
    struct connection **link = &server->connections;
    while (*link != NULL) {
        struct connection *connection = *link;
        if (!connection_is_free(connection)) {
            link = &connection->next;
            continue;
        }
        if (mock_server_now_us(server) >= until_us && server->moves != moves) {
            server->something_over = true;
            return true;
        }
        *link = connection->next;
        server->connection_count--;
        server->moves++;
        connection_free(connection);
    }
    notice_crowd_left(server);
    return false;
}

static uint64_t rest_us(const struct mock_server *server)
{
    uint32_t speed = server->options.engine.session.speed;
    return REST_US / (speed == 0 ? 1 : speed);
}

void pass_run(struct mock_server *server, uint64_t now_us, uint64_t due_us)
{
    if (now_us > server->due_us && now_us - server->due_us > server->lateness_worst_us)
        server->lateness_worst_us = now_us - server->due_us;
    uint64_t moves = server->moves;
    uv_timer_stop(&server->timer);
    server->due_us = UINT64_MAX;
    server->sockets_first = false;
    server->rests_until_us = now_us + rest_us(server);
    server->ticking = true; /* deadlines are looked for once, at the end */
    server->due_while_ticking_us = UINT64_MAX;
    services_tick(server, now_us);
    due_us = earlier(due_us, connections_look_after(server, now_us));
    if (free_what_is_over(server))
        due_us = now_us;
    server->ticking = false;
    due_us = earlier(due_us, earlier(server->due_while_ticking_us, services_deadline_us(server)));
    if (due_us <= now_us && server->moves == moves) {
        due_us = now_us + NOWHERE_WAIT_US;
        server->rests_until_us = 0;
    }
    if (due_us != UINT64_MAX)
        server_wake(server, due_us);
}
