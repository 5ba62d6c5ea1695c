#include "codec/duplex/error_code.h"

#include "codec/duplex/constants.h"

struct error_code {
    const char *name;
    const char *type;
    const char *source;
    const char *description;
    bool closes;
};

#define TYPE_CLIENT DUPLEX_ERROR_TYPE_CLIENT
#define TYPE_SERVER DUPLEX_ERROR_TYPE_SERVER
static const struct error_code ERROR_CODES[] = {
#define DUPLEX_ERROR(enumerator, wire_name, type, closes, source, description)                               \
    {wire_name, TYPE_##type, source, description, closes},
#include "codec/duplex/error_code.def"
#undef DUPLEX_ERROR
};

static const char *const REASONS[DUPLEX_REASON_COUNT] = {
    [DUPLEX_REASON_USER_STOP] = "user_stop",
    [DUPLEX_REASON_STOPPED] = "stopped",
    [DUPLEX_REASON_TIMEOUT] = "timeout",
    [DUPLEX_REASON_CONTEXT_FULL] = "context_full",
    [DUPLEX_REASON_SERVER_SHUTDOWN] = "server_shutdown",
    [DUPLEX_REASON_ERROR] = "error",
};

const char *duplex_error_name(enum duplex_error_code code)
{
    return (size_t)code < DUPLEX_ERROR_COUNT ? ERROR_CODES[code].name : "?";
}

const char *duplex_error_description(enum duplex_error_code code)
{
    return (size_t)code < DUPLEX_ERROR_COUNT ? ERROR_CODES[code].description : "?";
}

const char *duplex_error_type(enum duplex_error_code code)
{
    return (size_t)code < DUPLEX_ERROR_COUNT ? ERROR_CODES[code].type : "?";
}

const char *duplex_error_source(enum duplex_error_code code)
{
    return (size_t)code < DUPLEX_ERROR_COUNT ? ERROR_CODES[code].source : "?";
}

uint16_t duplex_error_close(enum duplex_error_code code)
{
    return (size_t)code < DUPLEX_ERROR_COUNT && ERROR_CODES[code].closes ? DUPLEX_CLOSE_UNAVAILABLE : 0;
}

bool duplex_error_by_name(struct bytes name, enum duplex_error_code *out)
{
    for (size_t i = 0; i < DUPLEX_ERROR_COUNT; i++) {
        if (bytes_equal_text(name, ERROR_CODES[i].name)) {
            *out = (enum duplex_error_code)i;
            return true;
        }
    }
    return false;
}

const char *duplex_reason_name(enum duplex_reason reason)
{
    return (size_t)reason < DUPLEX_REASON_COUNT ? REASONS[reason] : "?";
}

bool duplex_reason_by_name(struct bytes name, enum duplex_reason *out)
{
    for (size_t i = 0; i < DUPLEX_REASON_COUNT; i++) {
        if (bytes_equal_text(name, REASONS[i])) {
            *out = (enum duplex_reason)i;
            return true;
        }
    }
    return false;
}
