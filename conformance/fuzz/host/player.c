#define _GNU_SOURCE
#include "conformance/fuzz/host/player.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "conformance/fuzz/host/client_process.h"
#include "conformance/fuzz/host/surroundings.h"
#include "conformance/judge/plan_writer.h"
#include "conformance/process/artefacts.h"
#include "conformance/process/client_end.h"
#include "conformance/process/client_key.h"
#include "conformance/process/cpu_wait.h"
#include "conformance/process/launch.h"
#include "conformance/process/process_use.h"
#include "conformance/runner/task.h"
#include "server/launch/launch.h"
#include "server/net/mock_server.h"

enum {
    POLL_MS = 20,
    SPIN_SHARE = 2,        /* of the time in which it had a core or wanted none */
    SPEAKING_US = 1000000, /* more for a session in which the client speaks */
    USUAL_TIMES = 20,      /* a session may take as long as that many right ones, … */
    LIMIT_US_MIN = 500000,
    LIMIT_US_MAX = 5000000,
    FRAME_US = 50,      /* … and for each frame that is sent many times, … */
    BYTES_PER_US = 20,  /* … and the bytes of those */
    LINGER_US = 20,     /* waited for connections of a session that is over, … */
    LINGER_ROUNDS = 9,  /* … twice as long each time */
    LINGERING_MAX = 200 /* then the client is started anew */
};

static const uint64_t NOT_LOOKED_AT = UINT64_MAX;

/* A script in play: connections may outlive their session. */
struct played_script {
    struct played_script *next;
    struct case_script *script;
    unsigned uses;
};

struct fuzz_player {
    const struct fuzz_player_options *options;
    uv_loop_t loop;
    uv_timer_t poll;
    struct mock_server *server;
    struct played_script *scripts; /* the first is that of the session at hand */
    struct client_process client;
    struct surroundings surroundings;
    char key[CLIENT_KEY_MAX];
    char folder[FOLDER_PATH_MAX]; /* of a client with a process for each session: its plan */
    char plan_path[FOLDER_PATH_MAX + 16], out_path[FOLDER_PATH_MAX + 16];
    char audio_path[FOLDER_PATH_MAX];
    uint64_t usual_us;
    uint64_t began_us, limit_us;
    struct cpu_wait wait; /* for a core, of the client and of us: a late machine is nobody's hang */
    uint64_t waited_us, own_waited_us;
    uint64_t cpu_began_us; /* of the client's, at the first look in a session: most are over before */
    uint64_t memory_began; /* of the client, when it was new and had played a session */
    bool late, grown, own_end;
    char error[PLAYER_ERROR_MAX];
};

static uint64_t now_us(void)
{
    return uv_hrtime() / 1000;
}

static bool fail(struct fuzz_player *player, const char *what, const char *why)
{
    if (player->error[0] == '\0')
        snprintf(player->error, sizeof player->error, "%s: %s", what, why);
    return false;
}

/* ---- the mock ---- */

static void script_free_one(struct played_script *played)
{
    case_script_free(played->script);
    free(played);
}

/* Frees those that nobody uses any more, but for the session's own. */
static void sweep(struct fuzz_player *player)
{
    if (player->scripts == NULL)
        return;
    for (struct played_script **link = &player->scripts->next; *link != NULL;) {
        struct played_script *played = *link;
        if (played->uses > 0) {
            link = &played->next;
            continue;
        }
        *link = played->next;
        script_free_one(played);
    }
}

static void choose(void *context, const struct http_head *head, struct engine_config *config)
{
    struct fuzz_player *player = context;
    (void)head;
    if (player->scripts == NULL)
        return;
    player->scripts->uses++;
    config->script = &player->scripts->script->played;
}

static void chosen_is_over(void *context, const struct script *script)
{
    struct fuzz_player *player = context;
    for (struct played_script *played = player->scripts; played != NULL; played = played->next)
        if (&played->script->played == script)
            played->uses--;
}

