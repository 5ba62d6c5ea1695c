#define _GNU_SOURCE
#include "conformance/run/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "codec/family.h"
#include "codec/media/sound.h"
#include "codec/ojin/constants.h"
#include "codec/wire/secret.h"
#include "conformance/judge/plan_writer.h"
#include "conformance/report/case_picture.h"
#include "conformance/report/wire_tail.h"
#include "conformance/run/artefacts.h"
#include "conformance/run/capture.h"
#include "conformance/run/client_end.h"
#include "conformance/run/guard.h"
#include "conformance/run/launch.h"
#include "conformance/run/output_tail.h"
#include "conformance/run/repro.h"
#include "server/launch/launch.h"
#include "server/net/mock_server.h"
#include "server/persona/persona.h"

enum {
    CONNECT_WAIT_MS = 20000, /* a slow runtime takes its time to start */
    END_WAIT_MS = 8000, /* from the end of the script to the end of the client: what it holds is played out */
    DRAIN_WAIT_MS = 1000, /* from the client's end to the end of its connection and its output */
    POLL_MS = 20,
    READ_BYTES_MAX = 65536, /* of the client's output at a time */
    ATTEMPT_LABEL_MAX = 96
};

static const char UNKNOWN_PLAN[] = "{\"conform\":1,\"case\":\"conform/does-not-exist\",\"limit_ms\":4000,"
                                   "\"steps\":[{\"do\":\"does-not-exist\"}]}";

struct worker {
    const struct worker_job *job;
    uv_loop_t loop;
    uv_timer_t poll;
    uv_signal_t terminate;
    uv_pipe_t out, err;
    uv_poll_t status;
    struct mock_server *server;
    struct persona *persona;
    struct journal *journal;
    struct guard guard;
    bool guarded;
    struct capture out_capture, err_capture;
    size_t pipes_open;
    char read_space[READ_BYTES_MAX]; /* filled and consumed before the next read */
    struct sound speech[RULE_SPEECHES_MAX];
    size_t speech_count;
    char folder[FOLDER_PATH_MAX];
    char audio_path[FOLDER_PATH_MAX];
    bool client_ended;
    int exec_errno;
    int wait_status;
    bool over;
    bool interrupted;
    uint64_t lateness_us; /* the worst of the mock's timer and of ours: a late machine */
    uint64_t polled_us;   /* when ours last came */
    uint64_t began_ms, connected_ms, script_done_ms, client_ended_ms; /* 0: not yet; of uv_now */
    char own_error[JUDGE_TEXT_MAX];
};

static void fail(struct worker *worker, const char *what, const char *why)
{
    if (worker->own_error[0] != '\0')
        return;
    struct text text = text_of(worker->own_error, sizeof worker->own_error);
    text_add(&text, what);
    text_add(&text, ": ");
    text_add(&text, why);
}

/* ---- what the client was given to speak ---- */

static bool load_speech(struct worker *worker)
{
    const struct script *script = worker->job->script;
    for (size_t i = 0; i < script->plan_count; i++) {
        if (script->plan[i].kind != PLAN_SPEAK)
            continue;
        char path[FOLDER_PATH_MAX];
        char error[SOUND_ERROR_MAX];
        snprintf(path, sizeof path, "%s/%s", worker->job->options->speech_folder, script->plan[i].file);
        if (worker->speech_count == RULE_SPEECHES_MAX) {
            fail(worker, script->path, "too many speak steps");
            return false;
        }
        if (!sound_read(path, OJIN_SAMPLE_RATE, &worker->speech[worker->speech_count], error)) {
            fail(worker, "speech", error);
            return false;
        }
        worker->speech_count++;
        if (worker->audio_path[0] == '\0')
            snprintf(worker->audio_path, sizeof worker->audio_path, "%s", path);
    }
    return true;
}

