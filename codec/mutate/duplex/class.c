#include "codec/duplex/messages.h"
#include "codec/mutate/json_change.h"
#include "codec/mutate/mutate.h"

/* The types of its messages in each dialect, then error codes, reasons, and what else has few values. */
static const char *word(size_t n)
{
    static const char *const OTHERS[] = {"client_error", "server_error", "listen", "text", "audio", NULL};
    for (size_t i = 0; i < DUPLEX_PROFILE_COUNT; i++)
        for (int type = 0; type < DUPLEX_MESSAGE_OTHER; type++) {
            const char *name =
                duplex_message_type_in(DUPLEX_PROFILES[i].dialect, (enum duplex_message_type)type);
            if (name != NULL && n-- == 0)
                return name;
        }
    if (n < DUPLEX_ERROR_COUNT)
        return duplex_error_name((enum duplex_error_code)n);
    n -= DUPLEX_ERROR_COUNT;
    if (n < DUPLEX_REASON_COUNT)
        return duplex_reason_name((enum duplex_reason)n);
    n -= DUPLEX_REASON_COUNT;
    return n < sizeof OTHERS / sizeof OTHERS[0] ? OTHERS[n] : NULL;
}

static const struct mutate_form FORMS[] = {
    {.name = "text", .from_client = true, .from_server = true, .change = mutate_json_form, .word = word},
    {.name = NULL},
};

const struct mutate_class DUPLEX_MUTATE_CLASS = {.family = "duplex", .forms = FORMS};
