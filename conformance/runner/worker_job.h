/*
 * What a worker is told to run, and where its result goes: into memory shared with the runner, so a worker
 * that dies leaves the case marked as not finished.
 */
#ifndef CONFORMANCE_RUNNER_WORKER_JOB_H
#define CONFORMANCE_RUNNER_WORKER_JOB_H

#include <stdatomic.h>

#include "conformance/options/options.h"
#include "conformance/process/crash_marks.h"
#include "conformance/report/run_result.h"

struct worker_slot {
    bool finished;
    atomic_uint beats;             /* signs of life of the worker; 0: it gives none */
    atomic_bool client_is_over;    /* it and all it left are gone: what is still to be done is our own */
    bool client_gone;              /* the process that takes many cases ended, or is to be ended */
    bool client_was_gone;          /* ... and did so before it did anything of this case */
    struct crash_marks marks;      /* of what that process wrote until this case was over; it may go on */
    char end_text[JUDGE_TEXT_MAX]; /* how the client ended, where there is something to say */
    uint64_t observation_count;    /* for the probe: does the client observe? */
    bool made_out_folder;          /* and does it leave what it played? */
    int exec_errno;                /* the client could not be started */
    bool refused_tls;              /* it came, and ended every TLS handshake */
    int failed_at_once;            /* it exited with this status, not 0, and had not come; 0: it did not */
    struct run_case run_case;      /* script and profile are set by the runner */
};

/* As it was before its case was run. */
static inline void worker_slot_reset(struct worker_slot *slot)
{
    const struct run_case clean = {.script = slot->run_case.script, .profile = slot->run_case.profile};
    *slot = (struct worker_slot){.run_case = clean};
}

struct server_options;
struct persistent;
struct pool_clients;
struct persona;
struct observation;

struct worker_job {
    void (*run)(const struct worker_job *job); /* in the worker's process: worker_run, server_worker_run */
    const struct run_options *options;         /* of a client */
    const struct server_options *server;       /* of a server: then there is no client */
    const struct case_script *script;
    struct bytes script_text; /* empty: none to leave behind */
    const struct profile *profile;
    enum client_tier tier;
    unsigned attempt;   /* from 2 on, what the case leaves goes into a folder with this number */
    bool unknown_step;  /* the plan asks for what no client can do: only the probe */
    bool leave_nothing; /* only the probe: its folder goes, the end of what it wrote is shown instead */
    struct persistent *client; /* the process that takes many cases; NULL: one of its own */
    struct worker_slot *slot;
    /* Is told, in the worker, all that the client said of the case; what it keeps lies in shared memory.
     * NULL: nobody wants to know. */
    void (*observed)(void *context, const struct observation *list, size_t count);
    void *observed_context;
    /* Processes that take many cases and are there already, or are to stay: see pool.h; NULL: none. */
    struct pool_clients *clients;
    struct persona *persona; /* the pool's: pictures of the run's size, drawn ahead; NULL: none */
    int turn_fd; /* the pool's: a byte comes on it when the client may start; -1: it may at once */
    int over_fd; /* the pool's: an eventfd that is told when client_is_over is set; -1: none */
};

/* wss: the case asks for it, or the run. Certificates then go into the case's folder. */
static inline bool worker_job_has_tls(const struct worker_job *job)
{
    return job->script->tls[0] != '\0' || (job->options != NULL && job->options->tls);
}

#endif
