#define _GNU_SOURCE
#include "conformance/runner/pool.h"
#include "codec/ws/sha1.h"
#include "conformance/runner/pictures_ahead.h"
#include "conformance/runner/strays.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SAFETY_WAIT_MS = 50,        /* between looks at the workers when nothing tells of them */
    WAIT_MS = 1,                /* between looks at workers that were told to end */
    PREPARED_SHARE = 8,         /* one worker ahead, and one more for this many cases at a time */
    END_ROUNDS_MAX = 3000,      /* of WAIT_MS, from the polite end of the workers to the other */
    STOPPED_MS_MAX = 1000,      /* a worker that is stopped goes on after that at the latest ... */
    STOPS_MAX = 5,              /* ... and is ended when that happens more often */
    SILENT_MS_MAX = 120 * 1000, /* one that shows no sign of life is ended too */
    LAST_MS = 1000,             /* in which clients of many cases may still crash over their last ones */
    LOOK_MS_MAX = 1000          /* what counts of the time between two looks: we may have been stopped */
};

struct worker_slot *pool_slots_new(size_t count)
{
    void *slots = mmap(NULL, count * sizeof(struct worker_slot), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return slots == MAP_FAILED ? NULL : slots;
}

void pool_slots_free(struct worker_slot *slots, size_t count)
{
    if (slots != NULL)
        munmap(slots, count * sizeof(struct worker_slot));
}

/* Where a worker is with its job. */
enum stage {
    STAGE_NONE,     /* there is none */
    STAGE_PREPARED, /* it has made ready what it can, and waits for its turn */
    STAGE_RUNNING,  /* its client may be there */
    STAGE_ENDING    /* that is gone; only our own work is left, and the next client may start */
};

struct member {
    enum stage stage;
    pid_t pid;
    size_t job;
    size_t lane;           /* of the clients that take many cases */
    int go_fd;             /* a byte on it is the worker's turn; -1: it does not wait */
    unsigned stops, beats; /* how often it was stopped; its last sign of life ... */
    uint64_t silent_ms;    /* ... and how long ago that was */
    uint64_t stopped_ms;   /* since when it is stopped, as far as we know; 0: it is not */
    const char *ended_for; /* we ended it, for that; NULL: we did not */
    /* Its client had ended before the case began, which is run again: the case before it and how the client
     * ended, when it crashed; NULL: it did not. */
    bool again;
    struct worker_slot *suspect;
    char how[JUDGE_TEXT_MAX];
};

enum { MEMBERS_MAX = 3 * RUN_JOBS_MAX };

/* What a run of the pool is about. */
struct crew {
    const struct worker_job *jobs;
    size_t count, next, done;
    unsigned at_a_time;
    struct persona *persona;
    int ends_fd; /* signalfd: a worker has ended; -1: nothing tells */
    int over_fd; /* eventfd: the client of a worker has; -1: nothing tells */
    sigset_t mask_before;
    struct member members[MEMBERS_MAX];
    struct pool_clients clients;
    struct strays strays;
    uint64_t looked_ms;
};

static void go_close(struct member *member)
{
    if (member->go_fd >= 0)
        close(member->go_fd);
    member->go_fd = -1;
}

_Noreturn static void be_worker(struct crew *crew, struct worker_job *job, pid_t runner, int turn_fd)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* its guard then ends the client */
    if (getppid() != runner)
        _exit(0);
    signal(SIGINT, SIG_IGN); /* the runner decides */
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_SETMASK, &crew->mask_before, NULL);
    for (size_t i = 0; i < MEMBERS_MAX; i++)
        if (crew->members[i].stage != STAGE_NONE)
            go_close(&crew->members[i]);
    if (crew->ends_fd >= 0)
        close(crew->ends_fd);
    job->turn_fd = turn_fd;
    job->over_fd = crew->over_fd;
    job->persona = crew->persona;
    if (job->server == NULL) /* its worker shows that it lives */
        atomic_fetch_add(&job->slot->beats, 1);
    job->run(job);
    fflush(NULL);
    _exit(0);
}

/* A job that `waits` is prepared and begins when its turn comes. */
static pid_t start_worker(struct crew *crew, struct worker_job *job, bool waits, int *go_fd)
{
    int turn[2] = {-1, -1};
    *go_fd = -1;
    if (waits && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, turn) != 0)
        return -1;
    fflush(NULL);
    const pid_t runner = getpid();
    const pid_t worker = fork();
    if (worker == 0) {
        if (waits)
            close(turn[1]);
        be_worker(crew, job, runner, turn[0]);
    }
    if (waits)
        close(turn[0]);
    *go_fd = turn[1];
    if (worker < 0 && waits)
        close(turn[1]);
    return worker;
}

