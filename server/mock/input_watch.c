/* --until-stdin-closes: the program ends with whoever holds the other end of its standard input. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/mock/program.h"

enum { DROPPED_BYTES = 4096 };

/* A pipe or socket is read by nobody else, so that it may be set non-blocking; the kernel closes its other
 * end however its holder ended. */
bool input_can_be_watched(void)
{
    struct stat about;
    return fstat(STDIN_FILENO, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    char dropped[DROPPED_BYTES];
    (void)events;
    const ssize_t got = status < 0 ? 0 : read(STDIN_FILENO, dropped, sizeof dropped);
    if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR)))
        return;
    uv_poll_stop(poll);
    struct program *program = poll->data;
    if (!program->stopping)
        program->on_input_ended(program);
}

void input_watch_start(struct program *program, void (*ended)(struct program *program))
{
    program->on_input_ended = ended;
    program->input.data = program;
    program->input_watched = uv_poll_init(&program->loop, &program->input, STDIN_FILENO) == 0;
    if (program->input_watched)
        uv_poll_start(&program->input, UV_READABLE, on_readable);
}

void input_watch_end(struct program *program)
{
    if (program->input_watched)
        uv_close((uv_handle_t *)&program->input, NULL);
    program->input_watched = false;
}
