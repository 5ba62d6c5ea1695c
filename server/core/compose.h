/*
 * What the cores share that make the messages of a script's `send` step: its options looked up and checked,
 * and the kinds that are the same in every family. For session cores; see session.h, `compose`.
 *
 * Each reader writes a sentence to `error` and returns false when a value is wrong.
 */
#ifndef SERVER_CORE_COMPOSE_H
#define SERVER_CORE_COMPOSE_H

#include "server/core/session.h"

enum { COMPOSE_ERROR_MAX = 200, COMPOSE_HEX_BYTES_MAX = 4096, COMPOSE_PING_BYTES_MAX = 125 };

/* A message that is asked for. */
struct compose_call {
    struct session *session; /* NULL with `actions` NULL: only check */
    uint64_t now_us;
    const char *kind;
    const struct compose_option *options;
    size_t option_count;
    struct actions *actions;
    char *error; /* COMPOSE_ERROR_MAX */
};

typedef bool compose_function(const struct compose_call *call);

/* Finds the kind's function, which stands at its place, and calls it when the kind takes all the options. */
bool compose_by_kind(const struct compose_call *call, const struct send_kind *kinds,
                     compose_function *const *functions);
/* The value of an option; NULL: it is not given. */
const char *compose_value(const struct compose_call *call, const char *name);
/* Both false: the sentence; "NAME: expected …, found …". */
bool compose_say(const struct compose_call *call, const char *sentence);
bool compose_fail(char error[COMPOSE_ERROR_MAX], const struct compose_option *option, const char *expected);
/* Hex digits in pairs, up to `capacity` bytes. */
bool compose_hex(const struct compose_option *option, uint8_t *out, size_t capacity, size_t *len,
                 char error[COMPOSE_ERROR_MAX]);
/* Adds a message as it is. */
bool compose_add(const struct compose_call *call, enum action_kind kind, const char *label, struct bytes data,
                 bool fault);
/* A ping, with the option `data`. */
bool compose_ping(const struct compose_call *call);

#endif
