/* Clients that misbehave: the pace of the others holds, and the memory stays bounded. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/bench/pace.h"

enum {
    SESSIONS = 100,
    MEASURE_US = 5000000,
    READY_WAIT_US = 100000,
    BYTE_EVERY_US = 1000000,
    VANISH_EVERY_US = 1000000, /* a hundred of them */
    VANISH_COUNT = 100,
    VANISH_A_STEP = 10
};

static const double LATENESS_MORE_MS = 5;
static const double GROWTH_MB = 16; /* the queue of the one that does not read may hold 8 */

struct company {
    struct reader mute; /* one session that asked for the stream and is never read */
    bool begun;
    uint64_t mute_us; /* when it connected; 0: it has asked */
    int slow_fd;      /* sends its request byte by byte */
    size_t slow_sent;
    uint64_t slow_us;
    uint64_t vanish_us;
    unsigned vanished; /* of this hundred */
    unsigned vanished_all;
};

static int client_open(unsigned port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Some with no word, some with a request or half of one, and gone without waiting: RST where there was an
 * answer to come. */
static void vanish(struct company *company, unsigned port)
{
    const struct linger none = {.l_onoff = 1, .l_linger = 0};
    int fd = client_open(port);
    if (fd < 0)
        return;
    const char *request = reader_request();
    size_t len = strlen(request) * (company->vanished % 3) / 2;
    if (len > 0)
        (void)!send(fd, request, len, MSG_NOSIGNAL);
    if (company->vanished % 2 == 0)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    close(fd);
    company->vanished++;
    company->vanished_all++;
}

static void company_step(void *context, unsigned port, uint64_t now_us)
{
    struct company *company = context;
    if (!company->begun) {
        company->begun = true;
        company->slow_fd = client_open(port);
        company->mute_us = now_us;
        reader_connect(&company->mute, port, 1, 0);
    }
    if (company->mute_us != 0 && now_us - company->mute_us >= READY_WAIT_US && company->mute.count == 1) {
        company->mute_us = 0; /* sessionReady has come by now */
        reader_open(&company->mute, 0);
    }
    if (now_us - company->slow_us >= BYTE_EVERY_US && company->slow_sent < strlen(reader_request())) {
        company->slow_us = now_us;
        (void)!send(company->slow_fd, reader_request() + company->slow_sent++, 1, MSG_NOSIGNAL);
    }
    if (now_us - company->vanish_us >= VANISH_EVERY_US) {
        company->vanish_us = now_us;
        company->vanished = 0;
    }
    for (unsigned n = 0; n < VANISH_A_STEP && company->vanished < VANISH_COUNT; n++)
        vanish(company, port);
}

static void company_end(struct company *company)
{
    if (!company->begun)
        return;
    reader_close(&company->mute);
    close(company->slow_fd);
}

void trouble_measure(struct bench *bench)
{
    struct company company = {.slow_fd = -1};
    struct pace_trial trial = {.sessions = SESSIONS, .measure_us = MEASURE_US};
    struct pace_result alone, beside;
    bool ok = pace_trial_run(bench, &trial, &alone);
    trial.company = company_step;
    trial.context = &company;
    ok = ok && pace_trial_run(bench, &trial, &beside);
    company_end(&company);
    if (!ok) {
        bench_judge(bench, BENCH_NOT_MET, "trouble: a session was lost, or the mock could not be run");
        return;
    }
    pace_tell(&trial, &alone, " alone");
    pace_tell(&trial, &beside, " beside clients that do not read, dawdle and vanish");
    enum bench_verdict late = bench_at_most(beside.p99_ms, alone.p99_ms + LATENESS_MORE_MS);
    enum bench_verdict missed = bench_at_most((double)beside.missed, 0);
    bool disturbed = pace_is_disturbed(&alone) || pace_is_disturbed(&beside);
    bench_judge(
        bench, late == BENCH_NOT_MET && disturbed ? BENCH_INCONCLUSIVE : late,
        "beside one that does not read, one that sends a byte a second and %u that vanished: 99 %% of "
        "frames at most %.2f ms late, %.2f alone (5 ms more allowed)",
        company.vanished_all, beside.p99_ms, alone.p99_ms);
    bench_judge(bench, missed == BENCH_NOT_MET && disturbed ? BENCH_INCONCLUSIVE : missed,
                "frames missed beside them: %lu (0 wanted)", (unsigned long)beside.missed);
    double grown_mb = beside.resident_most < beside.resident_before
                          ? 0
                          : (double)(beside.resident_most - beside.resident_before) / 1048576;
    bench_judge(bench, bench_at_most(grown_mb, GROWTH_MB),
                "memory beside them: %.1f MB more at most (%.0f allowed)", grown_mb, GROWTH_MB);
    trial.company = NULL;
    flooders_measure(bench, &trial, &alone);
}
