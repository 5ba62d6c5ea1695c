/* The command of exec, from its start to its exit status. */
#include <stdlib.h>
#include <unistd.h>

#include "codec/program/data_path.h"
#include "codec/wire/text.h"
#include "codec/wire/uuid.h"
#include "server/mock/program.h"
#include "server/token/token.h"

enum { FAREWELL_WAIT_MS = 2000, FAREWELL_POLL_MS = 5, KEY_BYTES_MAX = 64 };

/* What the command sent last is still to be read and judged. */
static void on_farewell(uv_timer_t *timer)
{
    struct program *program = timer->data;
    if (mock_server_connections(program->server) > 0 && uv_now(&program->loop) < program->farewell_by_ms)
        return;
    uv_close((uv_handle_t *)timer, NULL);
    program_stop(program);
}

static void on_command_ended(struct exec *exec, void *context)
{
    struct program *program = context;
    (void)exec;
    program->farewell_by_ms = uv_now(&program->loop) + FAREWELL_WAIT_MS;
    uv_timer_start(&program->farewell, on_farewell, FAREWELL_POLL_MS, FAREWELL_POLL_MS);
}

enum { DATA_PATH_MAX = 4096, DATA_NAME_MAX = 256 };

/* The path, or NULL where the program was taken away from its data. */
static const char *readable(const char *path)
{
    return access(path, R_OK) == 0 ? path : NULL;
}

static const char *speech_path(const char *file, char out[DATA_PATH_MAX])
{
    char name[DATA_NAME_MAX];
    snprintf(name, sizeof name, "speech/%s", file);
    return readable(data_path(name, out, DATA_PATH_MAX));
}

/* A key made up from the seed. */
static void key_make(const struct mock_options *options, char out[KEY_BYTES_MAX])
{
    struct seeded seeded = {.state = options->seed};
    struct text text = text_of(out, KEY_BYTES_MAX);
    uint8_t id[UUID_BYTES];
    uuid_generate(&seeded, id);
    text_add(&text, "mock-key-");
    text_add_uuid(&text, id);
}

/* For one command: serves as long as it runs. 0, or what to exit with. */
int command_begin(struct program *program)
{
    const struct mock_options *options = &program->options;
    char key[KEY_BYTES_MAX], token[TOKEN_BYTES_MAX + 1];
    char audio[MOCK_FAMILIES_MAX][DATA_PATH_MAX], video[DATA_PATH_MAX];
    struct ready ready;
    key_make(options, key);
    program_ready(program, &ready);
    if (!ready_token(&ready, token))
        return program_complain("there is not enough memory", EXIT_CANNOT_RUN);
    struct exec_service service = {.origin = ready.origin,
                                   .ca = ready.ca,
                                   .video = readable(data_path("video", video, sizeof video)),
                                   .family_count = options->family_count};
    for (size_t i = 0; i < options->family_count; i++) {
        const struct session_class *class = options->families[i].class;
        const struct family *family = class->family;
        service.families[i] = (struct exec_family){.path = family->path,
                                                   .query = options->profiles[i]->query,
                                                   .key = class->has_tokens      ? token
                                                          : options->key == NULL ? key
                                                                                 : options->key,
                                                   .config = options_config_told(options, class),
                                                   .variables = family->client_variables,
                                                   .case_variables = family->case_variables,
                                                   .audio = speech_path(family->speech, audio[i])};
    }
    int status =
        exec_start(&program->exec, &program->loop, options->command, &service, on_command_ended, program);
    if (status != 0) {
        program_stop(program);
        return status;
    }
    uv_timer_init(&program->loop, &program->farewell);
    program->farewell.data = program;
    return 0;
}

/* What exec exits with, once all connections are over. */
int command_status(const struct program *program)
{
    int status = program->exec.status;
    if (program->options.findings && status == EXIT_SUCCESS && !live_journal_whole(&program->journal)) {
        console_say(&program->console, "the command succeeded, but the journal %s is not whole",
                    program->journal.path);
        return EXIT_CANNOT_RUN;
    }
    if (!program->options.findings || program->findings == 0 || status != EXIT_SUCCESS)
        return status;
    console_say(&program->console, "the command succeeded, but there %s %lu finding%s",
                program->findings == 1 ? "was" : "were", (unsigned long)program->findings,
                program->findings == 1 ? "" : "s");
    return EXIT_HAS_FINDINGS;
}