static bool start_mock(struct fuzz_player *player)
{
    char error[MOCK_ERROR_MAX];
    const struct session_class *class = player->options->class;
    const struct mock_server_options mock = {
        .path = class->family->path,
        .engine = {.session_class = class,
                   .session = {.profile = player->options->profile,
                               .seed = 1,
                               .silence_percent = SILENCE_PERCENT_DEFAULT,
                               .speech_percent = SPEECH_PERCENT_DEFAULT,
                               .speed = 1}},
        .recorder = {.rules = {.profile = player->options->profile},
                     .session_class = class,
                     .without_checksums = true},
        .choose = choose,
        .chosen_is_over = chosen_is_over,
        .context = player,
    };
    player->server = mock_server_start(&player->loop, &mock, error);
    return player->server != NULL || fail(player, "mock", error);
}

/* ---- a session at hand ---- */

static void on_changed(void *context)
{
    struct fuzz_player *player = context;
    uv_stop(&player->loop);
}

/* How long this process waited for a core since the last look. */
static uint64_t own_wait(struct fuzz_player *player)
{
    const uint64_t before_us = player->own_waited_us;
    player->own_waited_us = cpu_wait_own_us();
    return player->own_waited_us - before_us;
}

static bool has_grown(const struct fuzz_player *player, const struct process_use *use)
{
    return player->memory_began > 0 && use->memory_bytes > player->memory_began + player->options->memory_max;
}

static void on_poll(uv_timer_t *timer)
{
    struct fuzz_player *player = timer->data;
    const struct process_use use = process_use_below(player->client.guard.pid);
    if (player->cpu_began_us == NOT_LOOKED_AT)
        player->cpu_began_us = use.cpu_us;
    player->waited_us += cpu_wait_take_us(&player->wait, player->client.guard.pid) + own_wait(player);
    player->late = now_us() - player->began_us > player->limit_us + player->waited_us;
    player->grown = has_grown(player, &use);
    if (player->late || player->grown || *player->options->interrupted != 0)
        uv_stop(&player->loop);
}

static uint64_t limit_of(const struct fuzz_player *player, const struct fuzz_session *session,
                         unsigned patience)
{
    uint64_t limit_us = player->options->timeout_ms * 1000;
    if (limit_us == 0) {
        limit_us = player->usual_us * USUAL_TIMES;
        limit_us = limit_us < LIMIT_US_MIN ? LIMIT_US_MIN : limit_us > LIMIT_US_MAX ? LIMIT_US_MAX : limit_us;
    }
    if (session->plan == FUZZ_PLAN_SPEAK)
        limit_us += SPEAKING_US;
    for (size_t i = 0; i < session->step_count; i++) {
        const struct fuzz_step *step = &session->steps[i];
        limit_us += step->times * (uint64_t)FRAME_US + step->times * (uint64_t)step->len / BYTES_PER_US;
    }
    return limit_us * patience;
}

static bool load_script(struct fuzz_player *player, const struct fuzz_session *session)
{
    char error[SCRIPT_ERROR_MAX];
    struct buffer text;
    struct played_script *played = calloc(1, sizeof *played);
    buffer_init(&text, SCRIPT_BYTES_MAX);
    bool good = played != NULL && fuzz_session_write(session, "", &text);
    if (!good) {
        buffer_free(&text);
        free(played);
        return fail(player, "script", "no room for it");
    }
    played->script = case_script_parse("session", buffer_bytes(&text),
                                       case_family_by_name(session->class->family->name), error);
    buffer_free(&text);
    if (played->script == NULL) {
        free(played);
        return fail(player, "script", error);
    }
    played->next = player->scripts;
    player->scripts = played;
    sweep(player);
    return true;
}

/* ---- the client ---- */

static struct client_values values_of(struct fuzz_player *player)
{
    const struct fuzz_player_options *options = player->options;
    return (struct client_values){.port = mock_server_port(player->server),
                                  .family = options->class->family,
                                  .profile = options->profile,
                                  .key = player->key,
                                  .config = player->scripts->script->config,
                                  .audio = player->audio_path,
                                  .video = options->video_folder,
                                  .case_name = player->scripts->script->name,
                                  .plan = options->persistent ? NULL : player->plan_path,
                                  .out = options->persistent ? NULL : player->out_path,
                                  .control = options->persistent ? NULL : ""};
}

