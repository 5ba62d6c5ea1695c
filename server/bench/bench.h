/*
 * What the measurements share. Each measures in one run what it compares, so that ratios hold on any machine.
 *
 * The server has one core for itself, whoever reads from it another; with one core alone they share it, and
 * the report says so. Only loopback traffic. A measurement ends the processes that it started.
 */
#ifndef SERVER_BENCH_BENCH_H
#define SERVER_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "codec/wire/bytes.h"

enum { BENCH_SERVER_CORE = 0, BENCH_READER_CORE = 1 };

/* ---- report.c ---- */

enum bench_verdict { BENCH_MET, BENCH_NOT_MET, BENCH_INCONCLUSIVE };

struct bench {
    const char *mock; /* programs */
    const char *conform;
    const char *peers;          /* folder of the other servers */
    const char *only;           /* NULL, or the one measurement to make */
    const char *against;        /* NULL, or the mock of another build */
    const char *against_option; /* NULL, or one that it needs */
    const char *mock_option;    /* NULL, or one more for each mock */
    bool quick;                 /* shorter, and without the search for the highest count */
    bool hush;                  /* nobody sees what a mock says on standard error */
    unsigned counts[3];         /* by verdict */
};

void bench_print_machine(void);
/* A line that only tells. */
void bench_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line that is judged, and counts. */
void bench_judge(struct bench *bench, enum bench_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum bench_verdict bench_at_most(double value, double limit);

/* ---- stats.c ---- */

uint64_t bench_now_us(void);
uint64_t bench_cpu_us(void); /* of this process */
void bench_sleep_us(uint64_t us);
/* Sorts; `share` from 0 to 1. 0 when there is none. */
void bench_sort(uint64_t *values, size_t count);
uint64_t bench_quantile(const uint64_t *sorted, size_t count, double share);

/* ---- launch.c ---- */

enum { LAUNCH_WORDS_MAX = 24 };

struct launched {
    pid_t pid;
    int out; /* its standard output */
    unsigned port;
    uint64_t ready_us; /* from the start to the ready line */
};

/* This process, and what it starts later. */
void bench_pin(int core);
/* Starts a mock on a free port, pinned to the server's core, and waits for its ready line; `words` (ended by
 * NULL) follow its usual options. */
bool launch_mock(const struct bench *bench, const char *const *words, struct launched *out);
/* The same for another program, found by its PATH. */
bool launch_words(const char *const *words, struct launched *out);
/* A function as a process of its own on the server's core; it writes its port to `fd` when it listens. */
bool launch_function(void (*serve)(int fd, const void *context), const void *context, struct launched *out);
/* SIGTERM, then SIGKILL. */
void launch_end(struct launched *launched);
enum { LAUNCH_TAIL_BYTES = 4096 };
/* Runs to the end, on any core: the time it took, and the end of its standard output; 0 when it could not be
 * run. */
uint64_t launch_and_wait_us(const char *const *words, char tail[LAUNCH_TAIL_BYTES]);
uint64_t launched_cpu_us(const struct launched *launched);
/* How long a process had to wait for its core while others had it; 0: this process. */
uint64_t waited_for_core_us(pid_t pid);
uint64_t launched_resident_bytes(const struct launched *launched);

/* ---- reader.c ---- */

struct reader_session {
    int fd;
    uint64_t skip;      /* bytes of the message's payload to come */
    uint8_t header[14]; /* of a message, as far as it is there */
    size_t header_len;
    uint64_t messages; /* binary ones that came whole */
    uint64_t *arrivals_us;
};

struct reader {
    int epoll;
    size_t count;
    size_t arrivals_max; /* a session; 0: they are not kept */
    struct reader_session *sessions;
    uint64_t messages;
    uint64_t bytes;
    bool failed; /* a session ended */
    bool naps;   /* between two looks, so that it need not be woken for each frame */
};

/* Connects, asks, and reads the 101: the socket, or -1. */
int reader_socket(unsigned port, const char *request);
/* Of the message that the session is in: how long its header is, as far as can be told from what is there,
 * and its payload, once the header is whole. */
size_t reader_header_bytes(const struct reader_session *session);
uint64_t reader_payload_bytes(const struct reader_session *session);
/* Connects `count` clients and waits until each is let in. */
bool reader_connect(struct reader *reader, unsigned port, size_t count, size_t arrivals_max);
/* The opening silence of one session. */
bool reader_open(struct reader *reader, size_t n);
/* Waits for the next message on a connected socket, and returns its bytes; 0: it failed, or had none. Not
 * for one that comes in fragments. */
size_t reader_message(int fd, uint8_t *into, size_t room, bool *binary);
/* Reads what comes, until then. */
void reader_run(struct reader *reader, uint64_t until_us);
void reader_close(struct reader *reader);
/* What each client sends: the request, and the opening silence as one masked frame; returns its bytes. */
enum { READER_INPUT_MAX = 2048 };
const char *reader_request(void);
size_t reader_input(uint8_t out[READER_INPUT_MAX]);

/* ---- frames_record.c ---- */

enum { RECORDED_PATH_MAX = 256 };

/* A new file, the caller's to close and to remove; NULL when there can be none. */
FILE *recorded_create(char path[RECORDED_PATH_MAX]);
/* Adds a message behind its length, four bytes, big-endian. */
bool recorded_add(FILE *file, struct bytes message);

/* Writes what the mock sends while its persona goes through all its poses once to a new file, which is the
 * caller's to remove: frames one after another, each as recorded_add has it. */
bool frames_record(const struct bench *bench, char path[RECORDED_PATH_MAX], double *bytes_each);

/* ---- tls_reader.c ---- */

struct tls_reader;

/* NULL when one is not let in. The certificate is not looked at. */
struct tls_reader *tls_reader_connect(unsigned port, size_t count);
bool tls_reader_open(struct tls_reader *reader, size_t n);
/* Until then; returns how many bytes all have got so far, with what TLS adds to them: 22 in 16 KB. */
uint64_t tls_reader_run(struct tls_reader *reader, uint64_t until_us);
bool tls_reader_failed(const struct tls_reader *reader);
void tls_reader_close(struct tls_reader *reader);

/* ---- flood.c ---- */

enum { FLOOD_MESSAGE_BYTES = 80 * 1024 };

struct flood {
    bool tls;
    size_t clients; /* of the bare server: it begins when they are all there */
};

/* The listener, sending one message after another to each client from its first message on. For
 * launch_function; the context is a struct flood. */
void flood_serve(int fd, const void *context);
/* The same with nothing but writev. */
void bare_serve(int fd, const void *context);

/* ---- the measurements ---- */

void blast_measure(struct bench *bench);
void pace_measure(struct bench *bench);
/* What a bare libuv timer on the server's core is late by, at the pace of silence frames: sorted, to be freed
 * by the caller; NULL when it could not be measured. */
uint64_t *timer_lateness(uint64_t for_us, size_t *count);
void start_measure(struct bench *bench);
/* From the start of a mock to its ready line: half of the times, and all. False: it could not be run. */
bool start_times(const struct bench *bench, double *half_ms, double *most_ms);
void suite_measure(struct bench *bench);
void fuzz_measure(struct bench *bench);
void peers_measure(struct bench *bench);
void trouble_measure(struct bench *bench);
void duplex_measure(struct bench *bench);
void interview_measure(struct bench *bench);
void against_measure(struct bench *bench);

#endif
