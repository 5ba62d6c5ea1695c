#define _GNU_SOURCE
#include "conformance/fuzz/host/player.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "conformance/fuzz/host/player_parts.h"
#include "conformance/process/output_tail.h"
#include "conformance/process/process_use.h"

enum {
    POLL_MS = 20,
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

static uint64_t now_us(void)
{
    return uv_hrtime() / 1000;
}

/* ---- the mock ---- */

static void choose(void *context, const struct http_head *head, struct engine_config *config)
{
    struct fuzz_player *player = context;
    (void)head;
    const struct script *script = scripts_take(&player->scripts);
    if (script != NULL)
        config->script = script;
}

static void chosen_is_over(void *context, const struct script *script)
{
    struct fuzz_player *player = context;
    scripts_release(&player->scripts, script);
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
    return player->server != NULL || player_fail(player, "mock", error);
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
        const uint64_t bytes = (uint64_t)step->payload_times * step->len + step->tail_times - 1;
        limit_us += step->times * (uint64_t)FRAME_US + step->times * bytes / BYTES_PER_US;
    }
    return limit_us * patience;
}

void fuzz_player_stop_client(struct fuzz_player *player)
{
    client_process_stop(&player->client);
}

static bool is_over(const struct fuzz_player *player)
{
    const struct client_process *client = &player->client;
    if (player->late || player->grown || *player->options->interrupted != 0)
        return true;
    if (player->options->persistent && client->out_capture.done)
        return true;
    return client->ended && client_process_is_over(client);
}

/* Connections of the session that are still there, beside `before`: their ends are on their way. */
static void settle(struct fuzz_player *player, size_t before)
{
    for (unsigned i = 0; i < LINGER_ROUNDS && mock_server_connections(player->server) > before; i++) {
        uv_run(&player->loop, UV_RUN_NOWAIT);
        if (mock_server_connections(player->server) > before)
            usleep((useconds_t)LINGER_US << i);
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
    char error[SCRIPT_ERROR_MAX];
    *out = (struct played){.exit_code = 0};
    player->late = player->grown = false;
    if (!scripts_play(&player->scripts, session, error))
        return player_fail(player, "script", error);
    if (!player_begin_client(player))
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
    player_judge(player, out);
    if (client->end_status.exec_errno != 0)
        return player_fail(player, player->options->command[0], strerror(client->end_status.exec_errno));
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

void fuzz_player_said(const struct fuzz_player *player, char out[FUZZ_SAID_MAX])
{
    struct text text = text_of(out, FUZZ_SAID_MAX);
    output_tail_write(&text, &player->client.out_capture, &player->client.err_capture,
                      bytes_of_text(player->key));
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

/* What a client is to say is not there where the data of the suite is not. */
static bool has_speech(struct fuzz_player *player)
{
    char what[FOLDER_PATH_MAX + 40];
    if (access(player->audio_path, R_OK) == 0)
        return true;
    snprintf(what, sizeof what, "the sound file %s", player->audio_path);
    return player_fail(player, what, strerror(errno));
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
         player_fail(player, "environment", "out of memory")) &&
        (client_key_make(options->class, player->key) || player_fail(player, "key", "out of memory")) &&
        has_speech(player) &&
        (options->persistent || make_folder(player) ||
         player_fail(player, "a folder for plans", strerror(errno))) &&
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
    scripts_free(&player->scripts);
    free(player);
}
