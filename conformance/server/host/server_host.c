#define _GNU_SOURCE
#include "conformance/server/host/server_host.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

#include "conformance/process/cpu_wait.h"
#include "conformance/server/host/raw_connection.h"

enum { IN_BYTES_MAX = 1024 * 1024, WAIT_MS_MAX = 1000 };

static uint64_t clock_us(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void server_clock_start(struct server_clock *clock)
{
    clock->began_us = clock_us(CLOCK_MONOTONIC);
    clock->epoch_ms = clock_us(CLOCK_REALTIME) / 1000;
}

uint64_t server_clock_now_us(const struct server_clock *clock)
{
    return clock_us(CLOCK_MONOTONIC) - clock->began_us;
}

void server_drive_options(const struct server_options *options, const struct profile *profile,
                          const struct server_clock *clock, struct drive_options *out)
{
    *out = (struct drive_options){
        .target = {.authority = options->url.authority,
                   .path = options->path,
                   .query = options->query,
                   .key = options->key,
                   .config = options->config,
                   .secret = options->jwt_secret,
                   .candidate = options->candidate,
                   .now_s = clock->epoch_ms / 1000},
        .rules = {.profile = profile,
                  .epoch_ms = clock->epoch_ms,
                  .key = bytes_of_text(options->key),
                  .config = bytes_of_text(options->config),
                  .speed = options->speed,
                  .picture_width = options->width,
                  .picture_height = options->height},
        .seed = options->seed,
        .patience = options->patience,
    };
}

struct host {
    const struct server_options *options;
    const struct server_clock *clock;
    struct drive *drive;
    struct raw_connection connection;
    struct raw_connection held; /* beside it, until the case is over */
    struct buffer in;
    uint64_t lateness_us;
    struct core_waits *waits;
    uint64_t waited_us; /* as looked at last */
    uint64_t look_at_us;
};

static uint64_t now_of(const struct host *host)
{
    return server_clock_now_us(host->clock);
}

static void open_transport(struct host *host)
{
    char sentence[RAW_SENTENCE_MAX];
    raw_end(&host->connection);
    if (raw_connect(&host->connection, &host->options->url, host->options->ca_file, sentence))
        drive_connected(host->drive, now_of(host));
    else
        drive_not_connected(host->drive, now_of(host), sentence);
}

static void end_transport(struct host *host, bool reset)
{
    raw_end(&host->connection);
    drive_ended(host->drive, now_of(host), reset);
}

static void hold_transport(struct host *host)
{
    raw_end(&host->held);
    host->held = host->connection;
    host->connection = (struct raw_connection){.fd = -1};
    drive_held(host->drive, now_of(host));
}

static void write_some(struct host *host)
{
    for (;;) {
        size_t len = 0;
        const struct bytes bytes = drive_output(host->drive);
        if (host->connection.fd < 0 || (bytes.len == 0 && !raw_is_writing(&host->connection)))
            return;
        if (!raw_write(&host->connection, bytes, &len)) {
            end_transport(host, true);
            return;
        }
        if (len == 0)
            return;
        drive_sent(host->drive, now_of(host), len);
    }
}

static void read_some(struct host *host)
{
    buffer_clear(&host->in);
    const enum raw_read read = raw_read(&host->connection, &host->in);
    if (host->in.len > 0)
        drive_received(host->drive, now_of(host), buffer_bytes(&host->in));
    if (read == RAW_READ_END || read == RAW_READ_RESET)
        end_transport(host, read == RAW_READ_RESET);
}

static void look_at_waits(struct host *host)
{
    const uint64_t now_us = now_of(host);
    if (now_us < host->look_at_us)
        return;
    const uint64_t waited_us = cpu_wait_own_us();
    core_waits_add(host->waits, now_us, waited_us - host->waited_us);
    host->waited_us = waited_us;
    host->look_at_us = now_us + CORE_WAITS_SLOT_US;
}

/* Until something comes, can be written, or is due. */
static void wait_a_while(struct host *host)
{
    const uint64_t now_us = now_of(host);
    const uint64_t due_us = drive_deadline_us(host->drive);
    uint64_t wait_ms = due_us <= now_us ? 0 : (due_us - now_us + 999) / 1000;
    const bool writing = drive_output(host->drive).len > 0 || raw_is_writing(&host->connection);
    struct pollfd poll_fd = {.fd = host->connection.fd,
                             .events = (short)(writing ? POLLIN | POLLOUT : POLLIN)};
    wait_ms = wait_ms > WAIT_MS_MAX ? WAIT_MS_MAX : wait_ms;
    const int ready = poll(&poll_fd, 1, (int)wait_ms);
    const uint64_t woken_us = now_of(host);
    const uint64_t latest_us = now_us + wait_ms * 1000;
    if (woken_us > latest_us && woken_us - latest_us > host->lateness_us)
        host->lateness_us = woken_us - latest_us;
    if (ready > 0 && (poll_fd.revents & POLLOUT) != 0)
        write_some(host);
    if (ready > 0 && host->connection.fd >= 0 && (poll_fd.revents & ~POLLOUT) != 0)
        read_some(host);
    const uint64_t done_us = now_of(host);
    if (done_us - woken_us > host->lateness_us) /* what came meanwhile is seen late */
        host->lateness_us = done_us - woken_us;
}

uint64_t server_host_play(const struct server_options *options, const struct server_clock *clock,
                          struct drive *drive, struct core_waits *waits)
{
    struct host host = {.options = options,
                        .clock = clock,
                        .drive = drive,
                        .connection = {.fd = -1},
                        .held = {.fd = -1},
                        .waits = waits,
                        .waited_us = cpu_wait_own_us()};
    buffer_init(&host.in, IN_BYTES_MAX);
    for (;;) {
        drive_step(drive, now_of(&host));
        if (drive_is_over(drive))
            break;
        if (drive_wants_transport(drive)) {
            open_transport(&host);
        } else if (drive_wants_end(drive)) {
            end_transport(&host, false);
        } else if (drive_wants_hold(drive)) {
            hold_transport(&host);
        } else {
            write_some(&host);
            wait_a_while(&host);
        }
        look_at_waits(&host);
    }
    raw_end(&host.connection);
    raw_end(&host.held);
    buffer_free(&host.in);
    return host.lateness_us;
}
