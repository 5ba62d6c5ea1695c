#define _GNU_SOURCE
#include "conformance/runner/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "codec/media/jpeg.h"
#include "conformance/runner/pictures_ahead.h"
#include "conformance/runner/worker_state.h"

enum {
    CONNECT_WAIT_MS = 20000, /* a slow runtime takes its time to start */
    AFTERMATH_MS = 200,      /* for a client that has said that it is done, and begun to write of a crash */
    DRAIN_WAIT_MS = 1000,    /* from the client's end to the end of its connection and its output */
    POLL_MS = 20,    /* between looks at whether the case is over; once the client has ended, shorter */
    LOOK_SHARE = 20, /* looks at who waited for a core: their distance as a multiple of what one takes */
    ATTEMPT_LABEL_MAX = 96
};

/* ---- what the client is given ---- */

static bool make_key(struct worker *worker)
{
    const bool good = client_key_make(worker->job->script->class, worker->key);
    if (!good)
        worker_fail(worker, "key", "out of memory");
    return good;
}

static bool load_speech(struct worker *worker)
{
    const struct case_script *script = worker->job->script;
    for (size_t i = 0; i < script->plan_count; i++) {
        if (script->plan[i].kind != PLAN_SPEAK)
            continue;
        char path[FOLDER_PATH_MAX];
        char error[SOUND_ERROR_MAX];
        snprintf(path, sizeof path, "%s/%s", worker->job->options->speech_folder, script->plan[i].file);
        if (worker->speech_count == RULE_SPEECHES_MAX) {
            worker_fail(worker, script->path, "too many speak steps");
            return false;
        }
        if (!sound_read(path, worker->job->script->class->messages->input_rate,
                        &worker->speech[worker->speech_count], error)) {
            worker_fail(worker, "speech", error);
            return false;
        }
        worker->speech_count++;
        if (worker->audio_path[0] == '\0')
            snprintf(worker->audio_path, sizeof worker->audio_path, "%s", path);
    }
    if (worker->audio_path[0] == '\0') /* there are clients that read the file before all else */
        snprintf(worker->audio_path, sizeof worker->audio_path, "%s/%s", worker->job->options->speech_folder,
                 script->class->family->speech);
    return true;
}

/* What a client says again after a loss, and what it leaves out, is up to it. */
static bool plan_reconnects(const struct case_script *script)
{
    for (size_t i = 0; i < script->plan_count; i++)
        if (script->plan[i].kind == PLAN_RECONNECT)
            return true;
    return false;
}

static struct rule_context rule_context_of(const struct worker *worker)
{
    struct rule_context context = {
        .profile = worker->job->profile,
        .key = bytes_of_text(worker->key),
        .config = bytes_of_text(worker->job->script->config),
        .speech_known = !plan_reconnects(worker->job->script),
        .speech_exact = true,
        .speech_count = worker->speech_count,
        .picture_size = jpeg_picture_size,
    };
    for (size_t i = 0; i < worker->speech_count; i++) {
        context.speech[i] = (struct rule_speech){worker->speech[i].samples, worker->speech[i].sample_count};
        context.speech_exact = context.speech_exact && worker->speech[i].exact;
    }
    return context;
}

/* ---- the mock ---- */

static void script_done(void *context, uint64_t now_us)
{
    struct worker *worker = context;
    (void)now_us;
    if (worker->script_done_ms == 0)
        worker->script_done_ms = uv_now(&worker->loop);
}

