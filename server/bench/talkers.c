/* A population of talking clients, in one loop: each sends when its time has come, whatever the server does.
 */
#define _GNU_SOURCE /* memmem, MSG_TRUNC on TCP */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "codec/ws/frame.h"
#include "server/bench/talk.h"

enum {
    SETTLE_US = 3000000,
    NAP_US = 500, /* between two looks, so that nobody needs to wake the clients */
    READY_WAIT_US = 20000000,
    END_WAIT_US = 2000000,
    EVENTS_MAX = 256,
    OPCODE_BITS = 15
};

struct talkers {
    int epoll;
    size_t count, active, over;
    struct talker *list;
    const struct talk_trial *trial;
    struct talk_result *result;
    bool measuring;
    bool ending; /* session.close is out: a session may end */
    bool failed;
    uint64_t *lateness;
    size_t lateness_count, lateness_max;
};

/* ---- events ---- */

const void *talkers_messages(const struct talkers *talkers)
{
    return talkers->trial->messages;
}

void talkers_event(struct talkers *talkers, struct talker *talker, uint64_t due_us, bool delta)
{
    const uint64_t now_us = bench_now_us();
    talker->latest_us = now_us;
    if (!talkers->measuring)
        return;
    talkers->result->events++;
    talkers->result->deltas += delta;
    if (due_us == 0 || talkers->lateness_count == talkers->lateness_max)
        return;
    talkers->result->judged++;
    talkers->lateness[talkers->lateness_count++] = now_us > due_us ? now_us - due_us : 0;
}

bool talker_head_has(const struct talker *talker, const char *text)
{
    return memmem(talker->head, talker->head_len, text, strlen(text)) != NULL;
}

void talkers_active(struct talkers *talkers, struct talker *talker)
{
    talkers->active += !talker->active;
    talker->active = true;
}

static void talker_over(struct talkers *talkers, struct talker *talker)
{
    talkers->over += !talker->over;
    talker->over = true;
}

void talkers_other(struct talkers *talkers, struct talker *talker)
{
    if (talkers->ending) {
        talker_over(talkers, talker);
        return;
    }
    if (!talkers->failed)
        bench_tell("client %zu got something else: %.*s", (size_t)(talker - talkers->list),
                   (int)talker->head_len, (const char *)talker->head);
    talkers->failed = true;
}

static void on_message(struct talkers *talkers, struct talker *talker)
{
    if ((talker->in.header[0] & OPCODE_BITS) == WS_OPCODE_CLOSE)
        talkers_other(talkers, talker);
    else
        talkers->trial->manner->heard(talkers, talker);
}

/* ---- reading and writing ---- */

static void talker_lost(struct talkers *talkers, struct talker *talker, const char *why)
{
    if (talkers->ending) {
        talker_over(talkers, talker);
        return;
    }
    if (!talkers->failed)
        bench_tell("client %zu was lost: %s", (size_t)(talker - talkers->list), why);
    talkers->failed = true;
}

/* How much of the message's beginning is still wanted. */
static size_t head_wanted(const struct talker *talker)
{
    const size_t room = TALK_HEAD_BYTES - talker->head_len;
    return talker->in.skip < room ? (size_t)talker->in.skip : room;
}

static ssize_t receive(struct talker *talker)
{
    struct reader_session *in = &talker->in;
    uint8_t nothing[1];
    if (in->skip == 0)
        return recv(in->fd, in->header + in->header_len, reader_header_bytes(in) - in->header_len,
                    MSG_DONTWAIT);
    const size_t wanted = head_wanted(talker);
    if (wanted > 0)
        return recv(in->fd, talker->head + talker->head_len, wanted, MSG_DONTWAIT);
    return recv(in->fd, nothing, in->skip, MSG_DONTWAIT | MSG_TRUNC);
}