static bool start_process(struct fuzz_player *player, char **words, char **environment)
{
    const bool good = words != NULL && environment != NULL &&
                      client_process_start(&player->client, words, environment, player->options->persistent);
    const int error = errno;
    launch_free(words);
    launch_free(environment);
    return good || fail(player, "cannot start a process", strerror(error));
}

static bool start_persistent(struct fuzz_player *player)
{
    const struct fuzz_player_options *options = player->options;
    char says[] = "CONFORM_PERSISTENT=1";
    char *const own[] = {says};
    const struct launch_values nothing = {.origin = "",
                                          .path = "",
                                          .query = "",
                                          .key = player->key,
                                          .config = "",
                                          .variables = options->class->family->client_variables};
    char **environment = launch_environment(environ, &nothing);
    environment = launch_set(environment, own, 1, &nothing);
    environment = launch_set(environment, player->surroundings.list, player->surroundings.count, &nothing);
    return start_process(player, launch_words(options->command, &nothing), environment);
}

static bool start_for_one(struct fuzz_player *player, struct bytes plan)
{
    const struct fuzz_player_options *options = player->options;
    const struct client_values values = values_of(player);
    if (!artefacts_write(player->folder, "plan.json", plan))
        return fail(player, player->folder, strerror(errno));
    player->memory_began = 1; /* all that it takes has grown */
    return start_process(
        player, client_words(options->command, &values),
        client_environment(environ, player->surroundings.list, player->surroundings.count, &values));
}

/* Tells it what to do, in a line or by starting it. */
static bool begin(struct fuzz_player *player)
{
    const struct fuzz_player_options *options = player->options;
    struct buffer plan, task;
    buffer_init(&plan, SCRIPT_BYTES_MAX);
    buffer_init(&task, 2 * (size_t)SCRIPT_BYTES_MAX);
    if (options->persistent && player->client.running && player->client.ended)
        client_process_stop(&player->client);
    bool good = plan_write(player->scripts->script, options->profile->name, options->speech_folder, &plan) ||
                fail(player, "the plan", "no memory");
    if (good && !options->persistent) {
        good = start_for_one(player, buffer_bytes(&plan));
    } else if (good) {
        const struct client_values values = values_of(player);
        good = player->client.running || start_persistent(player);
        if (good && task_write(&values, buffer_bytes(&plan), &task) &&
            buffer_append(&task, bytes_of_text("\n"))) {
            client_process_listen(&player->client);
            client_process_tell(&player->client, buffer_bytes(&task));
        } else if (good) {
            good = fail(player, "the plan", "no memory");
        }
    }
    buffer_free(&plan);
    buffer_free(&task);
    return good;
}

void fuzz_player_stop_client(struct fuzz_player *player)
{
    client_process_stop(&player->client);
}

/* ---- what came of it ---- */

static bool is_over(const struct fuzz_player *player)
{
    const struct client_process *client = &player->client;
    if (player->late || player->grown || *player->options->interrupted != 0)
        return true;
    if (player->options->persistent && client->out_capture.done)
        return true;
    return client->ended && client_process_is_over(client);
}

static bool has_reported(const struct capture *capture)
{
    for (size_t i = 0; i < capture->observation_count; i++)
        if (capture->observations[i].kind == OBSERVED_ERROR)
            return true;
    return false;
}

/* Not the addresses in it, which differ from process to process. */
static void set_place(struct fuzz_outcome *outcome, const char *place)
{
    struct text text = text_of(outcome->place, sizeof outcome->place);
    text_add(&text, place);
}