static bool start_mock(struct worker *worker)
{
    const struct run_options *options = worker->job->options;
    const struct case_script *script = worker->job->script;
    char error[MOCK_ERROR_MAX];
    struct tls_options tls = {.on = worker_job_has_tls(worker->job), .ca_folder = worker->folder};
    if (script->tls[0] != '\0' && !tls_fault_by_name(bytes_of_text(script->tls), &tls.fault)) {
        worker_fail(worker, "tls", script->tls);
        return false;
    }
    worker->persona = pictures_of(worker->job, error);
    if (worker->persona == NULL) {
        worker_fail(worker, "persona", error);
        return false;
    }
    struct journal_header header = {.seed = options->seed,
                                    .picture_width = persona_width(worker->persona),
                                    .picture_height = persona_height(worker->persona),
                                    .silence_percent = SILENCE_PERCENT_DEFAULT,
                                    .speech_percent = SPEECH_PERCENT_DEFAULT,
                                    .speed = 1,
                                    .quirks = options->quirks,
                                    .key_known = true};
    journal_header_class(&header, script->class);
    snprintf(header.profile, sizeof header.profile, "%s", worker->job->profile->name);
    snprintf(header.config, sizeof header.config, "%s", script->config);
    snprintf(header.script, sizeof header.script, "%s", script->name);
    worker->journal = journal_new(&header, bytes_of_text(worker->key));
    const struct mock_server_options mock = {
        .path = script->class->family->path,
        .engine = {.session_class = script->class,
                   .session = {.profile = worker->job->profile,
                               .key = worker->key,
                               .config_id = script->config,
                               .seed = options->seed,
                               .silence_percent = SILENCE_PERCENT_DEFAULT,
                               .speech_percent = SPEECH_PERCENT_DEFAULT,
                               .speed = 1,
                               .quirks = options->quirks,
                               .persona = worker->persona},
                   .script = &script->played},
        .recorder = {.rules = rule_context_of(worker),
                     .journal = worker->journal,
                     .session_class = script->class,
                     .watches_itself = true},
        .tls = tls,
        .script_done = script_done,
        .http = &worker->channel.http,
        .context = worker,
    };
    worker->server = worker->journal == NULL ? NULL : mock_server_start(&worker->loop, &mock, error);
    if (worker->server == NULL)
        worker_fail(worker, "mock", worker->journal == NULL ? "out of memory" : error);
    else
        journal_set_epoch_ms(worker->journal, mock_server_epoch_ms(worker->server));
    return worker->server != NULL;
}

/* ---- when it is over ---- */

static bool time_is_up(const struct worker *worker, uint64_t now_ms)
{
    const struct run_options *options = worker->job->options;
    const uint64_t limit_ms = worker->job->script->limit_us / 1000;
    if (worker->stopped_ms != 0)
        return now_ms - worker->stopped_ms > END_WAIT_MS;
    if (worker->script_done_ms != 0) /* a client that is to be stopped is given the time to be quiet */
        return now_ms - worker->script_done_ms > END_WAIT_MS + 2 * options->stop_idle_ms;
    if (worker->connected_ms != 0)
        return now_ms - worker->connected_ms > limit_ms;
    if (options->attach) /* whoever starts it by hand takes the time that takes, unless told otherwise */
        return options->timeout_ms != 0 && now_ms - worker->began_ms > options->timeout_ms;
    return now_ms - worker->began_ms >
           (options->timeout_ms > CONNECT_WAIT_MS ? options->timeout_ms : CONNECT_WAIT_MS);
}

static void client_is_done(struct worker *worker, uint64_t now_ms, int code)
{
    worker->client_ended = true;
    worker->client_ended_ms = now_ms;
    worker->wait_status = code << 8; /* as waitpid gives an exit */
}

/* A client that does not end by exiting says that it is done; that also counts of one that ends with exit 0
 * behind it. One started by hand may just go. */
static void look_for_done(struct worker *worker, uint64_t now_ms)
{
    const bool by_line = worker->job->client != NULL && worker->out_capture.done;
    const struct capture *capture = by_line ? &worker->out_capture : &worker->channel.captured;
    const bool behind = by_line && worker->client_ended && worker->gone; /* right behind that line, its end */
    const bool well =
        !worker->client_ended || (worker->wait_status == 0 && worker->exec_errno == 0) || behind;
    if (capture->done && well && !worker->done) {
        worker->done = true;
        if (behind)
            worker->gone_status = worker->wait_status;
        client_is_done(worker, now_ms, capture->done_code);
    } else if (!worker->client_ended && worker->job->options->attach && worker->script_done_ms != 0 &&
               capture->bytes == 0 && mock_server_connections(worker->server) == 0 &&
               now_ms - worker->script_done_ms > DRAIN_WAIT_MS) {
        client_is_done(worker, now_ms, 0);
    }
}

