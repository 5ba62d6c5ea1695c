#include "codec/interview/error_code.h"

struct error_code {
    const char *name;
    const char *source;
    const char *description;
};

static const struct error_code ERROR_CODES[] = {
#define INTERVIEW_ERROR(enumerator, wire_name, source, description) {wire_name, source, description},
#include "codec/interview/error_code.def"
#undef INTERVIEW_ERROR
};

const char *interview_error_name(enum interview_error_code code)
{
    return (size_t)code < INTERVIEW_ERROR_COUNT ? ERROR_CODES[code].name : "?";
}

const char *interview_error_description(enum interview_error_code code)
{
    return (size_t)code < INTERVIEW_ERROR_COUNT ? ERROR_CODES[code].description : "?";
}

const char *interview_error_source(enum interview_error_code code)
{
    return (size_t)code < INTERVIEW_ERROR_COUNT ? ERROR_CODES[code].source : "?";
}

bool interview_error_by_name(struct bytes name, enum interview_error_code *out)
{
    for (size_t i = 0; i < INTERVIEW_ERROR_COUNT; i++) {
        if (bytes_equal_text(name, ERROR_CODES[i].name)) {
            *out = (enum interview_error_code)i;
            return true;
        }
    }
    return false;
}
