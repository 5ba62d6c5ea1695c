/*
 * Who gets a turn in a round of the loop, counted in rounds: one request for the mock's own paths, and a few
 * newcomers, however many there are.
 */
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "codec/tests/suite.h"
#include "server/net/net.h"
#include "server/tests/fake_session.h"

enum {
    CLIENTS = 60,
    HEARD_MAX = 400,
    ROUNDS_MAX = 20000,
    LOOK_AGAIN_MS = 5,
    PARTS = 3, /* that the handler makes of a request for its "slow" path */
    LARGE_BYTES = 3 * 1024 * 1024 + 7,
    CASE_SECONDS = 60
};

static const char ANSWER[] = "\r\nContent-Length: 5\r\nConnection: close\r\n\r\nabcde";

struct client {
    int fd;
    size_t len;
    char heard[HEARD_MAX];
};

struct scene {
    uv_loop_t loop;
    uv_timer_t timer; /* so that a round of the loop ends */
    uv_prepare_t round;
    struct mock_http_handler handler;
    struct mock_server *server;
    unsigned rounds;
    unsigned calls;  /* of the handler, in this round */
    unsigned told;   /* requests */
    unsigned gone;   /* clients, as the handler was told */
    unsigned left;   /* parts of the request at hand */
    size_t sessions; /* when the round began */
    size_t joined;   /* in one round, the most of any */
    struct mock_http *http;
};

/* ---- the handler ---- */

static void answer(struct mock_http *http, size_t len)
{
    struct buffer body;
    buffer_init(&body, len);
    uint8_t *room = buffer_reserve(&body, len);
    ck_assert_ptr_nonnull(room);
    for (size_t n = 0; n < len; n++)
        room[n] = (uint8_t)('a' + n % 23);
    body.len = len;
    mock_http_answer_whole(http, 200, "", &body, false);
    ck_assert_uint_eq(body.len, 0);
}

static bool on_go_on(void *context)
{
    struct scene *scene = context;
    ck_assert_uint_eq(scene->calls++, 0);
    if (scene->left == 0) /* the client has gone */
        return false;
    if (--scene->left > 0)
        return true;
    answer(scene->http, 5);
    return false;
}

static bool on_request(void *context, struct mock_http *http, const struct mock_http_request *request)
{
    struct scene *scene = context;
    ck_assert_uint_eq(scene->calls++, 0);
    ck_assert_uint_eq(scene->left, 0);
    scene->told++;
    scene->http = http;
    if (bytes_equal_text(request->head->path, "/own/slow"))
        scene->left = PARTS;
    else
        answer(http, bytes_equal_text(request->head->path, "/own/large") ? LARGE_BYTES : 5);
    return scene->left > 0;
}

static void on_gone(void *context, struct mock_http *http)
{
    struct scene *scene = context;
    scene->gone++;
    if (scene->http == http)
        scene->left = 0;
}

/* ---- the scene ---- */

static void on_timer(uv_timer_t *timer)
{
    (void)timer;
}

static void on_round(uv_prepare_t *prepare)
{
    struct scene *scene = prepare->data;
    const size_t sessions = mock_server_sessions(scene->server);
    if (sessions > scene->sessions && sessions - scene->sessions > scene->joined)
        scene->joined = sessions - scene->sessions;
    scene->sessions = sessions;
    scene->calls = 0;
    scene->rounds++;
}

static void scene_begin(struct scene *scene)
{
    char error[MOCK_ERROR_MAX] = "";
    *scene = (struct scene){.handler = {.prefix = "/own/",
                                        .body_bytes_max = 1024,
                                        .request = on_request,
                                        .go_on = on_go_on,
                                        .gone = on_gone,
                                        .context = scene}};
    const struct session_config session = {.profile = &FAKE_PROFILE, .seed = 7, .speed = 1};
    const struct mock_server_options options = {
        .path = FAKE_FAMILY.path,
        .engine = {.session_class = &FAKE_SESSION_CLASS, .session = session},
        .recorder = {.rules = {.profile = &FAKE_PROFILE}, .session_class = &FAKE_SESSION_CLASS},
        .http = &scene->handler};
    uv_loop_init(&scene->loop);
    uv_timer_init(&scene->loop, &scene->timer);
    uv_timer_start(&scene->timer, on_timer, LOOK_AGAIN_MS, LOOK_AGAIN_MS);
    scene->server = mock_server_start(&scene->loop, &options, error);
    ck_assert_msg(scene->server != NULL, "%s", error);
    uv_prepare_init(&scene->loop, &scene->round);
    scene->round.data = scene;
    uv_prepare_start(&scene->round, on_round);
}

