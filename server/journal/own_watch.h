/*
 * What a server owes, held against our own side: the family's rules for servers (codec/rules/server_rules.h)
 * look at a connection for as long as nothing but the plain service speaks on it.
 *
 * They see a script's accept and serve. Any other step that takes part, a quirk, a fault that is asked for,
 * or what goes on below the messages ends the watch for that connection: from there on the session is what
 * the script makes of it. Of what they find only that counts which hangs on our own messages alone: what a
 * client is owed in answer, and when, is told from its own end (ojin-conform server). Private to recorder.c.
 */
#ifndef SERVER_JOURNAL_OWN_WATCH_H
#define SERVER_JOURNAL_OWN_WATCH_H

#include "codec/rules/server_rules.h"

struct own_watch {
    const struct server_rule_class *class; /* NULL: nothing is ever watched */
    struct server_rule_set *rules;         /* NULL: nothing is watched now */
    /* The step in progress is none of the service's: it may be that of the next connection already. */
    bool held;
    bool has_quirks; /* from now on */
};

/* A connection begins. When memory runs out it is not watched. */
void own_watch_begin(struct own_watch *watch, const struct rule_context *context);
void own_watch_end(struct own_watch *watch);
/* A step of the script begins; `has_quirks`: it sets some. */
void own_watch_step(struct own_watch *watch, const char *word, bool has_quirks);
/* Of either direction. One that is a fault ends the watch, and so does a close frame or the connection's end:
 * it may be the script that ends. */
void own_watch_event(struct own_watch *watch, const struct wire_event *event);
/* The next rule that is broken; false: there is none. */
bool own_watch_take(struct own_watch *watch, struct finding *out);

#endif
