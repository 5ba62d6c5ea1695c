/*
 * What the cores share that make the messages of a script's `send` step: its options looked up and checked,
 * and the kinds that are the same in every family. For session cores; see session.h, `compose`.
 *
 * Each reader writes a sentence to `error` and returns false when a value is wrong; an option that is not
 * given leaves things as they are.
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
/* ---- compose_values.c ---- */

bool compose_fail_value(const struct compose_call *call, const char *name, const char *value,
                        const char *expected);
/* A string member; "absent" leaves it out. */
void compose_text(const struct compose_call *call, const char *name, bool *has, struct bytes *out);
/* An integer member; "absent" leaves it out. */
bool compose_integer(const struct compose_call *call, const char *name, bool *has, int64_t *out);
/* true, false, or "absent", which leaves it out. */
bool compose_bool(const struct compose_call *call, const char *name, bool *has, bool *out);
/* The position of the value in the words, which end with NULL; `otherwise` when it is not given. */
bool compose_choice(const struct compose_call *call, const char *name, const char *const *words,
                    size_t otherwise, size_t *out);

/* ---- messages ---- */

/* Adds a message as it is. */
bool compose_add(const struct compose_call *call, enum action_kind kind, const char *label, struct bytes data,
                 bool fault);
/* A ping, with the option `data`. */
bool compose_ping(const struct compose_call *call);

#endif
