/* What the files of this folder share. Private to server/control. */
#ifndef SERVER_CONTROL_CONTROL_STATE_H
#define SERVER_CONTROL_CONTROL_STATE_H

#include "server/control/control.h"
#include "server/control/exchange.h"
#include "server/control/find.h"
#include "server/control/guard.h"
#include "server/control/router.h"
#include "server/control/stage.h"
#include "server/control/waits.h"

struct control {
    struct control_options options;
    struct guard guard;
    struct mock_http_handler handler;
    struct mock_server *server; /* NULL: not begun, or over */
    bool draining;
    struct stage *own;       /* the mock's own stage; owned */
    struct stage *scenarios; /* those that can be reached; owned */
    struct stage *leaving;   /* removed, with connections still to end; owned */
    size_t scenario_count;
    uint64_t scenarios_made;
    struct waits waits;
    struct exchange exchange; /* the request told last … */
    bool works;               /* … on which it is at work */
    uint64_t requests;
    uint64_t refused; /* by the guard */
};

/* scenarios.c: the one of that id; NULL. */
struct stage *control_scenario(const struct control *control, const char *id);
/* Takes a scenario away; its sessions are closed with 1001. */
void control_scenario_remove(struct control *control, struct stage *stage);

static inline uint64_t control_now_us(const struct control *control)
{
    return control->server == NULL ? 0 : mock_server_now_us(control->server);
}

/* control.c: the request of a peer that may ask, by its path, to its handler. `wrong`: the status that the
 * body deserves, or 0; told only where there is something to ask. */
void control_route(struct exchange *exchange, uint16_t wrong);

/* ---- the routes, each group in a file of its own ---- */

extern const struct route CONTROL_ROUTES[]; /* routes.c; ended by a NULL method */

void handle_index(struct exchange *exchange);
void handle_health(struct exchange *exchange);
void handle_ready(struct exchange *exchange);
void handle_metrics(struct exchange *exchange);
void handle_reset(struct exchange *exchange);

void handle_sessions(struct exchange *exchange);
void handle_session(struct exchange *exchange);
void handle_session_audio(struct exchange *exchange);
void handle_session_send(struct exchange *exchange);
void handle_session_close(struct exchange *exchange);
void handle_session_quirks(struct exchange *exchange);
void handle_session_faults(struct exchange *exchange);

void handle_quirks(struct exchange *exchange);
void handle_quirks_set(struct exchange *exchange);
void handle_quirks_reset(struct exchange *exchange);
void handle_faults(struct exchange *exchange);
void handle_faults_set(struct exchange *exchange);
void handle_faults_reset(struct exchange *exchange);

void handle_journal(struct exchange *exchange);
void handle_journal_count(struct exchange *exchange);
void handle_journal_wait(struct exchange *exchange);
void handle_journal_clear(struct exchange *exchange);

void handle_findings(struct exchange *exchange);

void handle_scenarios(struct exchange *exchange);
void handle_scenario(struct exchange *exchange);
void handle_scenario_add(struct exchange *exchange);
void handle_scenario_remove(struct exchange *exchange);

/* routes_journal.c: the parameters `names` say which entries are meant; false: the error is written. */
bool stage_find(struct exchange *exchange, const char *const *names, struct find *find);

/* ---- behaviours.c: what the bodies ask for ---- */

/* Quirks by name on top of *quirks, of the exchange's part. False: the error is written. */
bool body_quirks(struct exchange *exchange, const char *text, struct quirks *quirks);
/* The same of all parts of the stage (server/behaviour/families.h), which have them then. */
bool body_quirks_of_all(struct exchange *exchange, const char *text);
/* The fault for connections from their beginning, of all parts that know it, which have it then. */
bool body_fault_of_all(struct exchange *exchange, const char *text);
/* Steps for a session that is open. NULL: the error is written, with line and column. */
struct script *body_steps(struct exchange *exchange, const char *text);
/* The same of a fault. */
struct script *body_fault_steps(struct exchange *exchange, const char *text);
/* {"kind":…,"options":…} as a line of the script language, terminated. False: the error is written. */
bool send_line_write(struct exchange *exchange, const char *kind, const cJSON *options, struct buffer *out);
/* The error of a script, "PATH:LINE:COLUMN: …", with line and column as members. */
void script_error(struct exchange *exchange, const char *error);
/* The quirks that are on, as an object by name. */
void quirks_write(struct json_writer *json, const char *name, const struct quirk_kind *kinds,
                  const struct quirks *quirks);

#endif
