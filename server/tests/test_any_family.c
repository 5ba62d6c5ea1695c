/*
 * The listener, its journal, the control interface and a script serve a family that is none of the registry:
 * no family of that is linked into this program.
 */
#include <arpa/inet.h>
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "server/control/control.h"
#include "server/tests/fake_session.h"

enum { HEARD_MAX = 65536, ROUNDS_MAX = 3000, LOOK_AGAIN_MS = 10 };

struct scene {
    uv_loop_t loop;
    uv_timer_t timer; /* so that a round of the loop ends */
    struct journal *journal;
    struct control *control;
    struct mock_server *server;
    struct script *script; /* NULL: the service alone */
};

static void on_timer(uv_timer_t *timer)
{
    (void)timer;
}

static void scene_begin(struct scene *scene, const char *steps)
{
    char error[SCRIPT_ERROR_MAX] = "";
    struct journal_header header = {.profile = "fake-1", .speed = 1};
    *scene = (struct scene){.script = NULL};
    if (steps != NULL) {
        scene->script = script_parse_steps("steps", bytes_of_text(steps), false, &FAKE_SESSION_CLASS, error);
        ck_assert_msg(scene->script != NULL, "%s", error);
    }
    journal_header_class(&header, &FAKE_SESSION_CLASS);
    scene->journal = journal_new(&header, bytes_of_text(""));
    const struct session_config session = {.profile = &FAKE_PROFILE, .seed = 7, .speed = 1};
    struct mock_server_options options = {
        .path = FAKE_FAMILY.path,
        .engine = {.session_class = &FAKE_SESSION_CLASS, .session = session, .script = scene->script},
        .recorder = {.rules = {.profile = &FAKE_PROFILE},
                     .journal = scene->journal,
                     .session_class = &FAKE_SESSION_CLASS}};
    uv_loop_init(&scene->loop);
    uv_timer_init(&scene->loop, &scene->timer);
    uv_timer_start(&scene->timer, on_timer, LOOK_AGAIN_MS, LOOK_AGAIN_MS);
    scene->control = control_new(&(struct control_options){.any_peer = false}, &options);
    scene->server = mock_server_start(&scene->loop, &options, error);
    ck_assert_msg(scene->server != NULL, "%s", error);
    control_begin(scene->control, scene->server, &scene->loop);
}

static void on_stopped(void *context)
{
    (void)context;
}

static void scene_end(struct scene *scene)
{
    control_drain(scene->control);
    mock_server_stop(scene->server, on_stopped, scene);
    uv_close((uv_handle_t *)&scene->timer, NULL);
    uv_run(&scene->loop, UV_RUN_DEFAULT);
    control_free(scene->control);
    ck_assert_int_eq(uv_loop_close(&scene->loop), 0);
    journal_free(scene->journal);
    if (scene->script != NULL)
        script_free(scene->script);
}

static int scene_connect(const struct scene *scene)
{
    const struct sockaddr_in where = {.sin_family = AF_INET,
                                      .sin_port = htons((uint16_t)mock_server_port(scene->server)),
                                      .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(connect(fd, (const struct sockaddr *)&where, sizeof where), 0);
    return fd;
}

static void say(int fd, const void *data, size_t len)
{
    ck_assert_int_eq(send(fd, data, len, MSG_NOSIGNAL), (ssize_t)len);
}

/* Runs the loop until `wanted` has come. */
static void hear(struct scene *scene, int fd, struct bytes wanted, char heard[HEARD_MAX])
{
    size_t len = 0;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        uv_run(&scene->loop, UV_RUN_ONCE);
        const ssize_t more = recv(fd, heard + len, HEARD_MAX - 1 - len, MSG_DONTWAIT);
        len += more > 0 ? (size_t)more : 0;
        heard[len] = '\0';
        for (size_t at = 0; at + wanted.len <= len; at++)
            if (memcmp(heard + at, wanted.data, wanted.len) == 0)
                return;
    }
    ck_abort_msg("it did not come; heard: %s", heard);
}

static void upgrade(int fd, const char *target)
{
    char request[400];
    struct text text = text_of(request, sizeof request);
    text_add(&text, "GET ");
    text_add(&text, target);
    text_add(&text, " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\nSec-WebSocket-Version: 13\r\n\r\n");
    say(fd, request, text.len);
}

static bool journal_holds(const struct journal *journal, const char *label)
{
    for (size_t i = 0; i < journal_count(journal); i++)
        if (strcmp(journal_at(journal, i)->label, label) == 0)
            return true;
    return false;
}

START_TEST(a_session_is_served_kept_and_shown)
{
    static const uint8_t audio[] = {0x82, 0x84, 0, 0, 0, 0, '!', 'a', 'b', 'c'}; /* with a mask of zeros */
    static const uint8_t message[] = {0x81, 0x00};
    struct scene scene;
    char heard[HEARD_MAX];
    scene_begin(&scene, NULL);
    const int fd = scene_connect(&scene);
    upgrade(fd, "/fake");
    hear(&scene, fd, bytes_of(message, sizeof message), heard);
    ck_assert_ptr_nonnull(strstr(heard, "HTTP/1.1 101"));
    say(fd, audio, sizeof audio);
    hear(&scene, fd, bytes_of(message, sizeof message), heard);
    const int other = scene_connect(&scene);
    static const char ask[] = "GET /__mock/sessions/1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    say(other, ask, sizeof ask - 1);
    hear(&scene, other, bytes_of_text("\"loud\":true"), heard);
    ck_assert_ptr_nonnull(strstr(heard, "\"audio_bytes\":4"));
    ck_assert(journal_holds(scene.journal, "ready"));
    ck_assert(journal_holds(scene.journal, "audio"));
    close(other);
    close(fd);
    scene_end(&scene);
}
END_TEST

START_TEST(a_refusal_is_the_families_own)
{
    struct scene scene;
    char heard[HEARD_MAX];
    scene_begin(&scene, "refuse status=401\n");
    const int fd = scene_connect(&scene);
    upgrade(fd, "/fake");
    hear(&scene, fd, bytes_of_text("{\"fault\":\"NOT_YOU\"}"), heard);
    ck_assert_ptr_nonnull(strstr(heard, "WWW-Authenticate: Fake realm=\"fake\"\r\n"));
    close(fd);
    scene_end(&scene);
}
END_TEST

START_TEST(another_path_is_not_served)
{
    struct scene scene;
    char heard[HEARD_MAX];
    scene_begin(&scene, NULL);
    const int fd = scene_connect(&scene);
    upgrade(fd, "/realtime");
    hear(&scene, fd, bytes_of_text("HTTP/1.1 404"), heard);
    close(fd);
    scene_end(&scene);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("any family");
    TCase *tcase = tcase_create("served");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_session_is_served_kept_and_shown);
    tcase_add_test(tcase, a_refusal_is_the_families_own);
    tcase_add_test(tcase, another_path_is_not_served);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
