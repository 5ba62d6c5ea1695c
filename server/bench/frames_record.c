/* Frames as the mock sends them, written to a file that other servers can serve from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "codec/wire/bytes.h"
#include "codec/wire/writer.h"
#include "server/bench/bench.h"

enum {
    FRAMES = 200, /* what the persona does at rest, once through */
    LENGTH_BYTES = 4,
    READY_BYTES_MAX = 4096,
    FRAME_BYTES_MAX = 1 << 20,
    MESSAGES_MAX = FRAMES + 16 /* texts between them */
};

/* The next message that holds a frame; 0 when there is none. */
static size_t frame_read(int fd, uint8_t *into)
{
    for (unsigned n = 0; n < MESSAGES_MAX; n++) {
        bool binary;
        size_t len = reader_message(fd, into, FRAME_BYTES_MAX, &binary);
        if (len == 0 || binary)
            return len;
    }
    return 0;
}

FILE *recorded_create(char path[RECORDED_PATH_MAX])
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, RECORDED_PATH_MAX, "%s/ojin-bench-XXXXXX", folder == NULL ? "/tmp" : folder);
    int fd = mkstemp(path);
    return fd < 0 ? NULL : fdopen(fd, "wb");
}

bool recorded_add(FILE *file, struct bytes message)
{
    uint8_t length[LENGTH_BYTES];
    struct writer writer = writer_of(length, LENGTH_BYTES);
    writer_u32(&writer, (uint32_t)message.len);
    return fwrite(length, LENGTH_BYTES, 1, file) == 1 && fwrite(message.data, message.len, 1, file) == 1;
}

static bool frames_write(int fd, FILE *file, double *bytes_each)
{
    uint8_t *frame = malloc(FRAME_BYTES_MAX);
    bool ok = frame != NULL;
    double bytes = 0;
    for (unsigned n = 0; ok && n < FRAMES; n++) {
        size_t len = frame_read(fd, frame);
        ok = len > 0 && recorded_add(file, bytes_of(frame, len));
        bytes += (double)len;
    }
    free(frame);
    *bytes_each = bytes / FRAMES;
    return ok;
}

static bool ready_wait(int fd)
{
    uint8_t text[READY_BYTES_MAX];
    bool binary;
    return reader_message(fd, text, sizeof text, &binary) > 0 && !binary;
}

static bool frames_take(unsigned port, FILE *file, double *bytes_each)
{
    struct reader reader = {.epoll = -1};
    bool ok = reader_connect(&reader, port, 1, 0) && ready_wait(reader.sessions[0].fd) &&
              reader_open(&reader, 0) && frames_write(reader.sessions[0].fd, file, bytes_each);
    reader_close(&reader);
    return ok;
}

bool frames_record(const struct bench *bench, char path[RECORDED_PATH_MAX], double *bytes_each)
{
    static const char *const quickly[] = {"--speed", "20", NULL};
    struct launched mock;
    FILE *file = recorded_create(path);
    if (file == NULL)
        return false;
    bool ok = launch_mock(bench, quickly, &mock);
    if (ok) {
        ok = frames_take(mock.port, file, bytes_each);
        launch_end(&mock);
    }
    ok = fclose(file) == 0 && ok;
    if (!ok)
        unlink(path);
    return ok;
}
