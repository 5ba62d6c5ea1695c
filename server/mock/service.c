/* From listening to the last connection. */
#include "server/mock/program.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "codec/wire/text.h"
#include "server/persona/persona.h"

/* ---- the end ---- */

static void on_signal(uv_signal_t *handle, int number)
{
    struct program *program = handle->data;
    if (program->stopping)
        _exit(128 + number);
    program_stop(program);
}

/* ---- the beginning ---- */

static void on_idle(uv_idle_t *idle)
{
    struct program *program = idle->data;
    if (program->persona == NULL || !persona_prepare(program->persona))
        uv_idle_stop(idle);
}

static void journal_begin(struct program *program)
{
    const struct mock_options *options = &program->options;
    const size_t main_family = program_main_family(program);
    struct journal_header header = {.epoch_ms = mock_server_epoch_ms(program->server),
                                    .seed = options->seed,
                                    .picture_width = options->width,
                                    .picture_height = options->height,
                                    .quirks = options->families[main_family].behaviour.quirks,
                                    .silence_percent = options->silence_percent,
                                    .speech_percent = options->speech_percent,
                                    .speed = options->speed,
                                    .key_known = options->key != NULL};
    journal_header_class(&header, options->families[main_family].class);
    snprintf(header.profile, sizeof header.profile, "%s", options->profiles[main_family]->name);
    for (size_t i = 0; i < options->family_count; i++)
        if (i != main_family)
            (void)journal_header_other(&header, options->families[i].class, options->profiles[i]->name,
                                       &options->families[i].behaviour.quirks);
    snprintf(header.config, sizeof header.config, "%s", options->config_id == NULL ? "" : options->config_id);
    if (program->script != NULL)
        snprintf(header.script, sizeof header.script, "%s", program->script->name);
    live_journal_begin(&program->journal, &header, bytes_of_text(options->key == NULL ? "" : options->key));
}

static void signals_start(struct program *program)
{
    uv_signal_init(&program->loop, &program->interrupt);
    uv_signal_init(&program->loop, &program->terminate);
    program->interrupt.data = program->terminate.data = program;
    uv_signal_start(&program->interrupt, on_signal, SIGINT);
    uv_signal_start(&program->terminate, on_signal, SIGTERM);
}

/* For whoever starts it by hand or from a script: says where it listens, and serves until a signal. */
static int service_begin(struct program *program)
{
    struct ready ready;
    program_ready(program, &ready);
    if (!ready_print(&ready)) { /* nobody learns where it listens */
        program_stop(program);
        return EXIT_CANNOT_RUN; /* streams_end says why */
    }
    if (program->options.until_stdin_closes)
        input_watch_start(program, program_stop);
    if (program->options.log != MOCK_LOG_QUIET)
        ready_welcome(&ready);
    return 0;
}

/* What is random can be repeated by whoever knows the seed. */
static void say_seed(const struct program *program, const struct behaviour *behaviour)
{
    char line[CONSOLE_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    text_add(&text, "fault ");
    text_add(&text, behaviour->fault->name);
    text_add(&text, " is random, from seed ");
    text_add_u64(&text, behaviour->seed);
    console_warn(&program->console, line);
}

static void say_seeds(const struct program *program)
{
    for (size_t i = 0; i < program->options.family_count; i++) {
        const struct behaviour *behaviour = &program->options.families[i].behaviour;
        if (behaviour->fault == NULL || !fault_is_random(behaviour->fault))
            continue;
        say_seed(program, behaviour);
        return; /* the same of all */
    }
}

/* The families after the first. */
static bool services_add(struct program *program, char error[MOCK_ERROR_MAX])
{
    for (size_t i = 1; i < program->options.family_count; i++) {
        struct mock_service_options options = program_service_options(program, i);
        if (program->control != NULL)
            (void)control_beside(program->control, &options);
        struct mock_service *service = mock_service_add(program->server, &options, error);
        if (service == NULL)
            return false;
        if (program->control != NULL)
            control_beside_begin(program->control, service);
    }
    return true;
}

/* A server with a service for each family; false with a sentence in `error`. */
static bool server_begin(struct program *program, char error[MOCK_ERROR_MAX])
{
    struct mock_server_options options = program_server_options(program);
    const struct control_options control = {.lines_dropped = program_lines_dropped,
                                            .lines_context = program,
                                            .any_peer = program->options.control_anywhere,
                                            .hosts = program->options.hosts,
                                            .host_count = program->options.host_count,
                                            .tls = program->options.tls.on,
                                            .card = program_on_card,
                                            .card_context = program};
    if (!program->options.no_control)
        program->control = control_new(&control, &options);
    program->server = mock_server_start(&program->loop, &options, error);
    if (program->server == NULL)
        return false;
    if (program->control != NULL)
        control_begin(program->control, program->server, &program->loop);
    return services_add(program, error);
}

/* Listens, and returns when it was stopped. */
int program_serve(struct program *program)
{
    char error[MOCK_ERROR_MAX];
    uv_loop_init(&program->loop);
    const bool begun = server_begin(program, error);
    if (program->server == NULL) {
        uv_loop_close(&program->loop);
        return program_complain(error, EXIT_CANNOT_RUN);
    }
    uv_idle_init(&program->loop, &program->idle);
    program->idle.data = program;
    uv_idle_start(&program->idle, on_idle);
    const bool has_command = program->options.command != NULL;
    int status = 0;
    if (begun) {
        journal_begin(program);
        say_seeds(program);
        status = has_command ? command_begin(program) : 0;
    }
    if (!has_command)
        signals_start(program);
    if (!begun) {
        status = program_complain(error, EXIT_CANNOT_RUN);
        program_stop(program);
    } else if (!has_command) {
        status = service_begin(program);
    }
    uv_run(&program->loop, UV_RUN_DEFAULT);
    uv_loop_close(&program->loop);
    return has_command && status == 0 ? command_status(program) : status;
}