static void mark_dead(struct worker_slot *slot, const char *ended_for, int wait_status)
{
    struct case_result *result = &slot->run_case.result;
    result->verdict = VERDICT_ERROR;
    if (ended_for != NULL)
        snprintf(result->note, sizeof result->note, "our own worker %s, so it was ended", ended_for);
    else if (WIFSIGNALED(wait_status))
        snprintf(result->note, sizeof result->note, "our own worker was killed by signal %d%s",
                 WTERMSIG(wait_status),
                 WTERMSIG(wait_status) == SIGKILL ? ": perhaps the system ran out of memory" : "");
    else
        snprintf(result->note, sizeof result->note, "our own worker ended without a result");
}

static bool all_ended(struct crew *crew)
{
    bool all = true;
    for (size_t i = 0; i < MEMBERS_MAX; i++) {
        struct member *member = &crew->members[i];
        if (member->stage != STAGE_NONE && waitpid(member->pid, NULL, WNOHANG) == 0)
            all = false;
        else
            member->stage = STAGE_NONE;
    }
    return all;
}

static void kill_workers(const struct crew *crew, int signal_number)
{
    for (size_t i = 0; i < MEMBERS_MAX; i++)
        if (crew->members[i].stage != STAGE_NONE)
            kill(crew->members[i].pid, signal_number);
}

static void end_workers(struct crew *crew)
{
    const struct timespec pause = {.tv_nsec = WAIT_MS * 1000000L};
    kill_workers(crew, SIGTERM);
    for (size_t i = 0; i < MEMBERS_MAX; i++)
        if (crew->members[i].stage != STAGE_NONE)
            go_close(&crew->members[i]);
    for (int round = 0; !all_ended(crew); round++) {
        nanosleep(&pause, NULL);
        if (round == END_ROUNDS_MAX)
            kill_workers(crew, SIGKILL);
    }
}

/* Ends a client that has ended, or that the case could not be left to. */
static void client_settle(struct persistent *client, struct worker_slot *slot)
{
    client->used = true;
    client->last = slot;
    if (slot->client_gone || !slot->finished)
        persistent_stop(client);
}

static uint64_t clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* They have the time to crash over their last cases together. */
static void clients_end(struct crew *crew)
{
    const uint64_t until_ms = clock_ms() + LAST_MS;
    for (size_t lane = 0; lane < RUN_JOBS_MAX; lane++) {
        const uint64_t now_ms = clock_ms();
        persistent_end(&crew->clients.of[lane], now_ms < until_ms ? (int)(until_ms - now_ms) : 0);
    }
}

void pool_clients_stop(struct pool_clients *clients)
{
    for (size_t lane = 0; lane < RUN_JOBS_MAX; lane++)
        persistent_stop(&clients->of[lane]);
}

/* What a job's clients do at the end: they wait for the next jobs, which are not theirs to crash over, or
 * they end. */
static void clients_leave(struct crew *crew, struct pool_clients *given, bool whole)
{
    const bool stay = given != NULL && given->stay;
    for (size_t lane = 0; stay && lane < RUN_JOBS_MAX; lane++)
        crew->clients.of[lane].last = NULL;
    if (whole && !stay)
        clients_end(crew);
    else if (!whole)
        pool_clients_stop(&crew->clients);
    if (given != NULL)
        *given = crew->clients;
}

static size_t count_of(const struct crew *crew, enum stage stage)
{
    size_t count = 0;
    for (size_t i = 0; i < MEMBERS_MAX; i++)
        count += crew->members[i].stage == stage ? 1 : 0;
    return count;
}

/* NULL: there is none. */
static struct member *member_in(struct crew *crew, enum stage stage)
{
    struct member *found = NULL;
    for (size_t i = 0; i < MEMBERS_MAX; i++) {
        struct member *member = &crew->members[i];
        if (member->stage == stage && (found == NULL || member->job < found->job))
            found = member;
    }
    return found;
}

static size_t free_lane(const struct crew *crew)
{
    size_t lane = 0;
    for (size_t i = 0; i < MEMBERS_MAX; i++) {
        if (crew->members[i].stage == STAGE_NONE || crew->members[i].lane != lane)
            continue;
        lane++;
        i = SIZE_MAX; /* from the beginning */
    }
    return lane;
}

static bool is_persistent(const struct worker_job *job)
{
    return job->options != NULL && job->options->persistent;
}

