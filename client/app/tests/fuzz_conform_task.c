/*
 * Any bytes as the line that tells a persistent adapter its next case: the variables of the environment are
 * those that the line names, and none is left of the line before.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "client/app/conform_task.h"
#include "codec/family.h"
#include "codec/tests/exact_copy.h"
#include "codec/wire/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* The first byte says which profile the plan is of; one past the last: none that is known. */
static const char *profile_of(uint8_t byte)
{
    size_t n = byte;
    for (size_t f = 0; FAMILIES[f] != NULL; f++)
        for (size_t p = 0; FAMILIES[f]->profiles[p] != NULL; p++)
            if (n-- == 0)
                return FAMILIES[f]->profiles[p]->name;
    return "no-such-profile";
}

static void check_variable(const cJSON *json, const char *variable, const char *name)
{
    const char *is = getenv(variable), *due = cJSON_GetStringValue(json_member(json, name));
    check((is == NULL) == (due == NULL) && (is == NULL || strcmp(is, due) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    cJSON *json = NULL;
    if (len == 0)
        return 0;
    struct exact_copy copy = exact_copy_of(bytes_of(data + 1, len - 1));
    const struct conform_task task = {.line = (char *)copy.owned, .len = len - 1};
    check(setenv("CONFORM_OUT", "of the line before", 1) == 0);
    const bool good = conform_task_set_environment(&task, profile_of(data[0]));
    check(good == (json_parse(conform_task_plan(&task), &json).status == WIRE_OK));
    if (good) {
        check_variable(json, "CONFORM_OUT", "out");
        check_variable(json, "CONFORM_CA", "ca");
    }
    cJSON_Delete(json);
    exact_copy_free(copy);
    return 0;
}