static void received(struct talkers *talkers, struct talker *talker, size_t len)
{
    struct reader_session *in = &talker->in;
    if (in->skip > 0) {
        talker->head_len += head_wanted(talker) > 0 ? len : 0;
        in->skip -= len;
    } else {
        in->header_len += len;
        if (in->header_len < 2 || in->header_len < reader_header_bytes(in))
            return;
        in->skip = reader_payload_bytes(in);
        talker->head_len = 0;
    }
    if (in->skip > 0)
        return;
    in->header_len = 0;
    on_message(talkers, talker);
}

static void talker_read(struct talkers *talkers, struct talker *talker)
{
    while (!talkers->failed) {
        const ssize_t got = receive(talker);
        if (got > 0) {
            received(talkers, talker, (size_t)got);
            continue;
        }
        if (got == 0)
            talker_lost(talkers, talker, "the server closed its connection");
        else if (errno == EINTR)
            continue;
        else if (errno != EAGAIN)
            talker_lost(talkers, talker, strerror(errno));
        return;
    }
}

static void talker_write(struct talkers *talkers, struct talker *talker)
{
    while (talker->out.len > 0) {
        const ssize_t sent =
            send(talker->in.fd, talker->out.data, talker->out.len, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno != EAGAIN)
            talker_lost(talkers, talker, strerror(errno));
        if (sent < 0)
            return;
        talker->out.data += sent;
        talker->out.len -= (size_t)sent;
    }
    talker->sent_us = bench_now_us();
    if (talker->commits)
        talker->committed_us = talker->sent_us;
    talker->commits = false;
}

static void talkers_wait(struct talkers *talkers)
{
    struct epoll_event events[EVENTS_MAX];
    const int count = epoll_wait(talkers->epoll, events, EVENTS_MAX, 0);
    for (int i = 0; i < count; i++) {
        struct talker *talker = &talkers->list[events[i].data.u64];
        talker_read(talkers, talker);
        if (talker->out.len > 0)
            talker_write(talkers, talker);
    }
}

/* ---- the trial ---- */

static bool talkers_connect(struct talkers *talkers, unsigned port)
{
    for (size_t n = 0; n < talkers->trial->sessions; n++) {
        struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.u64 = n};
        struct talker *talker = &talkers->list[n];
        char request[TALK_REQUEST_MAX];
        talkers->trial->manner->request(talkers->trial->messages, n, request);
        talker->in.fd = reader_socket(port, request);
        talker->turn = n; /* not all speak at the same time */
        talkers->count = n + 1;
        if (talker->in.fd < 0 || epoll_ctl(talkers->epoll, EPOLL_CTL_ADD, talker->in.fd, &event) != 0) {
            bench_tell("client %zu was not let in", n);
            return false;
        }
    }
    for (const uint64_t until_us = bench_now_us() + READY_WAIT_US;
         talkers->active < talkers->count && !talkers->failed;) {
        talkers_wait(talkers);
        if (bench_now_us() > until_us)
            talker_lost(talkers, &talkers->list[0], "not all sessions were made in 20 s");
        bench_sleep_us(NAP_US);
    }
    return !talkers->failed;
}

static void message_begin(struct talkers *talkers, struct talker *talker)
{
    bool missing = false;
    if (talker->out.len > 0) {
        talkers->result->unsent += talkers->measuring;
        return;
    }
    talker->out = talkers->trial->manner->next(talkers->trial->messages, talker, &missing);
    talker->turn++;
    if (talkers->measuring) {
        talkers->result->sent++;
        talkers->result->missing += missing;
    }
    talker_write(talkers, talker);
}

/* The clients' messages are due one after another, evenly over the time between two, round after round. */
static void talkers_run(struct talkers *talkers, uint64_t start_us, uint64_t *turn, uint64_t until_us)
{
    for (uint64_t now_us = bench_now_us(); now_us < until_us && !talkers->failed; now_us = bench_now_us()) {
        while (start_us + *turn * talkers->trial->manner->every_us / talkers->count <= now_us &&
               !talkers->failed)
            message_begin(talkers, &talkers->list[(*turn)++ % talkers->count]);
        talkers_wait(talkers);
        bench_sleep_us(NAP_US);
    }
}

