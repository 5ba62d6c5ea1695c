#include "server/mock/output.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "codec/wire/buffer.h"

enum {
    PIECE_BYTES = 16 * 1024, /* of a write: what was taken shows after each */
    GAP_LINE_MAX = 160,
    LINE_BYTES_MAX = 64 * 1024 * 1024, /* of one that waits alone */
    THREAD_STACK_BYTES = 256 * 1024,
    LOOK_MS = 10 /* at the end */
};

struct output {
    int fd;
    size_t queue_bytes;
    const char *gap_words;
    bool is_file; /* written at once: there is no thread, and the members below `thread` are ours alone */
    bool has_thread;
    uv_thread_t thread;
    uv_mutex_t lock; /* of all below */
    uv_cond_t changed;
    struct buffer waiting; /* for the thread … */
    struct buffer writing; /* … and what it has taken of it */
    size_t unwritten;      /* bytes of both */
    uint64_t moved_ms;     /* when a write was taken last, or one came to wait where none did */
    uint64_t gap;          /* lines missing behind what waits */
    uint64_t dropped;
    int error;
    bool ending;
};

static uint64_t now_ms(void)
{
    return uv_hrtime() / 1000000;
}

/* ---- writing ---- */

/* However long that takes. 0, or the errno of what went wrong. */
static int some_write(int fd, struct bytes data, size_t *taken)
{
    for (;;) {
        const ssize_t written = write(fd, data.data, data.len);
        *taken = written > 0 ? (size_t)written : 0;
        if (written >= 0)
            return 0;
        struct pollfd room = {.fd = fd, .events = POLLOUT};
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            (void)poll(&room, 1, -1); /* somebody who shares it has made it so */
        else if (errno != EINTR)
            return errno;
    }
}

static int file_write(int fd, struct bytes data)
{
    int error = 0;
    while (data.len > 0 && error == 0) {
        size_t taken;
        error = some_write(fd, data, &taken);
        data = bytes_of(data.data + taken, data.len - taken);
    }
    return error;
}

/* ---- the thread ---- */

/* What it has taken. The lock is free while it writes. */
static void taken_write(struct output *output)
{
    size_t done = 0;
    while (done < output->writing.len && output->error == 0) {
        const size_t left = output->writing.len - done;
        const struct bytes piece =
            bytes_of(output->writing.data + done, left < PIECE_BYTES ? left : PIECE_BYTES);
        size_t taken;
        uv_mutex_unlock(&output->lock);
        const int error = some_write(output->fd, piece, &taken);
        uv_mutex_lock(&output->lock);
        done += taken;
        output->unwritten -= taken;
        output->moved_ms = now_ms();
        output->error = error;
    }
    buffer_clear(&output->writing);
}

/* All before the gap is written. */
static void gap_write(struct output *output)
{
    char line[GAP_LINE_MAX];
    const int len = snprintf(line, sizeof line, "ojin-mock: %llu %s\n", (unsigned long long)output->gap,
                             output->gap_words == NULL ? "" : output->gap_words);
    output->gap = 0;
    if (output->gap_words == NULL || len <= 0 ||
        !buffer_append(&output->waiting, bytes_of(line, (size_t)len)))
        return;
    output->unwritten += (size_t)len;
}

static void thread_run(void *context)
{
    struct output *output = context;
    uv_mutex_lock(&output->lock);
    while (output->error == 0) {
        if (output->waiting.len == 0 && output->gap > 0)
            gap_write(output);
        if (output->waiting.len > 0) {
            const struct buffer written = output->writing;
            output->writing = output->waiting;
            output->waiting = written;
            taken_write(output);
        } else if (output->ending) {
            break;
        } else {
            uv_cond_wait(&output->changed, &output->lock);
        }
    }
    uv_mutex_unlock(&output->lock);
}

