/* A reader as cheap as can be: epoll, the headers of messages looked at, their payload dropped by the kernel
 * unseen. */
#define _GNU_SOURCE /* MSG_TRUNC on TCP */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "codec/ojin/input.h"
#include "server/bench/bench.h"

enum {
    EVENTS_MAX = 256,
    READS_MAX = 16, /* of one session in a row */
    NAP_US = 500,
    OPCODE_BINARY = 2,
    INPUT_BYTES = OJIN_INPUT_HEADER_BYTES + OJIN_FRAME_AUDIO_BYTES,
    MASKED_HEADER_BYTES = 8,
    HEADER_BYTES_MIN = 2
};

static bool all_written(int fd, const void *data, size_t len)
{
    return send(fd, data, len, MSG_NOSIGNAL) == (ssize_t)len;
}

/* The 101, byte by byte, so that nothing behind it is taken. */
static bool answer_read(int fd)
{
    static const char end[] = "\r\n\r\n";
    char c;
    size_t matched = 0, len = 0;
    char status[13] = "";
    while (matched < 4 && recv(fd, &c, 1, 0) == 1) {
        if (len < sizeof status - 1)
            status[len++] = c;
        matched = c == end[matched] ? matched + 1 : c == '\r';
    }
    return matched == 4 && strncmp(status, "HTTP/1.1 101", 12) == 0;
}

const char *reader_request(void)
{
    return "GET /realtime?config_id=bench HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
           "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nAuthorization: bench\r\n"
           "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n";
}

int reader_socket(unsigned port, const char *request)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = 5};
    int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
        all_written(fd, request, strlen(request)) && answer_read(fd))
        return fd;
    close(fd);
    return -1;
}

bool reader_connect(struct reader *reader, unsigned port, size_t count, size_t arrivals_max)
{
    /* A reader that waits for frames is woken by them, and waking it costs the sender as much as the frame,
     * the more the longer it slept: so one that looks at the time of arrival waits for nothing, but looks
     * twice a millisecond. */
    *reader =
        (struct reader){.epoll = epoll_create1(0), .arrivals_max = arrivals_max, .naps = arrivals_max > 0};
    reader->sessions = calloc(count, sizeof *reader->sessions);
    for (size_t n = 0; n < count && reader->sessions != NULL; n++) {
        struct reader_session *session = &reader->sessions[n];
        session->fd = reader_socket(port, reader_request());
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = n};
        session->arrivals_us = arrivals_max == 0 ? NULL : calloc(arrivals_max, sizeof(uint64_t));
        if (session->fd < 0 || (arrivals_max > 0 && session->arrivals_us == NULL) ||
            epoll_ctl(reader->epoll, EPOLL_CTL_ADD, session->fd, &event) != 0) {
            bench_tell("client %zu was not let in", n);
            reader->count = n + 1;
            return false;
        }
    }
    reader->count = count;
    return reader->sessions != NULL;
}

size_t reader_input(uint8_t out[READER_INPUT_MAX])
{
    static const uint8_t silence[OJIN_FRAME_AUDIO_BYTES];
    static_assert(MASKED_HEADER_BYTES + INPUT_BYTES <= READER_INPUT_MAX, "it has room");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    /* A mask of zeros leaves the payload as it is. */
    memcpy(out, (const uint8_t[MASKED_HEADER_BYTES]){0x82, 0xFE, INPUT_BYTES >> 8, INPUT_BYTES & 0xFF},
           MASKED_HEADER_BYTES);
    struct writer writer = writer_of(out + MASKED_HEADER_BYTES, INPUT_BYTES);
    ojin_input_write(&writer, &(struct ojin_input){.payload_type = OJIN_PAYLOAD_AUDIO,
                                                   .timestamp_ms = (uint64_t)now.tv_sec * 1000 +
                                                                   (uint64_t)now.tv_nsec / 1000000,
                                                   .audio = bytes_of(silence, sizeof silence)});
    return MASKED_HEADER_BYTES + INPUT_BYTES;
}

bool reader_open(struct reader *reader, size_t n)
{
    uint8_t message[READER_INPUT_MAX];
    return all_written(reader->sessions[n].fd, message, reader_input(message));
}

