/*
 * The plan: what a client under test is asked to do, as CONFORM_PLAN carries it
 * (conformance/plan.schema.json). No I/O: the host reads the file and the sound files it names. plan_runner.h
 * obeys it on a client core.
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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/wire/bytes.h"

enum {
    CLIENT_PLAN_STEPS_MAX = 64,
    CLIENT_PLAN_PATH_MAX = 1024,
    CLIENT_PLAN_NAME_MAX = 64,
    CLIENT_PLAN_PARAMS_MAX = 1024
};

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
    uint64_t after_count;            /* READY, SPEECH, LISTEN, TURN: how many; see struct client_progress */
    uint64_t wait_us;                /* WAIT */
    uint32_t times;                  /* RECONNECT */
    char file[CLIENT_PLAN_PATH_MAX]; /* SPEAK */
    char params[CLIENT_PLAN_PARAMS_MAX + 1]; /* SPEAK: the text of a JSON object; empty: none */
    const int16_t *samples;                  /* SPEAK: set by the host before the run; borrowed */
    size_t sample_count;
};

struct client_plan {
    char case_name[CLIENT_PLAN_NAME_MAX];
    char profile[CLIENT_PLAN_NAME_MAX];
    uint64_t limit_us;
    size_t step_count;
    struct client_plan_step steps[CLIENT_PLAN_STEPS_MAX];
};

/* False with a sentence that names the member at fault; *out only on success. */
bool client_plan_parse(struct bytes json, struct client_plan *out, char error[200]);

#endif