/* What a client says again after a loss, and what it leaves out, is up to it. */
static bool plan_reconnects(const struct script *script)
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
        .key = bytes_of_text(CONFORM_KEY),
        .config = bytes_of_text(worker->job->script->config),
        .speech_known = !plan_reconnects(worker->job->script),
        .speech_exact = true,
        .speech_count = worker->speech_count,
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
    const struct script *script = worker->job->script;
    char error[MOCK_ERROR_MAX];
    const bool sized = script->picture_width > 0;
    const unsigned width = sized ? script->picture_width : options->width;
    const unsigned height = sized ? script->picture_height : options->height;
    struct tls_options tls = {.on = script->tls[0] != '\0'};
    if (tls.on && !tls_fault_by_name(bytes_of_text(script->tls), &tls.fault)) {
        fail(worker, "tls", script->tls);
        return false;
    }
    worker->persona = persona_new(width, height, error);
    if (worker->persona == NULL) {
        fail(worker, "persona", error);
        return false;
    }
    struct journal_header header = {.seed = options->seed,
                                    .picture_width = width,
                                    .picture_height = height,
                                    .silence_percent = SILENCE_PERCENT_DEFAULT,
                                    .speech_percent = SPEECH_PERCENT_DEFAULT,
                                    .speed = 1,
                                    .key_known = true};
    snprintf(header.family, sizeof header.family, "%s", FAMILIES[0].name);
    snprintf(header.profile, sizeof header.profile, "%s", worker->job->profile->name);
    snprintf(header.config, sizeof header.config, "%s", script->config);
    snprintf(header.script, sizeof header.script, "%s", script->name);
    worker->journal = journal_new(&header, bytes_of_text(CONFORM_KEY));
    const struct mock_server_options mock = {
        .path = FAMILIES[0].path,
        .engine = {.session_class = session_class_by_family(FAMILIES[0].name),
                   .session = {.profile = worker->job->profile,
                               .key = CONFORM_KEY,
                               .config_id = script->config,
                               .seed = options->seed,
                               .silence_percent = SILENCE_PERCENT_DEFAULT,
                               .speech_percent = SPEECH_PERCENT_DEFAULT,
                               .speed = 1,
                               .persona = worker->persona},
                   .script = script},
        .recorder = {.rules = rule_context_of(worker),
                     .journal = worker->journal,
                     .session_class = session_class_by_family(FAMILIES[0].name)},
        .tls = tls,
        .script_done = script_done,
        .context = worker,
    };
    worker->server = worker->journal == NULL ? NULL : mock_server_start(&worker->loop, &mock, error);
    if (worker->server == NULL)
        fail(worker, "mock", worker->journal == NULL ? "out of memory" : error);
    else
        journal_set_epoch_ms(worker->journal, mock_server_epoch_ms(worker->server));
    return worker->server != NULL;
}

/* ---- the client ---- */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    struct worker *worker = handle->data;
    (void)suggested;
    *buffer = uv_buf_init(worker->read_space, sizeof worker->read_space);
}

static void on_output(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
    struct worker *worker = stream->data;
    struct capture *capture =
        stream == (uv_stream_t *)&worker->out ? &worker->out_capture : &worker->err_capture;
    if (got > 0) {
        capture_feed(capture, bytes_of(buffer->base, (size_t)got));
    } else if (got < 0) {
        capture_end(capture);
        uv_read_stop(stream);
        worker->pipes_open--;
    }
}

static void on_status(uv_poll_t *poll, int error, int events)
{
    struct worker *worker = poll->data;
    struct guard_status status;
    (void)events;
    uv_poll_stop(poll);
    if (error != 0 || read(worker->guard.status_fd, &status, sizeof status) != (ssize_t)sizeof status) {
        fail(worker, "guard", "ended before the client did");
        worker->over = true;
        return;
    }
    worker->client_ended = true;
    worker->client_ended_ms = uv_now(&worker->loop);
    worker->exec_errno = status.exec_errno;
    worker->wait_status = status.wait_status;
}

static void open_pipe(struct worker *worker, uv_pipe_t *pipe, int fd)
{
    uv_pipe_init(&worker->loop, pipe, 0);
    pipe->data = worker;
    uv_pipe_open(pipe, fd);
    uv_read_start((uv_stream_t *)pipe, on_alloc, on_output);
    worker->pipes_open++;
}

