/*
 * Messages changed on purpose, to try a parser: one change for each call, drawn from a seed, and made where a
 * parser reads: header fields and entries at their limits, sizes and counts that lie, JSON of every wrong
 * shape, parts cut off, repeated, exchanged or taken from another message. Sound and pictures are changed
 * least often. The same seed makes the same bytes on any machine.
 *
 * A family says in which forms its messages come (struct mutate_class, codec/mutate/NAME/). The caller owns
 * all memory; nothing is kept between calls but what stands in `seeded`. No I/O.
 *
 *     struct seeded seeded = {.state = 1};
 *     struct mutation mutation;
 *     len = mutate_message(form, &seeded, bytes_of(NULL, 0), data, len, capacity, &mutation);
 */
#ifndef CODEC_MUTATE_MUTATE_H
#define CODEC_MUTATE_MUTATE_H

#include "codec/wire/bytes.h"
#include "codec/wire/uuid.h"

struct mutate_edit;

/* One way in which the messages of a family are laid out. */
struct mutate_form {
    const char *name; /* as `ojin-client decode --kind` has it: "frame", "input", "text" */
    bool is_binary;   /* the type of its WebSocket messages */
    bool from_client, from_server;
    /* Makes one change, unless there is nothing to change or no room: false. */
    bool (*change)(struct mutate_edit *edit);
    /* The n-th word that its texts have in fixed places, such as the type of a message, in any dialect; NULL
     * when there are fewer. NULL where a form has no such words. */
    const char *(*word)(size_t n);
    /* Makes the message smaller in place in the n-th way that keeps true what it says of its own sizes and
     * counts, and returns its new length, which may be the old one. MUTATE_NO_MORE: there are fewer ways, and
     * nothing is changed. NULL: such a message is bytes, or text, and no more. */
    size_t (*smaller)(size_t n, uint8_t *data, size_t len);
};
#define MUTATE_NO_MORE SIZE_MAX

struct mutate_class {
    const char *family;              /* as in codec/families.def */
    const struct mutate_form *forms; /* ended by one without a name */
};

/* The registry: ended by NULL, in the order of families.def. (Library codec_mutate_families.) */
extern const struct mutate_class *const MUTATE_CLASSES[];
/* NULL when there is none. */
const struct mutate_class *mutate_class_by_family(const char *family);
/* The family's form of that name; NULL when it has none. */
const struct mutate_form *mutate_form_by_name(const struct mutate_class *mutate_class, const char *name);
/* The first form that messages of that type and side have; NULL when there is none. */
const struct mutate_form *mutate_form_of(const struct mutate_class *mutate_class, bool is_binary,
                                         bool from_client);

/* What was done. */
struct mutation {
    const char *what; /* static: "entry size", "value of a wrong type"; NULL: nothing */
    size_t offset;    /* of the first change: what is before it is the same */
    bool is_media;    /* it touches nothing but the content of sound or pictures */
};

/*
 * Changes the message of `len` bytes in `data` once, and returns its new length, `capacity` at most. `other`,
 * which may be empty and must not overlap `data`, is another message of the form, of which parts may be
 * taken. A message that is not of the form at all is changed as bytes. The result differs from what was
 * there; only where nothing can be changed (no bytes and no room for any) it is the same, and
 * `mutation->what` NULL.
 */
size_t mutate_message(const struct mutate_form *form, struct seeded *seeded, struct bytes other,
                      uint8_t *data, size_t len, size_t capacity, struct mutation *mutation);

#endif