static void scene_end(struct scene *scene)
{
    uv_close((uv_handle_t *)&scene->round, NULL);
    uv_close((uv_handle_t *)&scene->timer, NULL);
    mock_server_stop(scene->server, NULL, NULL);
    uv_run(&scene->loop, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&scene->loop), 0);
}

/* It has asked before the loop runs. */
static struct client client_ask(const struct scene *scene, const char *path, const char *lines)
{
    const struct sockaddr_in where = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)mock_server_port(scene->server)),
                                      .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    char request[400];
    struct text text = text_of(request, sizeof request);
    text_add(&text, "GET ");
    text_add(&text, path);
    text_add(&text, " HTTP/1.1\r\nHost: localhost\r\n");
    text_add(&text, lines);
    text_add(&text, "\r\n");
    const struct client client = {.fd = socket(AF_INET, SOCK_STREAM, 0)};
    ck_assert_int_ge(client.fd, 0);
    ck_assert_int_eq(connect(client.fd, (const struct sockaddr *)&where, sizeof where), 0);
    ck_assert_int_eq(send(client.fd, request, text.len, MSG_NOSIGNAL), (ssize_t)text.len);
    return client;
}

static bool client_has(struct client *client, const char *wanted)
{
    const ssize_t more =
        recv(client->fd, client->heard + client->len, HEARD_MAX - 1 - client->len, MSG_DONTWAIT);
    client->len += more > 0 ? (size_t)more : 0;
    client->heard[client->len] = '\0';
    return strstr(client->heard, wanted) != NULL;
}

/* Runs the loop until all have heard that. */
static void all_hear(struct scene *scene, struct client *clients, size_t count, const char *wanted)
{
    for (size_t n = 0; n < count; n++) {
        while (!client_has(&clients[n], wanted)) {
            ck_assert_msg(scene->rounds < ROUNDS_MAX, "%zu heard: %s", n, clients[n].heard);
            uv_run(&scene->loop, UV_RUN_ONCE);
        }
    }
}

static void clients_end(struct client *clients, size_t count)
{
    for (size_t n = 0; n < count; n++)
        close(clients[n].fd);
}

/* ---- requests ---- */

static const struct {
    const char *name, *path;
    bool ends_its_side;
    unsigned rounds; /* that each takes at least */
} REQUESTS[] = {
    {"answered at once", "/own/fast", false, 1},
    {"answered in parts", "/own/slow", false, PARTS + 1},
    {"answered at once to a client that ends its side", "/own/fast", true, 1},
    {"answered in parts to a client that ends its side", "/own/slow", true, PARTS + 1},
};

/* That no more is done in a round the handler itself looks at. */
START_TEST(one_request_is_worked_on_in_a_round)
{
    struct scene scene;
    struct client clients[CLIENTS];
    scene_begin(&scene);
    for (size_t n = 0; n < CLIENTS; n++) {
        clients[n] = client_ask(&scene, REQUESTS[_i].path, "");
        if (REQUESTS[_i].ends_its_side)
            ck_assert_int_eq(shutdown(clients[n].fd, SHUT_WR), 0);
    }
    all_hear(&scene, clients, CLIENTS, ANSWER);
    ck_assert_uint_eq(scene.told, CLIENTS);
    ck_assert_uint_eq(scene.gone, 0);
    ck_assert_msg(scene.rounds >= CLIENTS * REQUESTS[_i].rounds, "%s: %u rounds", REQUESTS[_i].name,
                  scene.rounds);
    clients_end(clients, CLIENTS);
    scene_end(&scene);
}
END_TEST