static bool write_plan(struct worker *worker, char path[FOLDER_PATH_MAX + 16])
{
    struct buffer plan;
    buffer_init(&plan, SCRIPT_BYTES_MAX);
    snprintf(path, FOLDER_PATH_MAX + 16, "%s/plan.json", worker->folder);
    const bool good = (worker->job->unknown_step ? buffer_append(&plan, bytes_of_text(UNKNOWN_PLAN))
                                                 : plan_write(worker->job->script, worker->job->profile->name,
                                                              worker->job->options->speech_folder, &plan)) &&
                      artefacts_write(worker->folder, "plan.json", buffer_bytes(&plan));
    buffer_free(&plan);
    return good;
}

static bool start_client(struct worker *worker)
{
    const struct run_options *options = worker->job->options;
    char plan_path[FOLDER_PATH_MAX + 16];
    char out_path[FOLDER_PATH_MAX + 16];
    if (!write_plan(worker, plan_path)) {
        fail(worker, worker->folder, strerror(errno));
        return false;
    }
    snprintf(out_path, sizeof out_path, "%s/out", worker->folder);
    const struct client_values values = {.port = mock_server_port(worker->server),
                                         .ca = mock_server_ca_file(worker->server),
                                         .path = FAMILIES[0].path,
                                         .key = CONFORM_KEY,
                                         .config = worker->job->script->config,
                                         .audio = worker->audio_path,
                                         .plan = plan_path,
                                         .out = out_path,
                                         .case_name = worker->job->script->name,
                                         .profile = worker->job->profile->name};
    char **words = client_words(options->command, &values);
    char **environment =
        client_environment(environ, options->environment, options->environment_count, &values);
    const bool good = words != NULL && environment != NULL && guard_start(words, environment, &worker->guard);
    if (!good)
        fail(worker, "cannot start a process", strerror(errno));
    launch_free(words);
    launch_free(environment);
    if (!good)
        return false;
    worker->guarded = true;
    open_pipe(worker, &worker->out, worker->guard.stdout_fd);
    open_pipe(worker, &worker->err, worker->guard.stderr_fd);
    uv_poll_init(&worker->loop, &worker->status, worker->guard.status_fd);
    worker->status.data = worker;
    uv_poll_start(&worker->status, UV_READABLE, on_status);
    return true;
}

/* ---- when it is over ---- */

/* A client that refuses the certificate has come as far as it should. */
static bool was_reached(const struct worker *worker)
{
    return mock_server_requests(worker->server) > 0 || mock_server_tls_refusals(worker->server) > 0;
}

static bool time_is_up(const struct worker *worker, uint64_t now_ms)
{
    if (worker->script_done_ms != 0)
        return now_ms - worker->script_done_ms > END_WAIT_MS;
    if (worker->connected_ms != 0)
        return now_ms - worker->connected_ms > worker->job->script->limit_us / 1000;
    return now_ms - worker->began_ms > CONNECT_WAIT_MS;
}

/* The mock's own timer only runs while something is due. */
static void watch_lateness(struct worker *worker)
{
    const uint64_t now_us = uv_hrtime() / 1000;
    const uint64_t due_us = worker->polled_us + (uint64_t)POLL_MS * 1000;
    if (now_us > due_us && now_us - due_us > worker->lateness_us)
        worker->lateness_us = now_us - due_us;
    worker->polled_us = now_us;
}

