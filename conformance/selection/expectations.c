#include "conformance/selection/expectations.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool expectations_load(const struct run_options *options, struct case_set *set, struct expectations *out)
{
    *out = (struct expectations){0};
    if (options->suite != NULL && !suite_list_load(options->suite, &out->suite))
        return false;
    if (options->suite != NULL && suite_list_is_open(&out->suite))
        fprintf(stderr,
                "ojin-conform: suite %s is not released: its cases and requirements may still change\n",
                options->suite);
    const bool own_cases = strcmp(options->cases_folder, options->default_cases) != 0;
    return (options->suite == NULL || suite_list_restore(&out->suite, own_cases, set)) &&
           (options->baseline_path == NULL ||
            baseline_load(options->baseline_path, set, options->update_baseline, &out->baseline));
}

void expectations_free(struct expectations *expectations)
{
    suite_list_free(&expectations->suite);
    baseline_free(&expectations->baseline);
}

/* Writes the baseline as the run makes it, and takes it in place of the old one. */
static bool renew_baseline(const struct case_set *set, struct baseline *baseline,
                           const struct run_result *run)
{
    const char *path = baseline->path;
    for (size_t i = 0; i < run->case_count; i++) {
        if (run->cases[i].ran && run->cases[i].result.verdict == VERDICT_ERROR) {
            fprintf(stderr, "ojin-conform: %s is left as it was: %s ended in an error of our own\n", path,
                    run->cases[i].script->name);
            return true;
        }
    }
    if (!baseline_update(baseline, run)) {
        fprintf(stderr, "ojin-conform: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    baseline_free(baseline);
    return baseline_load(path, set, false, baseline);
}

bool expectations_apply(const struct run_options *options, const struct case_set *set,
                        struct expectations *expectations, struct run_result *run)
{
    if (options->suite != NULL)
        suite_list_apply(&expectations->suite, run);
    if (options->baseline_path == NULL)
        return true;
    if (options->update_baseline && !run->interrupted && !renew_baseline(set, &expectations->baseline, run))
        return false;
    baseline_apply(&expectations->baseline, run);
    return true;
}