/* The first goes while it is worked on, the second while it waits for that. */
START_TEST(a_client_that_goes_makes_room_for_the_next)
{
    const struct linger reset = {.l_onoff = 1};
    struct scene scene;
    struct client clients[3];
    scene_begin(&scene);
    clients[0] = client_ask(&scene, "/own/slow", "");
    while (scene.told == 0)
        uv_run(&scene.loop, UV_RUN_ONCE);
    clients[1] = client_ask(&scene, "/own/slow", "");
    clients[2] = client_ask(&scene, "/own/fast", "");
    for (size_t n = 0; n < 2; n++) {
        ck_assert_int_eq(setsockopt(clients[n].fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset), 0);
        close(clients[n].fd);
    }
    all_hear(&scene, &clients[2], 1, ANSWER);
    clients_end(&clients[2], 1);
    scene_end(&scene);
}
END_TEST

START_TEST(a_large_answer_comes_whole)
{
    struct scene scene;
    char piece[65536];
    size_t at = 0;
    ssize_t len = 0;
    scene_begin(&scene);
    struct client client = client_ask(&scene, "/own/large", "");
    all_hear(&scene, &client, 1, "\r\n\r\n");
    for (const char *body = strstr(client.heard, "\r\n\r\n") + 4; *body != '\0'; body++, at++)
        ck_assert_int_eq(*body, (char)('a' + at % 23));
    do {
        for (ssize_t n = 0; n < len; n++, at++)
            ck_assert_int_eq(piece[n], (char)('a' + at % 23));
        if (at < LARGE_BYTES)
            uv_run(&scene.loop, UV_RUN_ONCE);
        len = recv(client.fd, piece, sizeof piece, MSG_DONTWAIT);
        ck_assert_uint_lt(scene.rounds, ROUNDS_MAX);
    } while (at < LARGE_BYTES);
    ck_assert_uint_eq(at, LARGE_BYTES);
    clients_end(&client, 1);
    scene_end(&scene);
}
END_TEST

/* ---- newcomers ---- */

static const char UPGRADE[] = "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                              "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\nSec-WebSocket-Version: 13\r\n";

START_TEST(a_few_newcomers_are_let_in_in_a_round)
{
    struct scene scene;
    struct client clients[CLIENTS];
    scene_begin(&scene);
    for (size_t n = 0; n < CLIENTS; n++)
        clients[n] = client_ask(&scene, FAKE_FAMILY.path, UPGRADE);
    all_hear(&scene, clients, CLIENTS, "HTTP/1.1 101");
    ck_assert_uint_eq(mock_server_sessions(scene.server), CLIENTS);
    ck_assert_uint_ge(scene.joined, 1);
    ck_assert_uint_le(scene.joined, NEWCOMERS_MAX);
    clients_end(clients, CLIENTS);
    while (mock_server_sessions(scene.server) > 0 && scene.rounds < ROUNDS_MAX)
        uv_run(&scene.loop, UV_RUN_ONCE);
    ck_assert_uint_eq(mock_server_sessions(scene.server), 0);
    scene_end(&scene);
}
END_TEST

/* Half of them go while they wait for their turn; the server is stopped while some of the others do. */
START_TEST(newcomers_may_go_or_be_sent_away_while_they_wait)
{
    struct scene scene;
    struct client clients[CLIENTS];
    scene_begin(&scene);
    for (size_t n = 0; n < CLIENTS; n++)
        clients[n] = client_ask(&scene, FAKE_FAMILY.path, UPGRADE);
    while (scene.joined == 0)
        uv_run(&scene.loop, UV_RUN_ONCE);
    ck_assert_uint_lt(mock_server_sessions(scene.server), CLIENTS);
    clients_end(clients, CLIENTS / 2);
    uv_run(&scene.loop, UV_RUN_ONCE);
    scene_end(&scene);
    clients_end(clients + CLIENTS / 2, CLIENTS - CLIENTS / 2);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("turns");
    tcase_set_timeout(tcase, CASE_SECONDS);
    tcase_add_loop_test(tcase, one_request_is_worked_on_in_a_round, 0, TABLE_COUNT(REQUESTS));
    tcase_add_test(tcase, a_client_that_goes_makes_room_for_the_next);
    tcase_add_test(tcase, a_large_answer_comes_whole);
    tcase_add_test(tcase, a_few_newcomers_are_let_in_in_a_round);
    tcase_add_test(tcase, newcomers_may_go_or_be_sent_away_while_they_wait);
    return suite_run("turns", tcase);
}
