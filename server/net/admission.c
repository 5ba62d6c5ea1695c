/*
 * Letting a connection in: what is no upgrade to the endpoint's WebSocket is answered here, the rest is the
 * engine's to decide.
 */
#include "server/net/net.h"

#include "codec/wire/http_head.h"
#include "codec/wire/text.h"
#include "codec/ws/handshake.h"

enum { ENDPOINTS_TOLD_MAX = 8 };

/* Real services do, and nothing hangs on them. */
static const unsigned FLAWS_LET_PASS = WS_FLAW_HOST | WS_FLAW_CONNECTION;

static bool path_is_served(const struct connection *connection, const struct http_head *head)
{
    return service_has_path(connection->service, head->path) ||
           service_has_other_path(connection->service, head->path);
}

bool admission_route(struct connection *connection)
{
    struct http_head head;
    if (!http_head_parse(bytes_of(connection->request.data, connection->head_bytes), &head))
        return false;
    if (http_is_wanted(connection->server, head.path))
        return true;
    struct mock_service *service = service_find(connection->server, head.path);
    if (service != connection->service) {
        service_leave(connection);
        service_join(service, connection);
        ws_endpoint_limit(connection->endpoint, message_kept_max(connection),
                          connection_inflated_max(connection));
    }
    return false;
}

static struct bytes head_of(const struct connection *connection)
{
    return bytes_of(connection->request.data, connection->head_bytes);
}

/* The endpoints that the connection may have meant: its service's, and with the server's own those beside it,
 * in the order they were made. */
static size_t endpoints_list(const struct connection *connection, const char *paths[ENDPOINTS_TOLD_MAX])
{
    const struct mock_server *server = connection->server;
    size_t count = 0;
    if (!service_is_own(connection->service)) {
        paths[0] = connection->service->options.path;
        return 1;
    }
    /* The list has the latest in front; where there are too many, the latest are left out. */
    for (const struct mock_service *service = server->services; service != NULL; service = service->next) {
        if (service->is_removed || !service_is_own(service))
            continue;
        count += count < ENDPOINTS_TOLD_MAX ? 1 : 0;
        memmove(paths + 1, paths, (count - 1) * sizeof *paths);
        paths[0] = service->options.path;
    }
    return count;
}

static void refuse_path(struct connection *connection)
{
    const char *paths[ENDPOINTS_TOLD_MAX];
    char sentence[ENDPOINTS_TOLD_MAX * (MOCK_SERVICE_PATH_MAX + 8) + 60];
    struct text text = text_of(sentence, sizeof sentence);
    const size_t count = endpoints_list(connection, paths);
    text_add(&text, count == 1 ? "There is nothing here. The endpoint is "
                               : "There is nothing here. The endpoints are ");
    for (size_t i = 0; i < count; i++) {
        text_add(&text, i == 0 ? "" : i + 1 == count ? " and " : ", ");
        text_add(&text, paths[i]);
    }
    text_add_char(&text, '.');
    connection_refuse(connection, 404, "", sentence);
}

/* True when it was answered here. */
static bool answer_what_is_no_upgrade(struct connection *connection, const struct http_head *head)
{
    if (!path_is_served(connection, head)) {
        refuse_path(connection);
        return true;
    }
    const struct ws_refusal *refusal = ws_request_refusal(ws_request_flaws(head) & ~FLAWS_LET_PASS);
    if (refusal != NULL) {
        connection_refuse(connection, refusal->status, refusal->lines, refusal->sentence);
        return true;
    }
    return false;
}

bool admission_is_upgrade(struct bytes bytes)
{
    struct http_head head;
    return http_head_parse(bytes, &head) && http_head_asks_for_websocket(&head);
}

/* The script's connection before this one is about to end, and the script may want another one then. */
bool admission_must_wait(const struct connection *connection)
{
    const struct mock_service *service = connection->service;
    const struct connection *before = service->script_seat.connection;
    return connection->head_is_upgrade && before != NULL && service->options.engine.script != NULL &&
           (before->phase == PHASE_CLOSING || before->phase == PHASE_OVER ||
            transport_is_ending(before->transport));
}

/* What the engine of a connection of its own is made with. */
static struct engine_config choose_config(struct connection *connection, const struct http_head *head)
{
    const struct mock_service_options *options = &connection->service->options;
    struct engine_config config = options->engine;
    config.session.seed += connection->service->requests - 1;
    if (options->choose != NULL)
        options->choose(options->context, head, &config);
    connection->chosen_script = config.script;
    return config;
}

/* What is not as the journal's header has it. */
static void seat_tell_config(struct connection *connection, const struct engine_config *config)
{
    struct mock_service *service = connection->service;
    struct seat *seat = &connection->own_seat;
    if (memcmp(&config->session.quirks, &service->quirks_at_first, sizeof config->session.quirks) != 0)
        seat_tell_quirks(service, seat, &config->session.quirks);
    if (config->script != NULL)
        seat_tell(service, seat, "script", config->script->source);
    if (config->session.config_fault != NULL)
        seat_tell(service, seat, "config-fault", bytes_of_text(config->session.config_fault));
    else if (config->session.config_id == NULL && service->options.engine.session.config_id != NULL)
        seat_tell(service, seat, "any-config", bytes_of(NULL, 0));
}