/* Neither side's own timers show where it was held up in the middle of its work. */
static void watch_waits(struct worker *worker, uint64_t now_us)
{
    if (now_us < worker->look_at_us || worker->connected_ms == 0)
        return; /* how long a client takes to start is nobody's concern */
    const uint64_t own_us = cpu_wait_own_us();
    const bool first = worker->look_at_us == 0;
    uint64_t waited_us = !first && own_us > worker->own_waited_us ? own_us - worker->own_waited_us : 0;
    worker->own_waited_us = own_us;
    if (worker->guard.pid > 0 && !worker->gone)
        waited_us += cpu_wait_take_us(&worker->client_wait, worker->guard.pid);
    core_waits_add(&worker->waits, now_us, waited_us);
    const uint64_t took_us = (uv_hrtime() / 1000 - now_us) * LOOK_SHARE;
    worker->look_at_us = now_us + (took_us > CORE_WAITS_SLOT_US ? took_us : CORE_WAITS_SLOT_US);
}

/* The mock's own timer only runs while something is due. */
static void watch_lateness(struct worker *worker)
{
    const uint64_t now_us = uv_hrtime() / 1000;
    const uint64_t due_us = worker->polled_us + (uint64_t)POLL_MS * 1000;
    if (now_us > due_us && now_us - due_us > worker->lateness_us)
        worker->lateness_us = now_us - due_us;
    worker->polled_us = now_us;
    watch_waits(worker, now_us);
}

/* What it writes then belongs to this case, and so does its end. */
static bool may_still_crash(const struct worker *worker, uint64_t now_ms)
{
    return worker->job->client != NULL && !worker->gone && crash_marks_are_open(&worker->err_capture.marks) &&
           now_ms - worker->client_ended_ms < AFTERMATH_MS;
}

static void on_poll(uv_timer_t *timer)
{
    struct worker *worker = timer->data;
    atomic_fetch_add(&worker->job->slot->beats, 1);
    watch_lateness(worker);
    const uint64_t now_ms = uv_now(&worker->loop);
    if (worker->connected_ms == 0 && worker_was_reached(worker))
        worker->connected_ms = now_ms;
    look_for_done(worker, now_ms);
    worker_stop_quiet_client(worker, now_ms);
    if (worker->client_ended) {
        const bool drained = mock_server_connections(worker->server) == 0 &&
                             (worker->done ? !may_still_crash(worker, now_ms) : worker->pipes_open == 0);
        worker->over = worker->over || drained || now_ms - worker->client_ended_ms > DRAIN_WAIT_MS;
    } else if (time_is_up(worker, now_ms)) {
        worker->over = true;
    }
    if (worker->over)
        uv_stop(&worker->loop);
}

static void on_terminate(uv_signal_t *handle, int signal_number)
{
    struct worker *worker = handle->data;
    (void)signal_number;
    worker->interrupted = true;
    worker->over = true;
    uv_stop(&worker->loop);
}

/* Another client may start. */
static void tell_client_is_over(const struct worker_job *job)
{
    const uint64_t once = 1;
    atomic_store(&job->slot->client_is_over, true);
    const ssize_t written = job->over_fd < 0 ? 0 : write(job->over_fd, &once, sizeof once);
    (void)written; /* the pool looks anyhow, only later */
}

static void run_loop(struct worker *worker)
{
    uv_timer_init(&worker->loop, &worker->poll);
    worker->poll.data = worker;
    worker->on_poll = on_poll;
    uv_timer_start(&worker->poll, on_poll, POLL_MS, POLL_MS);
    uv_signal_init(&worker->loop, &worker->terminate);
    worker->terminate.data = worker;
    uv_signal_start(&worker->terminate, on_terminate, SIGTERM);
    uv_update_time(&worker->loop);
    worker->began_ms = uv_now(&worker->loop);
    worker->polled_us = uv_hrtime() / 1000;
    uv_run(&worker->loop, UV_RUN_DEFAULT);
    const uint64_t of_mock_us = mock_server_lateness_worst_us(worker->server);
    worker->lateness_us = of_mock_us > worker->lateness_us ? of_mock_us : worker->lateness_us;
    /* What happens to the connection now is our own doing: the client is not judged by it, nor does the
     * script come further. */
    worker->script_line =
        mock_server_script_is_done(worker->server) ? 0 : mock_server_script_line(worker->server);
    recorder_finish(mock_server_recorder(worker->server), mock_server_now_us(worker->server));
    journal_end(worker->journal);
    /* What the client wrote last may still be on its way when the connection is already over. */
    if (worker->guarded) {
        guard_stop(&worker->guard);
        tell_client_is_over(worker->job);
    }
    for (int round = 0; worker->pipes_open > 0 && round < 50; round++)
        uv_run(&worker->loop, UV_RUN_NOWAIT);
    capture_end(&worker->channel.captured);
    capture_end(&worker->out_capture);
    capture_end(&worker->err_capture);
    look_for_done(worker, uv_now(&worker->loop));
}

