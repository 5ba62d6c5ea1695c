#include "conformance/run/selection.h"

#include <fnmatch.h>

static bool matches_any(const char *name, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (fnmatch(patterns[i], name, 0) == 0)
            return true;
    }
    return false;
}

static const struct ojin_profile *profile_for(const struct script *script, const struct run_options *options)
{
    if (!options->all_profiles)
        return ojin_profile_matches(options->profile, script->profiles) ? options->profile : NULL;
    for (size_t i = 0; i < OJIN_PROFILE_COUNT; i++) {
        if (ojin_profile_matches(&OJIN_PROFILES[i], script->profiles))
            return &OJIN_PROFILES[i];
    }
    return NULL;
}

void select_cases(const struct case_set *set, const struct run_options *options, struct selection *out)
{
    out->count = 0;
    for (size_t i = 0; i < set->count; i++) {
        const struct script *script = set->scripts[i];
        const struct ojin_profile *profile = profile_for(script, options);
        const bool wanted =
            options->run_count == 0 || matches_any(script->name, options->run_patterns, options->run_count);
        if (profile == NULL || !wanted ||
            matches_any(script->name, options->skip_patterns, options->skip_count))
            continue;
        out->cases[out->count++] =
            (struct selected_case){.script = script, .text = set->texts[i], .profile = profile};
    }
}
