#include "conformance/selection/suite_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/selection/case_set.h"

static void say_which_there_are(const char *folder)
{
    DIR *entries = opendir(folder);
    bool any = false;
    if (entries == NULL)
        return;
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (entry->d_name[0] == '.' || strchr("0123456789", entry->d_name[0]) == NULL)
            continue;
        fprintf(stderr, "%s%s", any ? ", " : ": expected ", entry->d_name);
        any = true;
    }
    closedir(entries);
}

bool suite_list_load(const char *version, struct suite_list *out)
{
    char folder[OPTIONS_PATH_MAX], path[2 * OPTIONS_PATH_MAX];
    const bool is_path = strchr(version, '/') != NULL;
    default_suites_folder(folder);
    snprintf(path, sizeof path, "%s%s%s", is_path ? "" : folder, is_path ? "" : "/", version);
    if (file_read(path, SUITE_LIST_BYTES_MAX, &out->text))
        return true;
    fprintf(stderr, "ojin-conform run: --suite '%s': cannot read %s: %s", version, path, strerror(errno));
    if (!is_path)
        say_which_there_are(folder);
    fputc('\n', stderr);
    return false;
}

void suite_list_free(struct suite_list *list)
{
    free((void *)(uintptr_t)list->text.data);
    *list = (struct suite_list){0};
}

bool suite_list_holds(const struct suite_list *list, const char *case_name)
{
    const size_t len = strlen(case_name);
    struct bytes left = list->text;
    while (left.len > 0) {
        const uint8_t *newline = memchr(left.data, '\n', left.len);
        const size_t line = newline == NULL ? left.len : (size_t)(newline - left.data);
        if (line == len && memcmp(left.data, case_name, len) == 0)
            return true;
        if (newline == NULL)
            break;
        left = bytes_of(newline + 1, left.len - line - 1);
    }
    return false;
}

static bool is_failure(const struct case_result *result)
{
    return result->verdict != VERDICT_ERROR && result->verdict != VERDICT_XPASS && case_fails(result);
}

void suite_list_apply(const struct suite_list *list, struct run_result *run)
{
    for (size_t i = 0; i < run->case_count; i++) {
        struct run_case *run_case = &run->cases[i];
        struct case_result *result = &run_case->result;
        run_case->is_new = !suite_list_holds(list, run_case->script->name);
        if (!run_case->is_new || !is_failure(result))
            continue;
        result->verdict = result->end_verdict = VERDICT_NEW;
        for (size_t k = 0; k < result->check_count; k++)
            if (check_would_fail(&result->checks[k]))
                result->checks[k].verdict = VERDICT_NEW;
    }
}
