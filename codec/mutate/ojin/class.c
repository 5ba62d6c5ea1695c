#include "codec/mutate/json_change.h"
#include "codec/mutate/mutate.h"
#include "codec/mutate/ojin/parts.h"
#include "codec/ojin/messages.h"

/* The types of its messages, then the codes of its errors, then what else has few values. */
static const char *word(size_t n)
{
    static const char *const OTHERS[] = {"success", NULL};
    if (n < OJIN_MESSAGE_OTHER)
        return ojin_message_type_name((enum ojin_message_type)n);
    n -= OJIN_MESSAGE_OTHER;
    if (n < OJIN_ERROR_COUNT)
        return ojin_error_name((enum ojin_error_code)n);
    n -= OJIN_ERROR_COUNT;
    return n < sizeof OTHERS / sizeof OTHERS[0] ? OTHERS[n] : NULL;
}

static const struct mutate_form FORMS[] = {
    {.name = "frame",
     .is_binary = true,
     .from_server = true,
     .change = mutate_ojin_frame,
     .smaller = mutate_ojin_frame_smaller},
    {.name = "input", .is_binary = true, .from_client = true, .change = mutate_ojin_input},
    {.name = "text", .from_client = true, .from_server = true, .change = mutate_json_form, .word = word},
    {.name = NULL},
};

const struct mutate_class OJIN_MUTATE_CLASS = {.family = "ojin", .forms = FORMS};