static void judge_end(struct fuzz_player *player, struct played *out)
{
    const struct client_process *client = &player->client;
    const bool said_done = player->options->persistent && client->out_capture.done;
    struct client_end_words words;
    const struct client_facts facts = {.program = player->options->command[0],
                                       .exec_errno = client->ended ? client->end_status.exec_errno : 0,
                                       .ended = client->ended,
                                       .wait_status = client->end_status.wait_status,
                                       .marks = &client->err_capture.marks,
                                       .connected = true,
                                       .can_report = true,
                                       /* one that takes many sessions is to go on, whatever it reported */
                                       .has_reported = !player->options->persistent &&
                                                       has_reported(&client->out_capture)};
    const enum client_end end = client_end_of(&facts, &words);
    out->exit_code =
        said_done
            ? client->out_capture.done_code
            : (WIFEXITED(client->end_status.wait_status) ? WEXITSTATUS(client->end_status.wait_status) : -1);
    struct text how = text_of(out->outcome.how, sizeof out->outcome.how);
    if (end == CLIENT_CRASHED) {
        out->outcome.kind = FUZZ_CRASH;
        text_add(&how, words.text);
        set_place(&out->outcome, words.raised[0] != '\0' ? words.raised : words.text);
    } else if (player->options->persistent && client->ended && !said_done) {
        out->outcome.kind = FUZZ_CRASH;
        text_add(&how, "its process ended in the middle of the session, with exit ");
        text_add_i64(&how, out->exit_code);
        set_place(&out->outcome, "ended");
    }
}

static void judge_late(struct fuzz_player *player, struct played *out)
{
    const uint64_t took_us = now_us() - player->began_us;
    const uint64_t had_us = took_us > player->waited_us ? took_us - player->waited_us : 0;
    const uint64_t cpu_us = process_use_below(player->client.guard.pid).cpu_us - player->cpu_began_us;
    struct text how = text_of(out->outcome.how, sizeof out->outcome.how);
    out->outcome.kind = cpu_us > had_us / SPIN_SHARE ? FUZZ_SPIN : FUZZ_HANG;
    text_add(&how, "not done after ");
    text_add_u64(&how, took_us / 1000);
    text_add(&how, " ms, with ");
    text_add_u64(&how, cpu_us / 1000);
    text_add(&how, " ms of a core");
}

static void judge(struct fuzz_player *player, struct played *out)
{
    struct client_process *client = &player->client;
    judge_end(player, out);
    if (out->outcome.kind == FUZZ_WELL && player->grown) {
        struct text how = text_of(out->outcome.how, sizeof out->outcome.how);
        out->outcome.kind = FUZZ_MEMORY;
        text_add(&how, "it took more than ");
        text_add_u64(&how, player->options->memory_max >> 20);
        text_add(&how, " MB above what it had");
    } else if (out->outcome.kind == FUZZ_WELL && player->late) {
        judge_late(player, out);
    }
    out->seen = client->out_capture.observations;
    out->seen_count = client->out_capture.observation_count;
}

/* Connections of the session that are still there, beside `before`: their ends are on their way. */
static void settle(struct fuzz_player *player, size_t before)
{
    for (unsigned i = 0; i < LINGER_ROUNDS && mock_server_connections(player->server) > before; i++) {
        uv_run(&player->loop, UV_RUN_NOWAIT);
        if (mock_server_connections(player->server) > before)
            usleep(LINGER_US << i);
    }
    if (mock_server_connections(player->server) > LINGERING_MAX)
        fuzz_player_stop_client(player);
}

/* Behind a flood, what it cost and what is kept of it. */
static void look_at_use(struct fuzz_player *player, struct played *out)
{
    const struct client_process *client = &player->client;
    out->cpu_us = client->end_status.cpu_us;
    if (client->ended)
        return;
    const struct process_use use = process_use_below(client->guard.pid);
    out->cpu_us = use.cpu_us - player->cpu_began_us;
    player->grown = player->grown || has_grown(player, &use);
}

