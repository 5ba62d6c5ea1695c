#include "codec/ojin/messages.h"

struct error_code {
    const char *name;
    const char *description;
};

static const struct error_code ERROR_CODES[] = {
#define OJIN_ERROR(enumerator, wire_name, description) {wire_name, description},
#include "codec/ojin/error_code.def"
#undef OJIN_ERROR
};

const char *ojin_error_name(enum ojin_error_code code)
{
    return (size_t)code < OJIN_ERROR_COUNT ? ERROR_CODES[code].name : "?";
}

const char *ojin_error_description(enum ojin_error_code code)
{
    return (size_t)code < OJIN_ERROR_COUNT ? ERROR_CODES[code].description : "?";
}

bool ojin_error_by_name(struct bytes name, enum ojin_error_code *out)
{
    for (size_t i = 0; i < OJIN_ERROR_COUNT; i++) {
        if (bytes_equal_text(name, ERROR_CODES[i].name)) {
            *out = (enum ojin_error_code)i;
            return true;
        }
    }
    return false;
}
