#include "server/mock/program.h"

#include <stdio.h>

int program_complain(const char *sentence, int status)
{
    fprintf(stderr, "ojin-mock: %s\n", sentence);
    return status;
}

void program_ready(const struct program *program, struct ready *ready)
{
    *ready = (struct ready){.options = &program->options,
                            .port = mock_server_port(program->server),
                            .ca = mock_server_ca_file(program->server),
                            .control = program->control == NULL ? NULL : CONTROL_PREFIX};
    ready_origin(ready);
}

static void on_stopped(void *context)
{
    struct program *program = context;
    uv_close((uv_handle_t *)&program->idle, NULL);
    if (program->options.command != NULL)
        return;
    input_watch_end(program);
    uv_close((uv_handle_t *)&program->interrupt, NULL);
    uv_close((uv_handle_t *)&program->terminate, NULL);
}

void program_stop(struct program *program)
{
    program->stopping = true;
    uv_idle_stop(&program->idle);
    if (program->control != NULL)
        control_drain(program->control);
    mock_server_stop(program->server, on_stopped, program);
}