/* When there is something to write. Signals are for the loop. */
static bool thread_start(struct output *output)
{
    const uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = THREAD_STACK_BYTES};
    sigset_t all, before;
    if (output->has_thread)
        return true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    output->has_thread = uv_thread_create_ex(&output->thread, &options, thread_run, output) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return output->has_thread;
}

/* ---- what its owner calls ---- */

struct output *output_new(int fd, size_t queue_bytes, const char *gap_words)
{
    struct output *output = calloc(1, sizeof *output);
    struct stat status;
    if (output == NULL)
        return NULL;
    output->fd = fd;
    output->queue_bytes = queue_bytes;
    output->gap_words = gap_words;
    output->is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    buffer_init(&output->waiting, queue_bytes + LINE_BYTES_MAX);
    buffer_init(&output->writing, queue_bytes + LINE_BYTES_MAX);
    if (uv_mutex_init(&output->lock) == 0 && uv_cond_init(&output->changed) == 0)
        return output;
    free(output);
    return NULL;
}

static bool has_room(const struct output *output, size_t bytes)
{
    return output->gap == 0 && (output->unwritten == 0 || (output->unwritten <= output->queue_bytes &&
                                                           bytes <= output->queue_bytes - output->unwritten));
}

static bool line_queue(struct output *output, struct bytes line)
{
    if (output->error != 0 || !thread_start(output) || !has_room(output, line.len) ||
        !buffer_append(&output->waiting, line)) {
        output->gap++;
        return false;
    }
    if (output->unwritten == 0)
        output->moved_ms = now_ms();
    output->unwritten += line.len;
    return true;
}

bool output_write(struct output *output, struct bytes line)
{
    uv_mutex_lock(&output->lock);
    if (output->is_file && output->error == 0)
        output->error = file_write(output->fd, line);
    const bool good = output->is_file ? output->error == 0 : line_queue(output, line);
    output->dropped += good ? 0 : 1;
    uv_cond_signal(&output->changed);
    uv_mutex_unlock(&output->lock);
    return good;
}

uint64_t output_dropped(struct output *output)
{
    uv_mutex_lock(&output->lock);
    const uint64_t dropped = output->dropped;
    uv_mutex_unlock(&output->lock);
    return dropped;
}

int output_error(struct output *output)
{
    uv_mutex_lock(&output->lock);
    const int error = output->error;
    uv_mutex_unlock(&output->lock);
    return error;
}

static bool is_unfinished(const struct output *output)
{
    return output->error == 0 && (output->unwritten > 0 || output->gap > 0);
}

/* Is there something to wait for? A reader that has taken nothing for long is not waited for at all. */
static bool goes_on(const struct output *output, uint64_t began_ms)
{
    const uint64_t now = now_ms();
    return output->has_thread && is_unfinished(output) && now - output->moved_ms < OUTPUT_STALL_MS &&
           now - began_ms < OUTPUT_END_MS;
}

size_t output_flush(struct output *output)
{
    const uint64_t began_ms = now_ms();
    uv_mutex_lock(&output->lock);
    while (goes_on(output, began_ms)) {
        uv_mutex_unlock(&output->lock);
        uv_sleep(LOOK_MS);
        uv_mutex_lock(&output->lock);
    }
    const size_t left = output->unwritten;
    uv_mutex_unlock(&output->lock);
    return left;
}

void output_free(struct output *output)
{
    if (output == NULL)
        return;
    uv_mutex_lock(&output->lock);
    const bool stuck = output->has_thread && is_unfinished(output);
    output->ending = true;
    uv_cond_signal(&output->changed);
    uv_mutex_unlock(&output->lock);
    if (stuck)
        return; /* it is in a write that may never end, and uses all of this until the process is over */
    if (output->has_thread)
        uv_thread_join(&output->thread);
    uv_cond_destroy(&output->changed);
    uv_mutex_destroy(&output->lock);
    buffer_free(&output->waiting);
    buffer_free(&output->writing);
    free(output);
}