bool fuzz_player_play(struct fuzz_player *player, const struct fuzz_session *session, unsigned patience,
                      struct played *out)
{
    struct client_process *client = &player->client;
    *out = (struct played){.exit_code = 0};
    player->late = player->grown = false;
    if (!load_script(player, session) || !begin(player))
        return false;
    const uint64_t requests = mock_server_requests(player->server);
    const size_t connections = mock_server_connections(player->server);
    player->began_us = now_us();
    player->waited_us = 0;
    (void)own_wait(player);
    player->limit_us = limit_of(player, session, patience);
    const bool floods = fuzz_session_floods(session);
    player->cpu_began_us = floods ? process_use_below(client->guard.pid).cpu_us : NOT_LOOKED_AT;
    uv_timer_start(&player->poll, on_poll, POLL_MS, POLL_MS);
    while (!is_over(player))
        uv_run(&player->loop, UV_RUN_DEFAULT);
    uv_timer_stop(&player->poll);
    if (*player->options->interrupted != 0) {
        fuzz_player_stop_client(player);
        return false;
    }
    uv_run(&player->loop, UV_RUN_NOWAIT); /* what it wrote last of an error */
    out->took_us = now_us() - player->began_us;
    out->connected = mock_server_requests(player->server) > requests;
    if (floods)
        look_at_use(player, out);
    judge(player, out);
    if (client->end_status.exec_errno != 0)
        return fail(player, player->options->command[0], strerror(client->end_status.exec_errno));
    if (player->options->persistent && player->memory_began == 0)
        player->memory_began = process_use_below(client->guard.pid).memory_bytes;
    if (out->outcome.kind != FUZZ_WELL || !player->options->persistent || client->ended)
        fuzz_player_stop_client(player);
    settle(player, connections);
    return true;
}

void fuzz_player_set_usual_us(struct fuzz_player *player, uint64_t usual_us)
{
    player->usual_us = usual_us;
}

const char *fuzz_player_error(const struct fuzz_player *player)
{
    return player->error;
}

/* ---- its life ---- */

static bool make_folder(struct fuzz_player *player)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(player->folder, sizeof player->folder, "%s/ojin-fuzz-XXXXXX",
             temporary != NULL ? temporary : "/tmp");
    if (mkdtemp(player->folder) == NULL) {
        player->folder[0] = '\0';
        return false;
    }
    snprintf(player->plan_path, sizeof player->plan_path, "%s/plan.json", player->folder);
    snprintf(player->out_path, sizeof player->out_path, "%s/out", player->folder);
    return true;
}

struct fuzz_player *fuzz_player_new(const struct fuzz_player_options *options, char error[PLAYER_ERROR_MAX])
{
    struct fuzz_player *player = calloc(1, sizeof *player);
    if (player == NULL || uv_loop_init(&player->loop) != 0) {
        free(player);
        snprintf(error, PLAYER_ERROR_MAX, "out of memory");
        return NULL;
    }
    player->options = options;
    uv_timer_init(&player->loop, &player->poll);
    player->poll.data = player;
    client_process_init(&player->client, &player->loop, on_changed, player);
    signal(SIGPIPE, SIG_IGN);
    snprintf(player->audio_path, sizeof player->audio_path, "%s/%s", options->speech_folder,
             options->class->family->speech);
    const bool good =
        (surroundings_make(options->environment, options->environment_count, &player->surroundings) ||
         fail(player, "environment", "out of memory")) &&
        (client_key_make(options->class, player->key) || fail(player, "key", "out of memory")) &&
        (options->persistent || make_folder(player) || fail(player, "a folder for plans", strerror(errno))) &&
        start_mock(player);
    if (good)
        return player;
    snprintf(error, PLAYER_ERROR_MAX, "%s", player->error);
    fuzz_player_free(player);
    return NULL;
}

static void on_stopped(void *context)
{
    struct fuzz_player *player = context;
    player->own_end = true;
}

void fuzz_player_free(struct fuzz_player *player)
{
    if (player == NULL)
        return;
    client_process_free(&player->client);
    if (player->server != NULL) {
        mock_server_stop(player->server, on_stopped, player);
        while (!player->own_end)
            uv_run(&player->loop, UV_RUN_ONCE);
    }
    uv_close((uv_handle_t *)&player->poll, NULL);
    uv_run(&player->loop, UV_RUN_DEFAULT);
    uv_loop_close(&player->loop);
    surroundings_free(&player->surroundings);
    if (player->folder[0] != '\0')
        artefacts_remove(player->folder);
    while (player->scripts != NULL) {
        struct played_script *played = player->scripts;
        player->scripts = played->next;
        script_free_one(played);
    }
    free(player);
}
