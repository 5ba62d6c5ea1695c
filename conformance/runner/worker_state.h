/*
 * What the parts of a worker share. Private to worker*.c.
 */
#ifndef CONFORMANCE_RUNNER_WORKER_STATE_H
#define CONFORMANCE_RUNNER_WORKER_STATE_H

#include <uv.h>

#include "codec/media/sound.h"
#include "conformance/process/artefacts.h"
#include "conformance/process/capture.h"
#include "conformance/process/client_end.h"
#include "conformance/process/client_key.h"
#include "conformance/process/core_waits.h"
#include "conformance/process/cpu_wait.h"
#include "conformance/process/guard.h"
#include "conformance/process/launch.h"
#include "conformance/runner/http_channel.h"
#include "conformance/runner/worker_job.h"
#include "server/net/mock_server.h"

enum {
    READ_BYTES_MAX = 65536, /* of the client's output at a time */
    END_WAIT_MS = 8000 /* from the end of the script to the end of the client: what it holds is played out */
};

struct worker {
    const struct worker_job *job;
    uv_loop_t loop;
    uv_timer_t poll;
    uv_timer_cb on_poll; /* looks at whether the case is over */
    uv_signal_t terminate;
    uv_pipe_t out, err;
    uv_poll_t status;
    struct mock_server *server;
    struct persona *persona;
    struct journal *journal;
    struct guard guard;
    bool guarded;
    struct capture out_capture, err_capture;
    size_t pipes_open;
    char read_space[READ_BYTES_MAX]; /* filled and consumed before the next read */
    struct sound speech[RULE_SPEECHES_MAX];
    size_t speech_count;
    char key[CLIENT_KEY_MAX];
    char folder[FOLDER_PATH_MAX];
    char audio_path[FOLDER_PATH_MAX];
    struct http_channel channel;
    char plan_path[FOLDER_PATH_MAX + 16];
    char out_path[FOLDER_PATH_MAX + 16];
    struct observation *played; /* read from what it left in out_path */
    struct sound sound;         /* the same */
    bool done;                  /* it said so, and need not have ended */
    bool gone;                  /* its process has ended */
    int gone_status;            /* ... like that, when it had said before that it was done */
    bool client_ended;          /* its process, or it says so (a `done`) */
    int exec_errno;
    int wait_status;
    uint64_t peak_bytes;  /* of memory, once the client has ended */
    unsigned script_line; /* where the script stood when the case was over; 0: it was done */
    bool over;
    bool interrupted;
    uint64_t lateness_us;    /* the worst of the mock's timer and of ours: a late machine */
    uint64_t polled_us;      /* when ours last came */
    struct core_waits waits; /* for a core, of us and of the client together */
    struct cpu_wait client_wait;
    uint64_t own_waited_us;
    uint64_t look_at_us; /* when the waits are to be looked at again */
    size_t journal_seen; /* entries that were looked at for --stop */
    uint64_t began_ms, heard_ms /* the client's latest message */, stopped_ms /* --stop */, connected_ms,
        script_done_ms, client_ended_ms; /* 0: not yet; of uv_now */
    char own_error[JUDGE_TEXT_MAX];
};

/* The first failure of our own stands. */
void worker_fail(struct worker *worker, const char *what, const char *why);

/* Whether the case is over is looked at in the next round of the loop, and often from then on. */
void worker_look_soon(struct worker *worker);

/* A request came, or a client that refuses the certificate has come as far as it should. */
bool worker_was_reached(const struct worker *worker);

/* ---- worker_client.c ---- */

/* Writes the plan, then starts the client: a process of its own, the one that takes many cases, or one that
 * is started by hand. */
bool worker_start_client(struct worker *worker);
/* The client has been quiet for long enough: --stop. */
void worker_stop_quiet_client(struct worker *worker, uint64_t now_ms);

/* ---- worker_leave.c ---- */

/* False when memory runs out. */
bool worker_judge(struct worker *worker);
void worker_leave_artefacts(struct worker *worker);

#endif
