#include "server/mock/option_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/persona/persona.h"

enum options_result option_complain(const char *option, const char *sentence)
{
    fprintf(stderr, "ojin-mock: --%s: %s\n", option, sentence);
    return OPTIONS_WRONG;
}

enum options_result option_wrong(const char *option, const char *expected, const char *value)
{
    fprintf(stderr, "ojin-mock: --%s: expected %s, got \"%s\"\n", option, expected, value);
    return OPTIONS_WRONG;
}

bool option_number(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (*end != '\0' || errno != 0 || value < min || value > max)
        return false;
    *out = value;
    return true;
}

bool option_size(const char *text, unsigned *width_out, unsigned *height_out)
{
    char side[8];
    const char *x = strchr(text, 'x');
    uint64_t width, height;
    if (x == NULL || (size_t)(x - text) >= sizeof side)
        return false;
    memcpy(side, text, (size_t)(x - text));
    side[x - text] = '\0';
    if (!option_number(side, PERSONA_SIDE_MIN, PERSONA_SIDE_MAX, &width) ||
        !option_number(x + 1, PERSONA_SIDE_MIN, PERSONA_SIDE_MAX, &height) ||
        width % PERSONA_SIDE_STEP != 0 || height % PERSONA_SIDE_STEP != 0)
        return false;
    *width_out = (unsigned)width;
    *height_out = (unsigned)height;
    return true;
}

/* The position of `text` among `names`; -1: it is none of them. */
static int word_index(const char *text, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], text) == 0)
            return (int)i;
    return -1;
}

bool option_log(const char *text, enum mock_log *out)
{
    static const char *const names[] = {
        [MOCK_LOG_QUIET] = "quiet", [MOCK_LOG_INFO] = "info", [MOCK_LOG_DEBUG] = "debug"};
    const int index = word_index(text, names, sizeof names / sizeof *names);
    if (index >= 0)
        *out = (enum mock_log)index;
    return index >= 0;
}

bool option_list(const char *text, enum mock_list *out)
{
    static const char *const names[] = {[MOCK_LIST_NONE] = "",
                                        [MOCK_LIST_PROFILES] = "profiles",
                                        [MOCK_LIST_QUIRKS] = "quirks",
                                        [MOCK_LIST_FAULTS] = "faults",
                                        [MOCK_LIST_CARDS] = "cards"};
    const int index = word_index(text, names, sizeof names / sizeof *names);
    if (index > 0)
        *out = (enum mock_list)index;
    return index > 0;
}

enum options_result option_quirk(const char *value, struct behaviour *behaviour)
{
    char error[QUIRK_ERROR_MAX];
    if (fault_find(OJIN_SESSION_CLASS.family, bytes_of(value, strcspn(value, "="))) != NULL)
        return option_complain("quirk", "expected a name that --list quirks shows, got that of a fault");
    if (!quirk_set(&behaviour->quirks, OJIN_SESSION_CLASS.quirks, bytes_of_text(value), error))
        return option_complain("quirk", error);
    return OPTIONS_RUN;
}

enum options_result option_fault(const char *value, struct behaviour *behaviour)
{
    char error[BEHAVIOUR_ERROR_MAX];
    if (quirk_row(OJIN_SESSION_CLASS.quirks, bytes_of(value, strcspn(value, "="))) >= 0)
        return option_complain("fault", "expected a name that --list faults shows, got that of a quirk");
    if (!behaviour_add(behaviour, &OJIN_SESSION_CLASS, bytes_of_text(value), error))
        return option_complain("fault", error);
    return OPTIONS_RUN;
}