static void on_poll(uv_timer_t *timer)
{
    struct worker *worker = timer->data;
    watch_lateness(worker);
    const uint64_t now_ms = uv_now(&worker->loop);
    if (worker->connected_ms == 0 && was_reached(worker))
        worker->connected_ms = now_ms;
    if (worker->client_ended) {
        const bool drained = mock_server_connections(worker->server) == 0 && worker->pipes_open == 0;
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

static enum client_end client_end(const struct worker *worker, char text[JUDGE_TEXT_MAX])
{
    const struct client_facts facts = {.program = worker->job->options->command[0],
                                       .exec_errno = worker->exec_errno,
                                       .ended = worker->client_ended,
                                       .wait_status = worker->wait_status,
                                       .marks = &worker->err_capture.marks,
                                       .connected = was_reached(worker),
                                       .script_over = worker->script_done_ms != 0,
                                       .limit_ms = worker->job->script->limit_us / 1000,
                                       .end_wait_ms = END_WAIT_MS};
    return client_end_of(&facts, text);
}

/* What a page shows of the case. */
static void draw(const struct worker *worker, const struct judge_input *input)
{
    struct run_case *run_case = &worker->job->slot->run_case;
    const struct picture_source source = {.journal = input->journal,
                                          .result = &run_case->result,
                                          .observations = input->observations,
                                          .observation_count = input->observation_count};
    struct text picture = text_of(run_case->picture, sizeof run_case->picture);
    struct text tail = text_of(run_case->output_tail, sizeof run_case->output_tail);
    case_picture_write(&picture, &source);
    output_tail_write(&tail, &worker->out_capture, &worker->err_capture, bytes_of_text(CONFORM_KEY));
}

/* Where the client shows its key; NULL: nowhere. */
static const char *key_leak(const struct worker *worker)
{
    const struct {
        const struct capture *capture;
        const char *name;
    } outputs[] = {{&worker->out_capture, "it stands on standard output"},
                   {&worker->err_capture, "it stands on standard error"}};
    const char *leak = NULL;
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0] && leak == NULL; i++) {
        struct buffer kept;
        buffer_init(&kept, CAPTURE_KEPT_MAX);
        size_t at, len;
        if (capture_kept(outputs[i].capture, &kept) &&
            secret_find(buffer_bytes(&kept), bytes_of_text(CONFORM_KEY), &at, &len))
            leak = outputs[i].name;
        buffer_free(&kept);
    }
    return leak;
}

/* False when memory runs out. */
static bool judge(struct worker *worker)
{
    const struct worker_job *job = worker->job;
    const struct run_options *options = job->options;
    struct recorder *recorder = mock_server_recorder(worker->server);
    enum rule_verdict *verdicts = calloc(rule_count(), sizeof *verdicts);
    if (verdicts == NULL)
        return false;
    for (size_t i = 0; i < rule_count(); i++)
        verdicts[i] = recorder_verdict(recorder, i);
    struct judge_input input = {
        .script = job->script,
        .inferred = options->inferred,
        .strict = options->strict,
        .tier = job->tier,
        .journal = worker->journal,
        .rule_verdicts = verdicts,
        .observations = worker->out_capture.observations,
        .observation_count = worker->out_capture.observation_count,
        .lateness_us = worker->lateness_us,
        .key_leak = key_leak(worker),
        .script_line =
            mock_server_script_is_done(worker->server) ? 0 : mock_server_script_line(worker->server),
    };
    input.end = client_end(worker, input.end_text);
    snprintf(input.bad_observation, sizeof input.bad_observation, "%s", worker->out_capture.bad_observation);
    snprintf(input.own_error, sizeof input.own_error, "%s", worker->own_error);
    judge_case(&input, &job->slot->run_case.result);
    if (options->reports.of[REPORT_HTML] != NULL)
        draw(worker, &input);
    job->slot->observation_count = worker->out_capture.observation_count;
    job->slot->exec_errno = worker->exec_errno;
    free(verdicts);
    return true;
}

static bool write_output(const struct worker *worker, const char *name, const struct capture *capture)
{
    struct buffer kept;
    buffer_init(&kept, CAPTURE_KEPT_MAX);
    const bool good =
        capture_kept(capture, &kept) && artefacts_write(worker->folder, name, buffer_bytes(&kept));
    buffer_free(&kept);
    return good;
}

