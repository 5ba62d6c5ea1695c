#define _POSIX_C_SOURCE 200809L
#include "client/app/conform_task.h"

#include <stdio.h>
#include <stdlib.h>

#include "codec/family.h"
#include "codec/wire/json.h"

enum { VARIABLE_NAME_MAX = 64 };

bool conform_task_is_many(void)
{
    return getenv("CONFORM_PERSISTENT") != NULL;
}

void conform_task_init(struct conform_task *task)
{
    *task = (struct conform_task){.line = NULL};
}

bool conform_task_next(struct conform_task *task)
{
    const ssize_t got = getline(&task->line, &task->capacity, stdin);
    task->len = got > 0 ? (size_t)got : 0;
    if (task->len > 0 && task->line[task->len - 1] == '\n')
        task->len--;
    return got > 0;
}

struct bytes conform_task_plan(const struct conform_task *task)
{
    return bytes_of(task->line, task->len);
}

void conform_task_free(struct conform_task *task)
{
    free(task->line);
}

/* A member as a variable; one that is not there takes it out. */
static bool set(const cJSON *json, const char *variable, const char *name)
{
    const char *value = cJSON_GetStringValue(json_member(json, name));
    return value == NULL ? unsetenv(variable) == 0 : setenv(variable, value, 1) == 0;
}

/* "OJIN_URL={url}": the variable, and the member that it holds. */
static bool set_of_template(const cJSON *json, const char *template)
{
    char variable[VARIABLE_NAME_MAX], name[VARIABLE_NAME_MAX];
    const char *brace = strchr(template, '{'), *end = strchr(template, '}');
    if (brace == NULL || end == NULL || brace == template || brace - template > VARIABLE_NAME_MAX ||
        end - brace > VARIABLE_NAME_MAX)
        return true;
    const size_t variable_len = (size_t)(brace - template) - 1, name_len = (size_t)(end - brace) - 1;
    memcpy(variable, template, variable_len);
    variable[variable_len] = '\0';
    memcpy(name, brace + 1, name_len);
    name[name_len] = '\0';
    return set(json, variable, name);
}

static bool set_all(const cJSON *json, const char *const *templates)
{
    bool good = true;
    for (size_t i = 0; templates[i] != NULL; i++)
        good = set_of_template(json, templates[i]) && good;
    return good;
}

bool conform_task_set_environment(const struct conform_task *task, const char *profile_name)
{
    const struct profile *profile = profile_by_name(profile_name);
    cJSON *json = NULL;
    if (json_parse(conform_task_plan(task), &json).status != WIRE_OK)
        return false;
    bool good = set(json, "CONFORM_OUT", "out") && set(json, "CONFORM_CA", "ca");
    for (size_t i = 0; FAMILIES[i] != NULL; i++)
        if (profile == NULL || strcmp(profile->family, FAMILIES[i]->name) == 0)
            good = set_all(json, FAMILIES[i]->client_variables) &&
                   set_all(json, FAMILIES[i]->case_variables) && good;
    cJSON_Delete(json);
    return good;
}
