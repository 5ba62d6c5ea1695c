/* Engines and whom they serve: steps them and hands their actions on. */
#include "server/net/net.h"

/* Without a connection only what concerns the script itself is left. */
static void action_without_connection(struct mock_service *service, const struct action *action)
{
    switch (action->kind) {
    case ACTION_MARK:
    case ACTION_CAPTURE:
    case ACTION_STEP:
    case ACTION_STEP_FAILED:
    case ACTION_SCRIPT_DONE:
        recorder_action(service->recording.recorder, mock_server_now_us(service->server),
                        &service->server->actions, action);
        break;
    case ACTION_ACCEPT:
    case ACTION_REFUSE:
    case ACTION_SEND_TEXT:
    case ACTION_SEND_BINARY:
    case ACTION_SEND_PING:
    case ACTION_CLOSE:
    case ACTION_RESET:
    case ACTION_SEND_RAW:
    case ACTION_DROP:
    case ACTION_HALF_CLOSE:
    case ACTION_STOP_READING:
        recording_dropped(service, NULL, action);
        break;
    }
}

/* Ticks that change nothing but the time need no entry: see journal.h. */
static void seat_record(struct mock_service *service, struct seat *seat, const struct engine_event *event)
{
    bool more = engine_deadline_us(seat->engine) <= event->now_us;
    const char *refusal = engine_refusal(seat->engine);
    if (event->kind != ENGINE_TICK || !seat->begun || seat->is_changed || more || refusal != NULL)
        recording_taken(service, seat->connection,
                        &(struct taken_event){.now_us = event->now_us,
                                              .event = engine_event_name(event->kind),
                                              .code = event->code,
                                              .message_bytes = event->message_bytes,
                                              .order = seat->asked,
                                              .begins = !seat->begun,
                                              .seed = seat->seed,
                                              .data = bytes_of_text(refusal == NULL ? "" : refusal)});
    seat->begun = true;
    seat->is_changed = false;
}

void seat_tell(struct mock_service *service, struct seat *seat, const char *label, struct bytes data)
{
    recording_taken(service, seat->connection,
                    &(struct taken_event){.now_us = mock_server_now_us(service->server),
                                          .event = label,
                                          .order = seat->asked,
                                          .begins = !seat->begun,
                                          .seed = seat->seed,
                                          .data = data});
    seat->begun = true;
    seat->is_changed = true;
}

void seat_tell_quirks(struct mock_service *service, struct seat *seat, const struct quirks *quirks)
{
    char data[QUIRKS_TEXT_MAX];
    struct text text = text_of(data, sizeof data);
    quirk_write_all(&text, service->options.engine.session_class->quirks, quirks);
    seat_tell(service, seat, "quirks", bytes_of(data, text.len));
}

/* The connection goes on with an engine of its own, and the script waits for its next one. One that nobody
 * else can come to has no more use for the rest of its script. */
static void seat_part(struct mock_service *service, struct seat *seat, struct engine *aside)
{
    struct connection *connection = seat->connection;
    if (connection == NULL) {
        engine_free(aside);
        return;
    }
    if (seat == &connection->own_seat) {
        engine_free(seat->engine);
        seat->engine = aside;
        return;
    }
    connection->own_seat = (struct seat){
        .engine = aside, .connection = connection, .begun = true, .asked = seat->asked, .seed = seat->seed};
    connection->seat = &connection->own_seat;
    seat->connection = NULL;
    seat_wake(service->server, connection->seat);
}

void seat_step(struct mock_service *service, struct seat *seat, const struct engine_event *event)
{
    struct mock_server *server = service->server;
    if (seat->engine == NULL || server->stepping)
        return;
    server->stepping = true;
    actions_clear(&server->actions);
    engine_step(seat->engine, event, &server->actions);
    const bool no_memory = actions_lack_memory(&server->actions);
    seat->has_more = engine_deadline_us(seat->engine) <= mock_server_now_us(server) + 1;
    seat_record(service, seat, event);
    server->moves += server->actions.count;
    for (size_t n = 0; n < server->actions.count; n++) {
        struct action *action = &server->actions.list[n];
        action->order = seat->asked++;
        if (seat->connection != NULL)
            connection_perform(seat->connection, &server->actions, action);
        else
            action_without_connection(service, action);
    }
    server->stepping = false;
    if (no_memory && seat->connection != NULL) {
        server_log(server, seat->connection, "is given up: there is no memory for what it is to be sent");
        transport_close(seat->connection->transport, true);
    }
    struct engine *aside = engine_take_aside(seat->engine);
    if (aside != NULL)
        seat_part(service, seat, aside);
    seat_wake(server, seat);
}

bool seat_is_waiting(const struct seat *seat)
{
    return seat->has_more && seat->connection != NULL && connection_is_behind(seat->connection);
}

uint64_t seat_deadline_us(const struct seat *seat)
{
    if (seat->engine == NULL)
        return UINT64_MAX;
    if (seat_is_waiting(seat))
        return UINT64_MAX;
    const uint64_t deadline = engine_deadline_us(seat->engine);
    return deadline > seat->rests_until_us ? deadline : seat->rests_until_us;
}

void seat_wake(struct mock_server *server, struct seat *seat)
{
    uint64_t deadline = seat_deadline_us(seat);
    if (seat->connection == NULL || seat->connection->seat != &seat->connection->own_seat)
        server_wake(server, deadline);
    else
        connection_wake(seat->connection, deadline);
}

/* The engine may have more to do at once than fits one list of actions, or one round of the loop. */
void seat_tick(struct mock_service *service, struct seat *seat, uint64_t now_us)
{
    const uint64_t until_us = mock_server_now_us(service->server) + SEAT_US;
    while (seat->steps < SEAT_STEPS_MAX && seat_deadline_us(seat) <= now_us) {
        seat_step(service, seat, &(struct engine_event){.kind = ENGINE_TICK, .now_us = now_us});
        if (++seat->steps < SEAT_STEPS_MAX && mock_server_now_us(service->server) >= until_us)
            break; /* it was woken for the next round, and goes on with its row of steps */
    }
    if (seat_deadline_us(seat) > now_us) {
        seat->steps = 0;
    } else if (seat->steps == SEAT_STEPS_MAX) {
        seat->steps = 0;
        seat->rests_until_us = now_us + SEAT_REST_US;
        seat_wake(service->server, seat);
    }
}

void seat_leave(struct connection *connection)
{
    struct mock_server *server = connection->server;
    struct seat *seat = connection->seat;
    if (seat == NULL || connection->gone_is_told || server->stepping)
        return;
    connection->gone_is_told = true;
    seat_step(connection->service, seat,
              &(struct engine_event){.kind = ENGINE_GONE, .now_us = mock_server_now_us(server)});
    seat->connection = NULL;
    connection->seat = NULL;
}

void connection_left(struct connection *connection)
{
    connection->left = true;
    connection_enter(connection, PHASE_OVER, UINT64_MAX);
    connection_pump(connection); /* nothing goes out, but what concerns the script is recorded */
    seat_leave(connection);
    transport_finish(connection->transport);
}
