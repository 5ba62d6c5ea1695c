/*
 * What can be asked of the mock by name: quirks (server/core/quirk.h), faults, and test cards.
 *
 * A fault is a few steps of the script language, written down in a table with a place for one value: `--fault
 * drop=10` plays the steps of "drop" with $value 10 for every connection, in place of the plain service.
 * What is random in them comes from $seed.
 * A test card is a config_id that asks for one of these: "mock.NAME" or "mock.NAME=VALUE" for every quirk and
 * every fault, several joined by "+"; some have a short name of their own ("mock.rate-limited"). So a client
 * that can only choose its config_id can ask for a behaviour too.
 *
 * No I/O. Names are looked up in static tables; what is resolved owns its script.
 */
#ifndef SERVER_BEHAVIOUR_BEHAVIOUR_H
#define SERVER_BEHAVIOUR_BEHAVIOUR_H

#include "server/core/session.h"
#include "server/script/script.h"

enum { BEHAVIOUR_ERROR_MAX = 500, FAULT_VALUE_MAX = 128 };

enum fault_value {
    FAULT_PLAIN,
    FAULT_NUMBER,
    FAULT_DURATION,
    FAULT_TEXT,
    FAULT_BAD_CLOSE_CODE /* a number that may not stand in a close frame; min and max are not looked at */
};

struct fault_kind {
    const char *name; /* "drop", "close", "masked-frame" … */
    enum fault_value value;
    const char *unset;    /* $value when only the name is given */
    uint64_t min, max;    /* NUMBER, DURATION (microseconds) */
    const char *sentence; /* one line for people */
    const char *steps;    /* of a server block, for a whole connection; $value stands for the value, $hex for
                             a BAD_CLOSE_CODE as it stands in a frame, $seed for the seed */
};

/* Of a class: ended by a NULL name. */
const struct fault_kind *faults_of(const struct session_class *class);

struct card_alias {
    const char *name;  /* without "mock." */
    const char *means; /* "rate-limit=1", "drop=10" */
    const char *sentence;
};

const struct card_alias *card_aliases_of(const struct session_class *class);

/* What one or several names come to. */
struct behaviour {
    struct quirks quirks;
    const struct fault_kind *fault; /* NULL: none */
    struct script *script;          /* the fault's steps; NULL: the plain service */
    uint64_t seed;                  /* what $seed is in faults added from now on */
};

/* Nothing is asked for; the seed is 1. */
void behaviour_init(struct behaviour *behaviour);
void behaviour_free(struct behaviour *behaviour);
/* The row of that name; NULL: none. */
const struct fault_kind *fault_find(const struct session_class *class, struct bytes name);
/* Does what the fault does depend on the seed? */
bool fault_is_random(const struct fault_kind *kind);
/* Adds "NAME", "NAME=VALUE" (a quirk or a fault) or several joined by "+" or spaces; a value that is a text
 * goes on to the end of all, "+" and spaces included. Of two faults the second is an error: one session
 * breaks in one way. False with a sentence that names what was expected and the nearest name; the behaviour
 * is unchanged then. */
bool behaviour_add(struct behaviour *behaviour, const struct session_class *class, struct bytes text,
                   char error[BEHAVIOUR_ERROR_MAX]);
/* The steps of one fault for a session that is open: without what lets the connection in and without the
 * service that follows, since that goes on by itself (see engine_inject). NULL with a sentence in `error`,
 * also for a fault of the handshake. */
struct script *fault_live_steps(const struct session_class *class, struct bytes text, uint64_t seed,
                                char error[BEHAVIOUR_ERROR_MAX]);
/* Is it a card ("mock.…")? Of a decoded config_id. */
bool card_is(struct bytes config_id);
/* Adds what the card asks for; false with a sentence when there is no such card. A card of one quirk or fault
 * is worth the same as adding it. */
bool card_add(struct behaviour *behaviour, const struct session_class *class, struct bytes config_id,
              char error[BEHAVIOUR_ERROR_MAX]);

#endif
