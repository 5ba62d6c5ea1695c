/* ojin-mock: the mock server as a program. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "codec/options/streams.h"
#include "server/mock/heap.h"
#include "server/mock/program.h"
#include "server/mock/script_file.h"
#include "server/mock/token_command.h"
#include "server/persona/persona.h"

enum { SOCKETS_WANTED = 2 * MOCK_SESSIONS_MAX };

/* Script, persona and journal: what can be wrong before anything listens. */
static int prepare(struct program *program)
{
    const struct mock_options *options = &program->options;
    char error[SCRIPT_ERROR_MAX];
    if (options->until_stdin_closes && !input_can_be_watched())
        return program_complain("--until-stdin-closes: standard input is no pipe; the parent has to hold its "
                                "other end",
                                EXIT_WRONG_USAGE);
    if (options->script_path != NULL) {
        program->script = script_file_load(options->script_path, options, error);
        if (program->script == NULL) {
            fprintf(stderr, "%s\n", error);
            return EXIT_WRONG_USAGE;
        }
    }
    if (options->width != 0 && !persona_size_fits(options->width, options->height, error))
        return program_complain(error, EXIT_WRONG_USAGE);
    program->persona = options->width == 0 ? NULL : persona_new(options->width, options->height, error);
    if (options->width != 0 && program->persona == NULL)
        return program_complain(error, EXIT_CANNOT_RUN);
    if (!live_journal_open(&program->journal, options->journal_path, &program->console, error))
        return program_complain(error, EXIT_CANNOT_RUN);
    return EXIT_SUCCESS;
}

/* A session takes one; many systems allow 1024 at first and more when asked. */
static void sockets_allow(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= SOCKETS_WANTED)
        return;
    limit.rlim_cur =
        limit.rlim_max == RLIM_INFINITY || limit.rlim_max > SOCKETS_WANTED ? SOCKETS_WANTED : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static int run(int argc, char **argv)
{
    struct program program = {.stopping = false};
    if (argc > 1 && strcmp(argv[1], "token") == 0)
        return token_command(argc - 1, argv + 1);
    heap_use_large_pages();
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
    for (size_t i = 0; i < program.options.family_count; i++)
        program.choices[i] = (struct choice){.base = &program.options.families[i].behaviour,
                                             .session_class = program.options.families[i].class,
                                             .say = program_on_choice,
                                             .context = &program};
    worker_pool_init(&program.workers, program.options.workers, program.options.queue);
    int status = prepare(&program);
    if (status == EXIT_SUCCESS)
        status = program_serve(&program);
    if (program.control != NULL)
        control_free(program.control);
    live_journal_close(&program.journal);
    if (program.persona != NULL)
        persona_free(program.persona);
    if (program.script != NULL)
        script_free(program.script);
    for (size_t i = 0; i < program.options.family_count; i++)
        choice_free(&program.choices[i]);
    console_end(&program.console);
    options_free(&program.options);
    return status;
}

int main(int argc, char **argv)
{
    if (!streams_open())
        return EXIT_CANNOT_RUN;
    return streams_end("ojin-mock", run(argc, argv), EXIT_CANNOT_RUN);
}
