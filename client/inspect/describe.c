#include "client/inspect/inspect_class.h"

const char *inspect_family_of(struct bytes message, enum inspect_kind kind)
{
    const char *best = INSPECT_CLASSES[0]->family;
    enum inspect_fit best_fit = INSPECT_FITS_NOT;
    for (size_t i = 0; INSPECT_CLASSES[i] != NULL && best_fit != INSPECT_FITS; i++) {
        const struct inspect_class *class = INSPECT_CLASSES[i];
        const enum inspect_fit fit = class->has_kind(kind) ? class->fit(message) : INSPECT_FITS_NOT;
        if (fit > best_fit) {
            best = class->family;
            best_fit = fit;
        }
    }
    return best;
}

const char *inspect_family_at(size_t n)
{
    for (size_t i = 0; INSPECT_CLASSES[i] != NULL; i++)
        if (i == n)
            return INSPECT_CLASSES[i]->family;
    return NULL;
}

bool inspect_family_has_kind(const char *family, enum inspect_kind kind)
{
    const struct inspect_class *class = inspect_class_by_family(family);
    return class != NULL && class->has_kind(kind);
}

cJSON *inspect_describe(const char *family, struct bytes message, enum inspect_kind kind, bool with_data,
                        bool *good)
{
    struct description description = description_new(with_data);
    inspect_class_by_family(family)->describe(&description, message, kind);
    *good = description.good;
    return description_end(&description);
}
