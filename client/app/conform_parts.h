/* What the families' halves of ojin-client conform share; private to it. */
#ifndef CLIENT_APP_CONFORM_PARTS_H
#define CLIENT_APP_CONFORM_PARTS_H

#include "client/app/conform.h"
#include "client/app/options.h"
#include "client/core/event.h"
#include "client/plan/plan_runner.h"

struct conforming {
    bool failed; /* an error was observed, or the connection lost */
};

/* Prints an observation and notes what it means for the exit. */
void conform_tell(struct conforming *conforming, const struct observation *seen);
/* A sentence on standard error; returns EXIT_BROKEN. */
int conform_broken(const char *what, const char *detail);

/* The plan is for a full-duplex client: its profile says so, or where none is named the environment. */
bool conform_is_duplex(const struct client_plan *plan);
/* Obeys the plan, whose sounds are loaded; returns what to exit with. */
int conform_duplex(const struct client_plan *plan, const struct session_options *session,
                   const struct conform_seams *seams);

#endif
