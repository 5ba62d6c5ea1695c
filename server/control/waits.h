/* Requests that wait for entries of a journal: answered when there are enough, or when their time is up. */
#ifndef SERVER_CONTROL_WAITS_H
#define SERVER_CONTROL_WAITS_H

#include <uv.h>

#include "server/control/find.h"
#include "server/net/mock_server.h"

enum { WAITS_MAX = 64, WAIT_DEFAULT_MS = 10000, WAIT_MS_MAX = 60000 };

struct control;
struct stage;

struct wait {
    struct mock_http *http; /* NULL: free */
    const struct stage *stage;
    struct find find;
    uint64_t wanted;
    uint64_t found;
    uint64_t by_ms; /* of the loop's time */
};

struct waits {
    struct wait list[WAITS_MAX];
    size_t used;
    uv_loop_t *loop; /* NULL: not begun, or over */
    uv_timer_t timer;
};

void waits_begin(struct waits *waits, uv_loop_t *loop);
/* Answers all and waits no more. */
void waits_end(struct waits *waits);
/* False: there are too many. `found` so far. */
bool waits_add(struct waits *waits, struct mock_http *http, const struct stage *stage,
               const struct find *find, uint64_t found, uint64_t wanted, uint64_t for_ms);
/* An entry came into that stage's journal. */
void waits_entry(struct control *control, const struct stage *stage, const struct ring_entry *entry);
/* The client has gone. */
void waits_drop(struct waits *waits, const struct mock_http *http);
/* The stage is about to be freed. */
void waits_leave(struct waits *waits, const struct stage *stage);
/* {"found":…,"met":…} */
void wait_answer(struct mock_http *http, uint64_t found, uint64_t wanted);

#endif