/* An engine for a connection of its own; with a script it runs to its first accept or refuse. */
static bool seat_take_own(struct connection *connection, const struct engine_config *config)
{
    struct seat *seat = &connection->own_seat;
    seat->seed = config->session.seed;
    seat->engine = engine_new(config);
    if (seat->engine == NULL)
        return false;
    connection->seat = seat;
    seat->connection = connection;
    seat_tell_config(connection, config);
    if (config->script != NULL && !engine_wants_connection(seat->engine))
        seat_tick(connection->service, seat, mock_server_now_us(connection->server));
    return config->script == NULL || engine_wants_connection(seat->engine);
}

static bool seat_take_script(struct connection *connection)
{
    struct mock_service *service = connection->service;
    struct seat *seat = &service->script_seat;
    if (seat->connection != NULL)
        return false;
    if (service->options.script_again && engine_is_done(seat->engine)) {
        struct engine *again = engine_new(&service->options.engine);
        if (again == NULL)
            return false;
        engine_free(seat->engine);
        seat->engine = again;
        seat->begun = false;
        seat->asked = 0;
        service->script_is_told = false;
    }
    if (!engine_wants_connection(seat->engine)) /* it may be about to */
        seat_tick(service, seat, mock_server_now_us(service->server));
    if (!engine_wants_connection(seat->engine))
        return false;
    connection->seat = seat;
    return true;
}

/* A client that comes again with what the service refuses gets that refusal again, whatever the script waits
 * for. */
static bool service_refuses(struct connection *connection, const struct http_head *head)
{
    struct mock_server *server = connection->server;
    const struct engine_config *config = &connection->service->options.engine;
    const struct session_class *session_class = config->session_class;
    struct session *session = session_class->create(&config->session);
    if (session == NULL)
        return false;
    uint64_t now_us = mock_server_now_us(server);
    struct session_event event = {.kind = SESSION_REQUEST, .now_us = now_us, .head = head};
    actions_clear(&server->scratch);
    session_class->step(session, &event, &server->scratch);
    session_class->destroy(session);
    struct action *action = server->scratch.list;
    if (server->scratch.count == 0 || action->kind != ACTION_REFUSE || !recording_begin(connection, now_us))
        return false;
    action->by_host = true;
    connection_perform(connection, &server->scratch, action);
    return true;
}

static bool quirk_serves_path(const struct connection *connection, const struct session_config *config,
                              struct bytes path)
{
    int row = connection->service->quirk_rows[HOST_QUIRK_ANY_PATH];
    return service_has_path(connection->service, path) || (row >= 0 && config->quirks.value[row] != 0);
}

/* False when it was answered here. */
static bool seat_take(struct connection *connection, const struct http_head *head)
{
    const struct engine_config *of_service = &connection->service->options.engine;
    bool script = of_service->script != NULL;
    bool taken;
    if (script) {
        if (!quirk_serves_path(connection, &of_service->session, head->path)) {
            refuse_path(connection);
            return false;
        }
        taken = seat_take_script(connection);
    } else {
        struct engine_config config = choose_config(connection, head);
        if (!quirk_serves_path(connection, &config.session, head->path)) {
            refuse_path(connection);
            return false;
        }
        script = config.script != NULL;
        taken = seat_take_own(connection, &config);
    }
    if (taken)
        return true;
    if (connection->seat != NULL)
        connection->seat->connection = NULL;
    connection->seat = NULL;
    if (!script || !service_refuses(connection, head))
        connection_refuse(connection, 503, "",
                          script ? "The script does not wait for a connection now."
                                 : "There is no memory for another session.");
    return false;
}

bool admission_take_place(struct connection *connection)
{
    struct mock_server *server = connection->server;
    if (!connection->has_place && server->place_count < CONNECTIONS_MAX) {
        connection->has_place = true;
        server->place_count++;
    }
    return connection->has_place;
}

static size_t sessions_max(const struct mock_server *server)
{
    unsigned most = server->options.sessions_max;
    return most == 0 || most > MOCK_SESSIONS_MAX ? MOCK_SESSIONS_MAX : most;
}

void admission_decide(struct connection *connection)
{
    struct mock_server *server = connection->server;
    struct mock_service *service = connection->service;
    struct http_head head;
    if (!http_head_parse(head_of(connection), &head)) {
        connection_refuse(connection, 400, "", "That is no HTTP request.");
        return;
    }
    if (connection->head_is_upgrade) {
        server->requests++;
        service->requests++;
    }
    if (!admission_take_place(connection)) {
        connection_refuse(connection, 503, "Retry-After: 1\r\n", "Too many connections are open.");
        return;
    }
    if (answer_what_is_no_upgrade(connection, &head))
        return;
    if (server->stopping || mock_server_sessions(server) >= sessions_max(server)) {
        connection_refuse(connection, 503, "Retry-After: 1\r\n", "Too many sessions are open.");
        return;
    }
    if (!seat_take(connection, &head))
        return;
    connection->seat->connection = connection;
    connection_enter(connection, PHASE_ASKING, UINT64_MAX);
    seat_step(service, connection->seat,
              &(struct engine_event){
                  .kind = ENGINE_REQUEST, .now_us = mock_server_now_us(server), .data = head_of(connection)});
    /* Refused: the next need not wait until this one has taken its answer. An engine that had let it in is
     * told. */
    if (connection->phase == PHASE_OVER && connection->left) {
        seat_leave(connection);
    } else if (connection->phase == PHASE_OVER && connection->seat != NULL) {
        connection->seat->connection = NULL;
        connection->seat = NULL;
    }
}