/* Each goes as the protocol has it, so that nothing is held against it. */
static void talkers_end(struct talkers *talkers)
{
    const uint64_t until_us = bench_now_us() + END_WAIT_US;
    talkers->ending = true;
    talkers->measuring = false;
    for (size_t n = 0; n < talkers->count; n++)
        talkers->list[n].wants_end = true;
    while (talkers->over < talkers->count && bench_now_us() < until_us) {
        for (size_t n = 0; n < talkers->count; n++) {
            struct talker *talker = &talkers->list[n];
            if (!talker->wants_end || talker->out.len > 0)
                continue;
            talker->wants_end = false;
            talker->out = talkers->trial->manner->last(talkers->trial->messages);
            talker_write(talkers, talker);
        }
        talkers_wait(talkers);
        bench_sleep_us(NAP_US);
    }
}

static void result_make(struct talkers *talkers)
{
    struct talk_result *result = talkers->result;
    bench_sort(talkers->lateness, talkers->lateness_count);
    result->p50_ms = (double)bench_quantile(talkers->lateness, talkers->lateness_count, 0.5) / 1000;
    result->p99_ms = (double)bench_quantile(talkers->lateness, talkers->lateness_count, 0.99) / 1000;
    result->max_ms = (double)bench_quantile(talkers->lateness, talkers->lateness_count, 1) / 1000;
}

static bool talkers_measure(struct talkers *talkers, const struct launched *server)
{
    struct talk_result *result = talkers->result;
    const uint64_t resident = launched_resident_bytes(server);
    if (!talkers_connect(talkers, server->port))
        return false;
    const uint64_t start_us = bench_now_us();
    uint64_t turn = 0;
    talkers_run(talkers, start_us, &turn, start_us + SETTLE_US);
    const uint64_t from_us = bench_now_us(), cpu_us = launched_cpu_us(server), own_us = bench_cpu_us();
    const uint64_t waited_us = waited_for_core_us(0) + waited_for_core_us(server->pid);
    talkers->measuring = true;
    talkers_run(talkers, start_us, &turn, from_us + talkers->trial->measure_us);
    const double used_us = (double)(launched_cpu_us(server) - cpu_us);
    const double took_us = (double)(bench_now_us() - from_us);
    result->core = used_us / took_us;
    result->talker_core = (double)(bench_cpu_us() - own_us) / took_us;
    result->waited = (double)(waited_for_core_us(0) + waited_for_core_us(server->pid) - waited_us) / took_us;
    result->cpu_us = result->sent == 0 ? 0 : used_us / (double)result->sent;
    result->session_kb = (double)(launched_resident_bytes(server) - resident) / 1024 / (double)talkers->count;
    result_make(talkers);
    talkers_end(talkers);
    return !talkers->failed && result->judged > 0;
}

bool talk_run(const struct bench *bench, const struct talk_trial *trial, struct talk_result *result)
{
    struct launched server;
    struct talkers talkers = {.epoll = epoll_create1(0), .trial = trial, .result = result};
    *result = (struct talk_result){0};
    talkers.list = calloc(trial->sessions, sizeof *talkers.list);
    talkers.lateness_max = trial->sessions * (size_t)(trial->measure_us / trial->manner->every_us + 2) * 2;
    talkers.lateness = calloc(talkers.lateness_max, sizeof *talkers.lateness);
    bool ok = talkers.epoll >= 0 && talkers.list != NULL && talkers.lateness != NULL &&
              (trial->words == NULL ? launch_mock(bench, trial->manner->mock_words, &server)
                                    : launch_words(trial->words, &server));
    if (ok) {
        ok = talkers_measure(&talkers, &server);
        for (size_t n = 0; n < talkers.count; n++)
            if (talkers.list[n].in.fd >= 0)
                close(talkers.list[n].in.fd);
        launch_end(&server);
    }
    close(talkers.epoll);
    free(talkers.list);
    free(talkers.lateness);
    return ok;
}
