/*
 * The running program: what its parts share. One loop, one server, and either a service that runs until a
 * signal comes or a command that it runs for.
 */
#ifndef SERVER_MOCK_PROGRAM_H
#define SERVER_MOCK_PROGRAM_H

#include "server/control/control.h"
#include "server/core/rooms.h"
#include "server/core/worker_pool.h"
#include "server/journal/answered.h"
#include "server/mock/choice.h"
#include "server/mock/console.h"
#include "server/mock/exec.h"
#include "server/mock/live_journal.h"
#include "server/mock/options.h"
#include "server/mock/ready.h"
#include "server/net/mock_server.h"

enum { EXIT_CANNOT_RUN = 1, EXIT_HAS_FINDINGS = 1 /* of exec --findings */, EXIT_WRONG_USAGE = 2 };

struct program {
    struct mock_options options;
    struct console console;
    struct script *script; /* NULL: none */
    struct persona *persona;
    struct live_journal journal;
    struct choice choices[MOCK_FAMILIES_MAX]; /* of each family */
    struct worker_pool workers;               /* of --workers, for all sessions */
    struct rooms rooms;                       /* for all sessions, too */
    uv_loop_t loop;
    uv_signal_t interrupt, terminate;
    uv_idle_t idle; /* draws pictures ahead while there is time */
    struct mock_server *server;
    struct control *control; /* NULL: --no-control */
    uv_poll_t input;         /* standard input, of --until-stdin-closes */
    bool input_watched;
    void (*on_input_ended)(struct program *program);
    bool stopping;
    struct exec exec;
    uv_timer_t farewell; /* after the command: until its connections are over */
    uint64_t farewell_by_ms;
    uint64_t findings; /* what was answered with an error among them */
    struct answered answered;
};

/* program.c */
/* "ojin-mock: SENTENCE" on standard error; gives `status` back. */
int program_complain(const char *sentence, int status);
/* What a client is told of the server that listens. */
void program_ready(const struct program *program, struct ready *ready);
/* Closes all connections and then the loop's handles. */
void program_stop(struct program *program);

/* service.c: listens, and returns the exit status when it was stopped. */
int program_serve(struct program *program);
/* The server's options with the first family's, and what the program does when it is told something. */
struct mock_server_options program_server_options(struct program *program);
/* Those of a further family's service. */
struct mock_service_options program_service_options(struct program *program, size_t family);
/* The family that the journal's header is of: the script's, or else the first. */
size_t program_main_family(const struct program *program);
/* What a client of any endpoint asks for by its config_id; `context` is the program. */
void program_on_card(void *context, const struct http_head *head, struct engine_config *config);
/* Lines of the log and of the journal that nobody read in time; `context` is the program. */
void program_lines_dropped(void *context, uint64_t *log, uint64_t *journal);
/* A card was asked for: choice.h. */
void program_on_choice(void *context, const char *line, bool wrong);

/* input_watch.c: calls `ended` when standard input has ended. Only where it is a pipe or a socket. */
bool input_can_be_watched(void);
void input_watch_start(struct program *program, void (*ended)(struct program *program));
void input_watch_end(struct program *program);

/* command.c: starts the command of exec; the server runs as long as it does. 0, or what to exit with. */
int command_begin(struct program *program);
/* What exec exits with, once all connections are over. */
int command_status(const struct program *program);

#endif
