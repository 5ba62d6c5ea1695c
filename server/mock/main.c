/* ojin-mock: the mock server as a program. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "codec/family.h"
#include "codec/wire/text.h"
#include "codec/wire/uuid.h"
#include "server/control/control.h"
#include "server/mock/choice.h"
#include "server/mock/console.h"
#include "server/mock/exec.h"
#include "server/mock/live_journal.h"
#include "server/mock/options.h"
#include "server/mock/ready.h"
#include "server/mock/script_file.h"
#include "server/net/mock_server.h"
#include "server/persona/persona.h"

enum {
    EXIT_CANNOT_RUN = 1,
    EXIT_HAS_FINDINGS = 1, /* of exec --findings */
    EXIT_WRONG_USAGE = 2,
    FAREWELL_WAIT_MS = 2000,
    FAREWELL_POLL_MS = 5,
    KEY_BYTES_MAX = 64,
    MICROSECONDS = 1000000,
    SOCKETS_WANTED = 4 * MOCK_SESSIONS_MAX
};

struct program {
    struct mock_options options;
    struct console console;
    const struct family *family;
    struct script *script;
    struct persona *persona;
    struct live_journal journal;
    struct choice choice;
    uv_loop_t loop;
    uv_signal_t interrupt, terminate;
    uv_idle_t idle; /* draws pictures ahead while there is time */
    struct mock_server *server;
    struct control *control; /* NULL: --no-control */
    bool stopping;
    struct exec exec;
    uv_timer_t farewell; /* after the command: until its connections are over */
    uint64_t farewell_by_ms;
    uint64_t findings;
};

static int complain(const char *sentence, int status)
{
    fprintf(stderr, "ojin-mock: %s\n", sentence);
    return status;
}

/* ---- what the server tells ---- */

static void on_entry(void *context, const struct journal_entry *entry)
{
    struct program *program = context;
    if (entry->kind == JOURNAL_FINDING && !entry->finding.note)
        program->findings++;
    console_entry(&program->console, entry);
    live_journal_entry(&program->journal, entry);
}

static void on_log(void *context, const char *line)
{
    struct program *program = context;
    console_info(&program->console, line);
}

static void on_script_done(void *context, uint64_t now_us)
{
    struct program *program = context;
    (void)now_us;
    console_info(&program->console, "script done");
}

static void on_choose(void *context, const struct http_head *head, struct engine_config *config)
{
    struct program *program = context;
    choice_apply(&program->choice, head, config);
}

static void on_choice(void *context, const char *line, bool wrong)
{
    const struct program *program = context;
    if (wrong)
        console_warn(&program->console, line);
    else
        console_info(&program->console, line);
}

/* ---- the end ---- */

static void on_stopped(void *context)
{
    struct program *program = context;
    uv_close((uv_handle_t *)&program->idle, NULL);
    if (program->options.command != NULL)
        return;
    uv_close((uv_handle_t *)&program->interrupt, NULL);
    uv_close((uv_handle_t *)&program->terminate, NULL);
}

static void stop(struct program *program)
{
    program->stopping = true;
    uv_idle_stop(&program->idle);
    if (program->control != NULL)
        control_drain(program->control);
    mock_server_stop(program->server, on_stopped, program);
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct program *program = handle->data;
    if (program->stopping)
        _exit(128 + number);
    stop(program);
}

/* What the command sent last is still to be read and judged. */
static void on_farewell(uv_timer_t *timer)
{
    struct program *program = timer->data;
    if (mock_server_connections(program->server) > 0 && uv_now(&program->loop) < program->farewell_by_ms)
        return;
    uv_close((uv_handle_t *)timer, NULL);
    stop(program);
}

static void on_command_ended(struct exec *exec, void *context)
{
    struct program *program = context;
    (void)exec;
    program->farewell_by_ms = uv_now(&program->loop) + FAREWELL_WAIT_MS;
    uv_timer_start(&program->farewell, on_farewell, FAREWELL_POLL_MS, FAREWELL_POLL_MS);
}

/* ---- the beginning ---- */

static void on_idle(uv_idle_t *idle)
{
    struct program *program = idle->data;
    if (!persona_prepare(program->persona))
        uv_idle_stop(idle);
}

/* The certificate is good for the address as well, and for every name that was allowed. */
static struct tls_options tls_wanted(const struct mock_options *options)
{
    struct tls_options tls = options->tls;
    tls.hosts = options->hosts;
    tls.host_count = options->host_count;
    return tls;
}

