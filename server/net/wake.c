/*
 * The server's clock, its log and its timer: when the next pass over what is due comes (pass.c).
 *
 * What is due at once waits for no timer: the pass comes in the next round of the loop, after the sockets
 * were looked at. So does one that comes late: what a client sent in time may lie unread until then.
 */
#include <stdio.h>

#include "server/net/net.h"

enum { LATE_US = 50000 };

uint64_t mock_server_now_us(const struct mock_server *server)
{
    return (uv_hrtime() - server->start_ns) / 1000;
}

void server_log(struct mock_server *server, const struct connection *connection, const char *what)
{
    if (server->options.log == NULL)
        return;
    char line[300];
    uint64_t ms = mock_server_now_us(server) / 1000;
    bool is_own = connection->service == server->service;
    snprintf(line, sizeof line, "connection %lu%s%.80s %s (%lu.%03lu s)", (unsigned long)connection->number,
             is_own ? "" : " of ", is_own ? "" : connection->service->options.path, what,
             (unsigned long)(ms / 1000), (unsigned long)(ms % 1000));
    server->options.log(server->options.context, line);
}

static void on_idle(uv_idle_t *idle)
{
    struct mock_server *server = idle->data;
    if (server->sockets_first) { /* they are looked at in this round */
        server->sockets_first = false;
        return;
    }
    uv_idle_stop(idle);
    server->pass(server);
}

static void on_timer(uv_timer_t *timer)
{
    struct mock_server *server = timer->data;
    const uint64_t now_us = mock_server_now_us(server);
    server->sockets_first = now_us > server->due_us && now_us - server->due_us >= LATE_US;
    if (server->sockets_first)
        uv_idle_start(&server->at_once, on_idle);
    else
        server->pass(server);
}

void server_wake(struct mock_server *server, uint64_t at_us)
{
    if (server->ticking) {
        server->due_while_ticking_us = earlier(server->due_while_ticking_us, at_us);
        return;
    }
    uint64_t now_us = mock_server_now_us(server);
    if (at_us > now_us && at_us < server->rests_until_us)
        at_us = server->rests_until_us;
    if (at_us >= server->due_us)
        return;
    if (at_us <= now_us) {
        server->due_us = now_us;
        uv_idle_start(&server->at_once, on_idle);
        return;
    }
    server->due_us = at_us;
    uv_update_time(server->loop);
    uv_timer_start(&server->timer, on_timer, (at_us - now_us + 999) / 1000, 0);
}

void connection_wake(struct connection *connection, uint64_t at_us)
{
    if (at_us < connection->due.due_us)
        wheel_set(&connection->server->wheel, &connection->due, at_us);
    server_wake(connection->server, at_us);
}