/* Of the member job and lane are set. */
static void start_job(struct crew *crew, struct member *member, bool waits)
{
    struct worker_job job = crew->jobs[member->job];
    const bool persistent = is_persistent(&job);
    job.client = persistent ? &crew->clients.of[member->lane] : NULL;
    member->pid = persistent && !persistent_start(job.options, job.client)
                      ? -1
                      : start_worker(crew, &job, waits, &member->go_fd);
    if (member->pid > 0) {
        member->stops = member->beats = 0;
        member->silent_ms = member->stopped_ms = 0;
        member->ended_for = NULL;
        member->stage = waits ? STAGE_PREPARED : STAGE_RUNNING;
        return;
    }
    struct case_result *result = &job.slot->run_case.result;
    result->verdict = VERDICT_ERROR;
    snprintf(result->note, sizeof result->note, "our own worker could not be started: %s", strerror(errno));
    crew->done++;
}

static void start_next(struct crew *crew, bool waits)
{
    const size_t n = crew->next++;
    struct member *member = member_in(crew, STAGE_NONE);
    *member =
        (struct member){.job = n, .lane = is_persistent(&crew->jobs[n]) ? free_lane(crew) : 0, .go_fd = -1};
    start_job(crew, member, waits);
}

/* Clients of one process each: the next worker gets ready while those before it are still at work. */
static bool may_prepare(const struct crew *crew)
{
    const struct worker_job *job = &crew->jobs[crew->next];
    const bool waits = job->server == NULL && !is_persistent(job) && !job->options->attach;
    return waits && !worker_job_has_tls(job) && /* its certificates go into the case's folder */
           count_of(crew, STAGE_PREPARED) < 1 + crew->at_a_time / PREPARED_SHARE &&
           count_of(crew, STAGE_NONE) > 0;
}

static void fill_up(struct crew *crew)
{
    const uint8_t turn = 1;
    for (size_t running = count_of(crew, STAGE_RUNNING);
         running < crew->at_a_time && count_of(crew, STAGE_NONE) > 0; running++) {
        struct member *prepared = member_in(crew, STAGE_PREPARED);
        if (prepared != NULL) {
            prepared->stage = STAGE_RUNNING;
            const ssize_t sent = send(prepared->go_fd, &turn, 1, MSG_NOSIGNAL);
            (void)sent; /* one that has died is told by its end */
            go_close(prepared);
        } else if (crew->next < crew->count) {
            start_next(crew, false);
        }
    }
    while (crew->next < crew->count && may_prepare(crew))
        start_next(crew, true);
}

/* Where the client is gone, another may have its place. */
static void look_at_clients(struct crew *crew)
{
    for (size_t i = 0; i < MEMBERS_MAX; i++) {
        struct member *member = &crew->members[i];
        if (member->stage == STAGE_RUNNING && atomic_load(&crew->jobs[member->job].slot->client_is_over))
            member->stage = STAGE_ENDING;
    }
}

/* A client that had ended before the case began: of what, a new process shows. False: it began with it. */
static bool run_again(struct crew *crew, struct member *member)
{
    struct persistent *client = &crew->clients.of[member->lane];
    struct worker_slot *slot = crew->jobs[member->job].slot;
    if (!slot->finished || !slot->client_was_gone || !client->used)
        return false;
    member->again = true;
    member->suspect = slot->run_case.result.end == CLIENT_CRASHED ? client->last : NULL;
    memcpy(member->how, slot->end_text, sizeof member->how);
    persistent_stop(client);
    worker_slot_reset(slot);
    start_job(crew, member, false);
    return true;
}

static void member_ended(struct crew *crew, struct member *member, int wait_status, pool_progress *progress,
                         void *context)
{
    struct worker_slot *slot = crew->jobs[member->job].slot;
    go_close(member);
    member->stage = STAGE_NONE;
    if (run_again(crew, member))
        return;
    if (member->again && member->suspect != NULL && slot->finished && !slot->client_was_gone)
        persistent_blame(member->suspect, member->how);
    if (!slot->finished)
        mark_dead(slot, member->ended_for, wait_status);
    client_settle(&crew->clients.of[member->lane], slot);
    crew->done++;
    progress(context, crew->done, crew->count, slot);
}

/* What is left of clients whose guards are gone. */
static void end_strays(const struct crew *crew)
{
    pid_t own[MEMBERS_MAX + RUN_JOBS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < MEMBERS_MAX; i++)
        if (crew->members[i].stage != STAGE_NONE)
            own[count++] = crew->members[i].pid;
    for (size_t lane = 0; lane < RUN_JOBS_MAX; lane++)
        if (crew->clients.of[lane].running)
            own[count++] = crew->clients.of[lane].guard.pid;
    strays_end(&crew->strays, own, count);
}

static void end_member(struct member *member, const char *why)
{
    member->ended_for = why;
    kill(member->pid, SIGKILL);
}