static struct mock_server_options server_options(struct program *program)
{
    const struct mock_options *options = &program->options;
    const struct session_class *class = session_class_by_family(program->family->name);
    return (struct mock_server_options){
        .address = options->address,
        .port = options->port,
        .path = program->family->path,
        .engine = {.session_class = class,
                   .session = {.profile = options->profile,
                               .key = options->key,
                               .config_id = options->config_id,
                               .seed = options->seed,
                               .silence_percent = options->silence_percent,
                               .speech_percent = options->speech_percent,
                               .speed = options->speed,
                               .persona = program->persona,
                               .quirks = options->behaviour.quirks},
                   .script = program->script},
        .recorder = {.rules = {.profile = options->profile,
                               .key = bytes_of_text(options->key == NULL ? "" : options->key),
                               /* Which id a client was told to bring is not known here. */
                               .config = bytes_of(NULL, 0)},
                     .session_class = class,
                     .without_checksums = options->journal_path == NULL,
                     .sink = on_entry,
                     .context = program},
        .choose = on_choose,
        .script_done = on_script_done,
        .script_again = true,
        .no_tap = options->no_tap,
        .tls = tls_wanted(options),
        .ping_interval_us = (uint64_t)options->ping_s * MICROSECONDS,
        .ping_timeout_us = (uint64_t)options->ping_timeout_s * MICROSECONDS,
        .sessions_max = options->sessions_max,
        .log = on_log,
        .context = program,
    };
}

static bool journal_begin(struct program *program)
{
    const struct mock_options *options = &program->options;
    struct journal_header header = {.epoch_ms = mock_server_epoch_ms(program->server),
                                    .seed = options->seed,
                                    .picture_width = options->width,
                                    .picture_height = options->height,
                                    .quirks = options->behaviour.quirks,
                                    .silence_percent = options->silence_percent,
                                    .speech_percent = options->speech_percent,
                                    .speed = options->speed,
                                    .key_known = options->key != NULL};
    snprintf(header.family, sizeof header.family, "%s", program->family->name);
    snprintf(header.profile, sizeof header.profile, "%s", options->profile->name);
    snprintf(header.config, sizeof header.config, "%s", options->config_id == NULL ? "" : options->config_id);
    if (program->script != NULL)
        snprintf(header.script, sizeof header.script, "%s", program->script->name);
    return live_journal_begin(&program->journal, &header,
                              bytes_of_text(options->key == NULL ? "" : options->key));
}

static void signals_start(struct program *program)
{
    uv_signal_init(&program->loop, &program->interrupt);
    uv_signal_init(&program->loop, &program->terminate);
    program->interrupt.data = program->terminate.data = program;
    uv_signal_start(&program->interrupt, on_signal, SIGINT);
    uv_signal_start(&program->terminate, on_signal, SIGTERM);
}

static void ready_fill(const struct program *program, struct ready *ready)
{
    *ready = (struct ready){.options = &program->options,
                            .family = program->family,
                            .port = mock_server_port(program->server),
                            .control = program->control == NULL ? NULL : CONTROL_PREFIX};
    ready_origin(ready);
}

/* For whoever starts it by hand or from a script: says where it listens, and serves until a signal. */
static void service_begin(struct program *program)
{
    struct ready ready;
    ready_fill(program, &ready);
    signals_start(program);
    ready_print(&ready);
    if (program->options.log != MOCK_LOG_QUIET)
        ready_welcome(&ready);
}

/* For one command: serves as long as it runs. 0, or what to exit with. */
static int command_begin(struct program *program)
{
    const struct mock_options *options = &program->options;
    char key[KEY_BYTES_MAX];
    struct ready ready;
    struct seeded seeded = {.state = options->seed};
    struct text text = text_of(key, sizeof key);
    uint8_t id[UUID_BYTES];
    uuid_generate(&seeded, id);
    text_add(&text, "mock-key-");
    text_add_uuid(&text, id);
    ready_fill(program, &ready);
    const struct exec_service service = {.origin = ready.origin,
                                         .ca = ready.ca,
                                         .path = program->family->path,
                                         .key = options->key == NULL ? key : options->key,
                                         .config = options->config_id == NULL ? "mock" : options->config_id};
    int status =
        exec_start(&program->exec, &program->loop, options->command, &service, on_command_ended, program);
    if (status != 0) {
        stop(program);
        return status;
    }
    uv_timer_init(&program->loop, &program->farewell);
    program->farewell.data = program;
    return 0;
}

