/*
 * The plan: what a client under test is asked to do, as CONFORM_PLAN carries it
 * (conformance/plan.schema.json), and the runner that obeys it on a client core. No I/O: the host reads the
 * file and the sound files it names.
 *
 *  {"conform":1,"case":"ojin/cancel/late-speech","profile":"oris-1.0","limit_ms":6000,"steps":[
 *    {"do":"connect"},{"do":"speak","file":"/…/hello-3s.wav"},{"do":"cancel","after":"speech:10"},
 *    {"do":"wait","ms":1000},{"do":"close"}]}
 *
 * A step is due once the one before it is done and its `after` has happened. When the connection is over, the
 * steps left are skipped. A step whose `after` can never come again (the client is over) is skipped too.
 *
 * {"do":"reconnect","times":3}: from there on a connection that is lost or refused is tried again, up to so
 * many times in a row. "ready:2" is then the second sessionReady, and "closed" the first loss.
 */
#ifndef CLIENT_PLAN_PLAN_H
#define CLIENT_PLAN_PLAN_H

#include "client/ojin/client.h"

enum { CLIENT_PLAN_STEPS_MAX = 64, CLIENT_PLAN_PATH_MAX = 1024, CLIENT_PLAN_NAME_MAX = 64 };

enum client_plan_do {
    DO_CONNECT,
    DO_SPEAK,
    DO_CANCEL,
    DO_END,
    DO_WAIT,
    DO_CLOSE,
    DO_RECONNECT,
    DO_FORCE_LISTEN /* of the full-duplex family alone */
};

enum client_plan_after {
    AFTER_NOTHING,
    AFTER_READY,
    AFTER_SPEECH,
    AFTER_SENT,
    AFTER_IDLE,
    AFTER_FINAL,
    AFTER_ERROR,
    AFTER_CLOSED,
    AFTER_LISTEN, /* this and the next: of the full-duplex family alone */
    AFTER_TURN
};

struct client_plan_step {
    bool unknown; /* it asks for something else, such as a later suite may; nothing more of it is read. Who
                     runs plans declines one with such a step */
    enum client_plan_do what;
    enum client_plan_after after;
    uint64_t after_count;            /* SPEECH: frames played; READY: sessionReadys received; LISTEN, TURN */
    uint64_t wait_us;                /* WAIT */
    uint32_t times;                  /* RECONNECT */
    char file[CLIENT_PLAN_PATH_MAX]; /* SPEAK */
    char params[CLIENT_PARAMS_BYTES_MAX + 1]; /* SPEAK: the text of a JSON object; empty: none */
    const int16_t *samples;                   /* SPEAK: set by the host before the run; borrowed */
    size_t sample_count;
};

struct client_plan {
    char case_name[CLIENT_PLAN_NAME_MAX];
    char profile[CLIENT_PLAN_NAME_MAX];
    uint64_t limit_us;
    size_t step_count;
    struct client_plan_step steps[CLIENT_PLAN_STEPS_MAX];
};

/* Can a client of the Ojin family do the step? */
bool client_plan_can_do(const struct client_plan_step *step);

/* False with a sentence that names the member at fault; *out only on success. */
bool client_plan_parse(struct bytes json, struct client_plan *out, char error[200]);

/* Runs a plan: call it after every step of the client, with the same actions list; it issues commands as they
 * fall due. */
struct plan_runner {
    const struct client_plan *plan;
    size_t next;
    bool waiting;
    uint64_t wait_until_us;
};

void plan_runner_init(struct plan_runner *runner, const struct client_plan *plan);
/* True when it issued a command (call client_step's host loop again). */
bool plan_runner_step(struct plan_runner *runner, struct client *client, uint64_t now_us,
                      struct client_actions *actions);
uint64_t plan_runner_deadline_us(const struct plan_runner *runner); /* UINT64_MAX: none */
bool plan_runner_is_done(const struct plan_runner *runner);

/* The runner for a host that drives cores of any family; its `plan` is a struct plan_drive. */
struct plan_drive {
    struct plan_runner runner;
    struct client *client;
};

extern const struct client_driver PLAN_DRIVER;

#endif
