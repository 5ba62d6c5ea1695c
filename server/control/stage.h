/*
 * A stage: a service of the mock as the control interface has it, with its journal, its sessions, what is
 * counted and what the next sessions shall do. The mock's own is there from the start, with a part for each
 * family's service; each scenario is one more. Nothing of a stage is seen by another.
 */
#ifndef SERVER_CONTROL_STAGE_H
#define SERVER_CONTROL_STAGE_H

#include "server/behaviour/behaviour.h"
#include "server/control/control.h"
#include "server/control/counts.h"
#include "server/control/findings.h"
#include "server/control/ring.h"
#include "server/control/sessions.h"
#include "server/core/rooms.h"
#include "server/net/mock_server.h"

enum { STAGE_ID_MAX = 16, STAGE_TEXT_MAX = 4096 };

/* A script that connections run, until the last of them is over and nobody else wants it. */
struct stage_script {
    struct stage_script *next;
    struct script *script;
    size_t users;
    bool wanted; /* the next connection gets it */
};

/* What a stage has counted since it began, or since the latest reset. */
struct stage_counts {
    uint64_t sessions; /* let in */
    struct counts refusals, sent, received, errors, findings, notes;
    uint64_t own_errors;
    uint64_t closes;
};

struct control;
struct stage;

/* One service of a stage: what the next sessions of its family do. */
struct stage_part {
    struct stage *stage;
    struct mock_service *service;        /* NULL: not yet, or not any more */
    struct mock_service_options options; /* as the service was made with: the quirks to go back to */
    struct quirks quirks;                /* of the next sessions */
    struct stage_script *scripts;
    char fault[FAULT_VALUE_MAX]; /* of the next sessions, as it was asked for; empty: none */
    /* What it stands in front of. */
    recorder_sink *inner_sink;
    void *inner_sink_context;
    void (*inner_choose)(void *context, const struct http_head *head, struct engine_config *config);
    void (*inner_chosen_is_over)(void *context, const struct script *script);
    void *inner_context;
    void (*inner_script_done)(void *context, uint64_t now_us);
    void (*inner_log)(void *context, const char *line);
};

struct stage {
    struct stage *next;
    struct control *control;
    char id[STAGE_ID_MAX]; /* of the scenario; empty: the mock's own */
    size_t part_count;     /* one but in the mock's own */
    struct stage_part parts[CONTROL_FAMILIES_MAX];
    struct ring ring;
    struct findings findings;
    struct session_list sessions;
    struct stage_counts counts;
    struct script *script;                    /* of the scenario, for all its connections in turn; owned */
    char *key, *config_id;                    /* of the scenario; owned */
    char prefix[STAGE_ID_MAX + sizeof "/s/"]; /* of its path */
    struct rooms rooms;                       /* of the scenario, which shares them with no other */
    char asked[STAGE_TEXT_MAX];               /* what the scenario is, for people: {"quirks":…}; cut */
};

/* A further part, with its callbacks in the options of its service, in front of those that are there; NULL
 * when there is no place for one. */
struct stage_part *stage_wire(struct stage *stage, struct mock_service_options *options);
void stage_log(void *context, const char *line); /* to inner_log; the context is the part */
void stage_free(struct stage *stage);
const struct session_class *part_class(const struct stage_part *part);
/* Connections from now on play this fault's script (the part's from now on; NULL: none any more). False
 * without memory; it then stays the caller's. */
bool part_set_fault(struct stage_part *part, const char *name, struct script *script);
/* The quirks of the next sessions; the service must be there. */
void part_set_quirks(struct stage_part *part, const struct quirks *quirks);
/* As the service was made with. */
void part_reset_quirks(struct stage_part *part);
/* Of all parts: those that are not over, and those that asked to come in. */
size_t stage_open(const struct stage *stage);
uint64_t stage_requests(const struct stage *stage);
/* Forgets the journal, the counts and the sessions that are over. */
void stage_forget(struct stage *stage);
size_t stage_memory_bytes(const struct stage *stage);

#endif