static bool all_read(int fd, void *into, size_t len)
{
    return recv(fd, into, len, MSG_WAITALL) == (ssize_t)len;
}

size_t reader_header_bytes(const struct reader_session *session)
{
    if (session->header_len < HEADER_BYTES_MIN)
        return HEADER_BYTES_MIN;
    unsigned len = session->header[1] & 0x7Fu;
    return len == 126 ? 4 : len == 127 ? 10 : 2;
}

uint64_t reader_payload_bytes(const struct reader_session *session)
{
    size_t end = reader_header_bytes(session);
    uint64_t bytes = 0;
    if (end == HEADER_BYTES_MIN)
        return session->header[1] & 0x7Fu;
    for (size_t i = HEADER_BYTES_MIN; i < end; i++)
        bytes = bytes << 8 | session->header[i];
    return bytes;
}

size_t reader_message(int fd, uint8_t *into, size_t room, bool *binary)
{
    struct reader_session session = {.header_len = HEADER_BYTES_MIN};
    if (!all_read(fd, session.header, HEADER_BYTES_MIN))
        return 0;
    session.header_len = reader_header_bytes(&session);
    if (!all_read(fd, session.header + HEADER_BYTES_MIN, session.header_len - HEADER_BYTES_MIN))
        return 0;
    uint64_t len = reader_payload_bytes(&session);
    *binary = (session.header[0] & 0x0Fu) == OPCODE_BINARY;
    return len <= room && all_read(fd, into, (size_t)len) ? (size_t)len : 0;
}

static void message_whole(struct reader *reader, struct reader_session *session)
{
    unsigned opcode = session->header[0] & 0x0Fu;
    session->header_len = 0;
    if (opcode != OPCODE_BINARY)
        return;
    if (session->messages < reader->arrivals_max)
        session->arrivals_us[session->messages] = bench_now_us();
    session->messages++;
    reader->messages++;
}

/* False: nothing more is there now. */
static bool session_read(struct reader *reader, struct reader_session *session)
{
    uint8_t nothing[1];
    size_t header = reader_header_bytes(session);
    bool in_payload = session->skip > 0;
    ssize_t got = in_payload ? recv(session->fd, nothing, session->skip, MSG_DONTWAIT | MSG_TRUNC)
                             : recv(session->fd, session->header + session->header_len,
                                    header - session->header_len, MSG_DONTWAIT);
    if (got <= 0) {
        bool lost = got == 0 || (errno != EAGAIN && errno != EINTR);
        if (lost && !reader->failed)
            bench_tell("client %zu was lost: %s", (size_t)(session - reader->sessions),
                       got == 0 ? "the server closed its connection" : strerror(errno));
        reader->failed = reader->failed || lost;
        return false;
    }
    reader->bytes += (uint64_t)got;
    if (in_payload) {
        session->skip -= (uint64_t)got;
        if (session->skip == 0)
            message_whole(reader, session);
        return true;
    }
    session->header_len += (size_t)got;
    if (session->header_len >= HEADER_BYTES_MIN && session->header_len == reader_header_bytes(session)) {
        session->skip = reader_payload_bytes(session);
        if (session->skip == 0)
            message_whole(reader, session);
    }
    return true;
}

void reader_run(struct reader *reader, uint64_t until_us)
{
    struct epoll_event events[EVENTS_MAX];
    for (uint64_t now_us = bench_now_us(); now_us < until_us && !reader->failed; now_us = bench_now_us()) {
        int wait_ms = reader->naps ? 0 : (int)((until_us - now_us + 999) / 1000);
        int count = epoll_wait(reader->epoll, events, EVENTS_MAX, wait_ms);
        for (int i = 0; i < count; i++) {
            struct reader_session *session = &reader->sessions[events[i].data.u64];
            for (unsigned n = 0; n < READS_MAX && session_read(reader, session); n++)
                continue;
        }
        if (reader->naps)
            bench_sleep_us(NAP_US);
    }
}

void reader_close(struct reader *reader)
{
    for (size_t n = 0; n < reader->count; n++) {
        if (reader->sessions[n].fd >= 0)
            close(reader->sessions[n].fd);
        free(reader->sessions[n].arrivals_us);
    }
    free(reader->sessions);
    close(reader->epoll);
    *reader = (struct reader){.epoll = -1};
}