/* False when none has ended. */
static bool take_an_end(struct crew *crew, pool_progress *progress, void *context)
{
    int wait_status = 0;
    const pid_t changed = waitpid(-1, &wait_status, WNOHANG | WUNTRACED);
    for (size_t i = 0; changed > 0 && i < MEMBERS_MAX; i++) {
        struct member *member = &crew->members[i];
        if (member->stage == STAGE_NONE || member->pid != changed)
            continue;
        if (WIFSTOPPED(wait_status)) {
            member->stopped_ms = clock_ms();
        } else {
            member_ended(crew, member, wait_status, progress, context);
            end_strays(crew);
        }
        break;
    }
    return changed > 0;
}

/* A client may stop its worker, which then goes on; that it does so again and again is not borne. */
static void go_on(struct member *member, uint64_t now_ms)
{
    if (member->stopped_ms == 0 || now_ms - member->stopped_ms < STOPPED_MS_MAX)
        return;
    member->stopped_ms = 0;
    if (++member->stops > STOPS_MAX)
        end_member(member, "was stopped again and again");
    else
        kill(member->pid, SIGCONT);
}

/* Workers that are stopped, and those that count their signs of life and have stopped doing so. */
static void watch_workers(struct crew *crew)
{
    const uint64_t now_ms = clock_ms();
    const uint64_t passed_ms = crew->looked_ms == 0 ? 0 : now_ms - crew->looked_ms;
    crew->looked_ms = now_ms;
    for (size_t i = 0; i < MEMBERS_MAX; i++) {
        struct member *member = &crew->members[i];
        if (member->stage != STAGE_RUNNING && member->stage != STAGE_ENDING)
            continue;
        go_on(member, now_ms);
        const unsigned beats = atomic_load(&crew->jobs[member->job].slot->beats);
        if (beats == 0 || beats != member->beats)
            member->silent_ms = 0;
        else
            member->silent_ms += passed_ms < LOOK_MS_MAX ? passed_ms : LOOK_MS_MAX;
        member->beats = beats;
        if (member->silent_ms > SILENT_MS_MAX && member->ended_for == NULL)
            end_member(member, "showed no sign of life for two minutes");
    }
}

/* OpenSSL reads its tables at its first digest, which takes longer than many a session: before the workers
 * part from us, once for all of them. */
static void warm_up(void)
{
    uint8_t hash[SHA1_BYTES];
    sha1_of(bytes_of("", 0), hash);
}

/* From here on the ends of workers and of their clients are told. */
static void watch_begin(struct crew *crew)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &crew->mask_before);
    crew->ends_fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    crew->over_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

static void watch_end(const struct crew *crew)
{
    if (crew->ends_fd >= 0)
        close(crew->ends_fd);
    if (crew->over_fd >= 0)
        close(crew->over_fd);
    sigprocmask(SIG_SETMASK, &crew->mask_before, NULL);
}

/* Until something is told, or an interruption. */
static void await_news(const struct crew *crew)
{
    struct pollfd news[2] = {{.fd = crew->ends_fd, .events = POLLIN},
                             {.fd = crew->over_fd, .events = POLLIN}};
    struct signalfd_siginfo info;
    uint64_t times = 0;
    (void)poll(news, 2, crew->ends_fd < 0 || crew->over_fd < 0 ? WAIT_MS : SAFETY_WAIT_MS);
    ssize_t got = 0; /* only wake-ups: waitpid and the slots say what happened */
    if (news[0].revents != 0)
        got = read(crew->ends_fd, &info, sizeof info);
    if (news[1].revents != 0)
        got = read(crew->over_fd, &times, sizeof times);
    (void)got;
}

bool pool_run(const struct worker_job *jobs, size_t count, unsigned at_a_time,
              const volatile sig_atomic_t *interrupted, pool_progress *progress, void *context)
{
    struct crew crew = {.jobs = jobs, .count = count, .at_a_time = at_a_time};
    struct pool_clients *given = count > 0 ? jobs[0].clients : NULL;
    if (given != NULL)
        crew.clients = *given;
    warm_up();
    crew.persona = pictures_ahead(jobs, count);
    strays_begin(&crew.strays);
    watch_begin(&crew);
    bool whole = true;
    while (whole && crew.done < count) {
        watch_workers(&crew);
        look_at_clients(&crew);
        fill_up(&crew);
        whole = !*interrupted;
        if (whole && !take_an_end(&crew, progress, context))
            await_news(&crew);
    }
    if (!whole)
        end_workers(&crew);
    clients_leave(&crew, given, whole);
    end_strays(&crew);
    strays_over(&crew.strays);
    watch_end(&crew);
    persona_free(crew.persona);
    return whole;
}
