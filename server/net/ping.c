/*
 * The mock's own pings: a client that answers none of them for long is dropped. Their payload is told from
 * what a script's pings carry; only an answer to one of these counts, or to a ping that came after it, as
 * RFC 6455 5.5.3 lets a client answer just the newest.
 */
#include <stdio.h>

#include "server/net/delivery.h"

enum { PAYLOAD_BYTES_MAX = 40 };
static const char PAYLOAD[] = "ojin-mock ping ";

static uint64_t divided(const struct connection *connection, uint64_t wait_us)
{
    uint32_t speed = connection->service->options.engine.session.speed;
    wait_us /= speed == 0 ? 1 : speed;
    return wait_us == 0 ? 1 : wait_us;
}

static bool pings_now(const struct connection *connection)
{
    return connection->server->options.ping_interval_us > 0 && connection->phase == PHASE_OPEN &&
           !connection->half_closed && connection->transport->reads_again_us == 0;
}

void ping_begin(struct connection *connection)
{
    struct own_ping *ping = &connection->ping;
    *ping = (struct own_ping){.next_us = UINT64_MAX, .answer_by_us = UINT64_MAX};
    if (connection->server->options.ping_interval_us == 0)
        return;
    ping->next_us = mock_server_now_us(connection->server) +
                    divided(connection, connection->server->options.ping_interval_us);
    connection_wake(connection, ping->next_us);
}

uint64_t ping_deadline_us(const struct connection *connection)
{
    if (!pings_now(connection))
        return UINT64_MAX;
    const struct own_ping *ping = &connection->ping;
    return ping->next_us < ping->answer_by_us ? ping->next_us : ping->answer_by_us;
}

static void ping_send(struct connection *connection, uint64_t now_us)
{
    struct own_ping *ping = &connection->ping;
    char payload[PAYLOAD_BYTES_MAX];
    ping->next_us = now_us + divided(connection, connection->server->options.ping_interval_us);
    /* Behind what waits it would be late through no fault of the client's; not reading is seen otherwise. */
    if (connection_is_behind(connection))
        return;
    int len = snprintf(payload, sizeof payload, "%s%lu", PAYLOAD, (unsigned long)++ping->sent);
    connection_record_own(connection, WIRE_EVENT_PING, 0, bytes_of(payload, (size_t)len));
    (void)ws_endpoint_ping(connection->endpoint, bytes_of(payload, (size_t)len));
    connection_flush(connection);
    ping->others_since = false;
    if (ping->answer_by_us == UINT64_MAX && connection->server->options.ping_timeout_us > 0)
        ping->answer_by_us = now_us + divided(connection, connection->server->options.ping_timeout_us);
}

void ping_tick(struct connection *connection, uint64_t now_us)
{
    struct own_ping *ping = &connection->ping;
    if (connection->transport->reads_again_us != 0)
        ping->answer_by_us = UINT64_MAX; /* its pong may lie unread */
    if (!pings_now(connection))
        return;
    if (ping->answer_by_us <= now_us) {
        server_log(connection->server, connection, "is dropped: its pong stays away (RFC 6455 5.5.2)");
        ping->answer_by_us = UINT64_MAX;
        connection_enter(connection, PHASE_OVER, UINT64_MAX);
        connection_drop_all(connection);
        transport_finish(connection->transport);
        return;
    }
    if (ping->next_us <= now_us)
        ping_send(connection, now_us);
}

bool ping_is_answered_by(struct connection *connection, struct bytes payload)
{
    struct own_ping *ping = &connection->ping;
    size_t len = sizeof PAYLOAD - 1;
    bool ours = payload.len > len && memcmp(payload.data, PAYLOAD, len) == 0;
    if (ours || ping->others_since)
        ping->answer_by_us = UINT64_MAX;
    return ours;
}