static bool write_cuts(const struct worker *worker)
{
    char cuts[JUDGE_TEXT_MAX * 2];
    struct text text = text_of(cuts, sizeof cuts);
    capture_describe_cuts(&worker->out_capture, &text);
    capture_describe_cuts(&worker->err_capture, &text);
    return text.len == 0 || artefacts_write(worker->folder, "output-was-cut.txt", bytes_of_text(cuts));
}

/* repro.sh has the whole line; people are shown it too, unless it is too long to be shown. */
static bool write_repro(const struct worker *worker, char shown[RUN_COMMAND_MAX])
{
    const struct worker_job *job = worker->job;
    char *line = repro_line(job->options, job->script->name, job->profile->name, job->tier);
    if (line == NULL)
        return false;
    const bool good = artefacts_write_repro(worker->folder, line);
    if (strlen(line) < RUN_COMMAND_MAX)
        snprintf(shown, RUN_COMMAND_MAX, "%s", line);
    else
        snprintf(shown, RUN_COMMAND_MAX, "sh %s/repro.sh", worker->folder);
    free(line);
    return good;
}

static void leave_artefacts(struct worker *worker)
{
    const struct worker_job *job = worker->job;
    struct run_case *result = &job->slot->run_case;
    struct text tail = text_of(result->wire_tail, sizeof result->wire_tail);
    wire_tail_write(&tail, worker->journal, &result->result, WIRE_TAIL_LINES);
    if (job->leave_nothing || (!verdict_fails(result->result.verdict) && !job->options->keep)) {
        artefacts_remove(job->options->out_folder, worker->folder);
        return;
    }
    snprintf(result->folder, sizeof result->folder, "%s", worker->folder);
    const bool good = artefacts_write_journal(worker->folder, worker->journal) &&
                      write_output(worker, "stdout.txt", &worker->out_capture) &&
                      write_output(worker, "stderr.txt", &worker->err_capture) && write_cuts(worker) &&
                      artefacts_write(worker->folder, "case.session", job->script_text) &&
                      write_repro(worker, result->repro);
    if (!good)
        fprintf(stderr, "ojin-conform: cannot write to %s: %s\n", worker->folder, strerror(errno));
}

static void run_loop(struct worker *worker)
{
    uv_timer_init(&worker->loop, &worker->poll);
    worker->poll.data = worker;
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
    /* What the client wrote last may still be on its way when the connection is already over. */
    if (worker->guarded)
        guard_stop(&worker->guard);
    for (int round = 0; worker->pipes_open > 0 && round < 50; round++)
        uv_run(&worker->loop, UV_RUN_NOWAIT);
    capture_end(&worker->out_capture);
    capture_end(&worker->err_capture);
}

void worker_run(const struct worker_job *job)
{
    struct worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL || uv_loop_init(&worker->loop) != 0)
        return; /* the slot stays unfinished: an error of ours */
    worker->job = job;
    capture_init(&worker->out_capture, CAPTURE_OUTPUT);
    capture_init(&worker->err_capture, CAPTURE_ERRORS);
    char label[ATTEMPT_LABEL_MAX];
    snprintf(label, sizeof label, job->attempt > 1 ? "%s.try%u" : "%s", job->profile->name, job->attempt);
    if (!artefacts_begin(job->options->out_folder, job->script->name, label, worker->folder)) {
        fprintf(stderr, "ojin-conform: cannot make a folder in %s: %s\n", job->options->out_folder,
                strerror(errno));
        return;
    }
    if (!load_speech(worker) || !start_mock(worker) || !start_client(worker)) {
        fprintf(stderr, "ojin-conform: %s: %s\n", job->script->name, worker->own_error);
        return;
    }
    const uint64_t began = uv_hrtime();
    run_loop(worker);
    if (worker->interrupted) { /* nothing can be said of the case: it counts as not run */
        artefacts_remove(job->options->out_folder, worker->folder);
        return;
    }
    job->slot->run_case.duration_ms = (uv_hrtime() - began) / 1000000;
    if (!judge(worker))
        return;
    leave_artefacts(worker);
    job->slot->finished = true;
}
