/* What the families' parts of ojin-client conform share; private to them. */
#ifndef CLIENT_APP_CONFORM_PARTS_H
#define CLIENT_APP_CONFORM_PARTS_H

#include "client/app/app_class.h"

struct conforming {
    bool failed; /* an error was observed, or the connection lost */
};

/* Prints an observation and notes what it means for the exit. */
void conform_tell(struct conforming *conforming, const struct observation *seen);
/* A sentence on standard error; returns EXIT_BROKEN. */
int conform_broken(const char *what, const char *detail);

#endif
