/*
 * The `$` references of an option's value, filled in: $NAME (the counter of a repeat), $NAME.interaction (a
 * capture) and "$$" (a dollar). The parser fills in samples to check a step; the engine what holds at the
 * time.
 */
#ifndef SERVER_SCRIPT_EXPAND_H
#define SERVER_SCRIPT_EXPAND_H

#include "codec/wire/buffer.h"
#include "codec/wire/text.h"

enum { EXPANDED_BYTES_MAX = 1048576 };

/* Where the values come from; each returns false when it knows no such name. */
struct expand_source {
    bool (*counter)(void *context, struct bytes name, uint64_t *out);
    bool (*interaction)(void *context, struct bytes name, uint8_t out[16]);
    void *context;
};

/*
 * Appends `value` with its references filled in, and a terminating NUL, to `out`. False when a name is
 * unknown
 * (`unknown` is that reference in the value) or memory or the buffer's maximum runs out (`unknown` is NULL).
 */
bool expand_references(const char *value, const struct expand_source *source, struct buffer *out,
                       const char **unknown);

#endif