/*
 * A worker may be made ready while the cases before its own are still at work. Times count from when its turn
 * comes. Without one the runner is gone.
 */
static void await_turn(struct worker *worker)
{
    uint8_t turn = 0;
    ssize_t got = 0;
    if (worker->job->turn_fd < 0)
        return;
    while ((got = read(worker->job->turn_fd, &turn, 1)) < 0 && errno == EINTR)
        continue;
    if (got != 1)
        _exit(0);
    close(worker->job->turn_fd);
    mock_server_begin_again(worker->server);
    journal_set_epoch_ms(worker->journal, mock_server_epoch_ms(worker->server));
}

/* The case is an error of ours, which says why. What the worker holds goes with its process. */
static void give_up(const struct worker_job *job, const char *why)
{
    struct case_result *result = &job->slot->run_case.result;
    struct text note = text_of(result->note, sizeof result->note);
    text_add(&note, "our own worker: ");
    text_add(&note, why);
    result->verdict = VERDICT_ERROR;
    job->slot->client_gone = job->client != NULL; /* nobody knows how far it came */
    job->slot->finished = true;
}

static bool make_folder(struct worker *worker)
{
    const struct worker_job *job = worker->job;
    char label[ATTEMPT_LABEL_MAX];
    snprintf(label, sizeof label, job->attempt > 1 ? "%s.try%u" : "%s", job->profile->name, job->attempt);
    if (artefacts_begin(job->options->out_folder, job->script->name, label, worker->folder))
        return true;
    worker_fail(worker, job->options->out_folder, strerror(errno));
    return false;
}

/* All that can be done before the client starts. A worker that waits for its turn leaves nothing behind when
 * the turn never comes. */
static bool prepare(struct worker *worker)
{
    const bool waits = worker->job->turn_fd >= 0;
    if (!waits && !make_folder(worker))
        return false;
    if (!make_key(worker) || !load_speech(worker) || !start_mock(worker)) {
        if (!waits)
            artefacts_remove(worker->folder);
        return false;
    }
    await_turn(worker);
    return !waits || make_folder(worker);
}

void worker_run(const struct worker_job *job)
{
    struct worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL || uv_loop_init(&worker->loop) != 0) {
        give_up(job, worker == NULL ? "out of memory" : "cannot make an event loop");
        return;
    }
    worker->job = job;
    capture_init(&worker->out_capture, CAPTURE_OUTPUT);
    capture_init(&worker->err_capture, CAPTURE_ERRORS);
    http_channel_init(&worker->channel, job->script, job->profile->name, job->options->speech_folder);
    if (!prepare(worker)) {
        give_up(job, worker->own_error);
        return;
    }
    if (!worker_start_client(worker)) {
        artefacts_remove(worker->folder);
        give_up(job, worker->own_error);
        return;
    }
    const uint64_t began = uv_hrtime();
    run_loop(worker);
    if (mock_server_ca_file(worker->server) != NULL)
        unlink(mock_server_ca_file(worker->server));
    if (worker->interrupted) { /* nothing can be said of the case: it counts as not run */
        artefacts_remove(worker->folder);
        return;
    }
    job->slot->run_case.duration_ms = (uv_hrtime() - began) / 1000000;
    if (!worker_judge(worker))
        return;
    worker_leave_artefacts(worker);
    job->slot->finished = true;
}
