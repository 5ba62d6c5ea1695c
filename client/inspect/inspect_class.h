/*
 * A family, to who tells of its messages as JSON: what its folder here defines as PREFIX_INSPECT_CLASS.
 * Private to client/inspect.
 */
#ifndef CLIENT_INSPECT_INSPECT_CLASS_H
#define CLIENT_INSPECT_INSPECT_CLASS_H

#include "client/inspect/builder.h"
#include "client/inspect/description.h"
#include "client/inspect/inspect.h"

/* How well a message fits a family, the best last. */
enum inspect_fit {
    INSPECT_FITS_NOT,
    INSPECT_FITS_TYPE, /* the family has a message of that type, and something is wrong with this one */
    INSPECT_FITS
};

/* A message as an entry of a journal holds it. */
struct inspect_entry {
    const cJSON *line;
    struct bytes data;
    uint64_t bytes; /* of the whole message; when `data` has fewer, the journal kept only its head */
    bool is_text;
    bool from_client;
};

struct inspect_class {
    const char *family;
    enum inspect_fit (*fit)(struct bytes message);
    bool (*has_kind)(enum inspect_kind kind);
    /* Adds the members of a message. `kind` AUTO: what it most likely is. */
    void (*describe)(struct description *description, struct bytes message, enum inspect_kind kind);
    void (*describe_entry)(struct description *description, const struct inspect_entry *entry);
    /* Appends the message that `object` describes. False: the family has no kind of that name. NULL: it has
     * none but "text", which is built in one way for all. */
    bool (*build)(struct builder *builder, const char *kind, const cJSON *object);
};

/* The registry: ended by NULL, in the order of families.def. */
extern const struct inspect_class *const INSPECT_CLASSES[];
/* NULL when there is none. */
const struct inspect_class *inspect_class_by_family(const char *family);

#endif
