#include "codec/interview/messages.h"
#include "codec/mutate/json_change.h"
#include "codec/mutate/mutate.h"

/* The types of its messages in each dialect, then error codes, states and speakers. */
static const char *word(size_t n)
{
    for (size_t i = 0; i < INTERVIEW_PROFILE_COUNT; i++)
        for (int type = 0; type < INTERVIEW_MESSAGE_OTHER; type++) {
            const char *name =
                interview_message_type_in(INTERVIEW_PROFILES[i].dialect, (enum interview_message_type)type);
            if (name != NULL && n-- == 0)
                return name;
        }
    if (n < INTERVIEW_ERROR_COUNT)
        return interview_error_name((enum interview_error_code)n);
    n -= INTERVIEW_ERROR_COUNT;
    if (n < INTERVIEW_STATUS_COUNT)
        return interview_status_name((enum interview_status)n);
    n -= INTERVIEW_STATUS_COUNT;
    if (n < 2 * INTERVIEW_PROFILE_COUNT) {
        const struct interview_dialect *dialect = INTERVIEW_PROFILES[n / 2].dialect;
        return n % 2 == 0 ? dialect->candidate : dialect->ai;
    }
    return NULL;
}

static const struct mutate_form FORMS[] = {
    {.name = "text", .from_client = true, .from_server = true, .change = mutate_json_form, .word = word},
    {.name = NULL},
};

const struct mutate_class INTERVIEW_MUTATE_CLASS = {.family = "interview", .forms = FORMS};