/* What exec exits with, once all connections are over. */
static int command_status(const struct program *program)
{
    int status = program->exec.status;
    if (!program->options.findings || program->findings == 0 || status != EXIT_SUCCESS)
        return status;
    fprintf(stderr, "ojin-mock: the command succeeded, but there %s %lu finding%s\n",
            program->findings == 1 ? "was" : "were", (unsigned long)program->findings,
            program->findings == 1 ? "" : "s");
    return EXIT_HAS_FINDINGS;
}

/* What is random can be repeated by whoever knows the seed. */
static void say_seed(const struct program *program)
{
    const struct behaviour *behaviour = &program->options.behaviour;
    if (behaviour->fault == NULL || !fault_is_random(behaviour->fault))
        return;
    char line[CONSOLE_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    text_add(&text, "fault ");
    text_add(&text, behaviour->fault->name);
    text_add(&text, " is random, from seed ");
    text_add_u64(&text, behaviour->seed);
    console_warn(&program->console, line);
}

/* Listens, and returns when it was stopped. */
static int serve(struct program *program)
{
    char error[MOCK_ERROR_MAX];
    struct mock_server_options options = server_options(program);
    const struct control_options control = {.any_peer = program->options.control_anywhere,
                                            .hosts = program->options.hosts,
                                            .host_count = program->options.host_count,
                                            .tls = program->options.tls.on};
    if (program->options.control)
        program->control = control_new(&control, &options);
    uv_loop_init(&program->loop);
    program->server = mock_server_start(&program->loop, &options, error);
    if (program->server == NULL) {
        uv_loop_close(&program->loop);
        return complain(error, EXIT_CANNOT_RUN);
    }
    if (program->control != NULL)
        control_begin(program->control, program->server, &program->loop);
    uv_idle_init(&program->loop, &program->idle);
    program->idle.data = program;
    uv_idle_start(&program->idle, on_idle);
    journal_begin(program);
    say_seed(program);
    const bool has_command = program->options.command != NULL;
    int status = has_command ? command_begin(program) : EXIT_SUCCESS;
    if (!has_command)
        service_begin(program);
    uv_run(&program->loop, UV_RUN_DEFAULT);
    uv_loop_close(&program->loop);
    return has_command && status == EXIT_SUCCESS ? command_status(program) : status;
}

/* Script, persona and journal: what can be wrong before anything listens. */
static int prepare(struct program *program)
{
    const struct mock_options *options = &program->options;
    char error[SCRIPT_ERROR_MAX];
    if (options->script_path != NULL) {
        program->script =
            script_file_load(options->script_path, session_class_by_family(program->family->name), error);
        if (program->script == NULL) {
            fprintf(stderr, "%s\n", error);
            return EXIT_WRONG_USAGE;
        }
    }
    program->persona = persona_new(options->width, options->height, error);
    if (program->persona == NULL)
        return complain(error, EXIT_WRONG_USAGE);
    if (!live_journal_open(&program->journal, options->journal_path, error))
        return complain(error, EXIT_CANNOT_RUN);
    return EXIT_SUCCESS;
}

/* A session takes three sockets; many systems allow 1024 at first and more when asked. */
static void sockets_allow(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= SOCKETS_WANTED)
        return;
    limit.rlim_cur =
        limit.rlim_max == RLIM_INFINITY || limit.rlim_max > SOCKETS_WANTED ? SOCKETS_WANTED : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
    struct program program = {.family = &FAMILIES[0]};
    switch (options_read(argc, argv, &program.options)) {
    case OPTIONS_DONE:
        options_free(&program.options);
        return EXIT_SUCCESS;
    case OPTIONS_WRONG:
        options_free(&program.options);
        return EXIT_WRONG_USAGE;
    case OPTIONS_RUN:
        break;
    }
    signal(SIGPIPE, SIG_IGN);
    sockets_allow();
    program.console = console_of(&program.options);
    program.choice = (struct choice){.base = &program.options.behaviour,
                                     .session_class = session_class_by_family(program.family->name),
                                     .say = on_choice,
                                     .context = &program};
    int status = prepare(&program);
    if (status == EXIT_SUCCESS)
        status = serve(&program);
    if (program.control != NULL)
        control_free(program.control);
    live_journal_close(&program.journal);
    if (program.persona != NULL)
        persona_free(program.persona);
    if (program.script != NULL)
        script_free(program.script);
    choice_free(&program.choice);
    options_free(&program.options);
    return status;
}
