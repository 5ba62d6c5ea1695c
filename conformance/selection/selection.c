#include "conformance/selection/selection.h"

#include <string.h>

#include "codec/wire/text.h"
#include "conformance/selection/name_pattern.h"

bool case_name_matches(const char *name, const char *pattern)
{
    char base[SCRIPT_NAME_MAX];
    struct text text = text_of(base, sizeof base);
    text_add_bytes(&text, bytes_of(name, strcspn(name, "[")));
    return strcmp(name, pattern) == 0 || name_pattern_matches(pattern, name) ||
           name_pattern_matches(pattern, base);
}

bool patterns_hold(const struct patterns *patterns, const char *name)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (case_name_matches(name, patterns->of[i]))
            return true;
    return false;
}

static const struct profile *profile_for(const struct case_script *script, const struct run_options *options)
{
    const struct family *family = script->class->family;
    if (options->family != NULL && family != options->family)
        return NULL;
    if (!options->all_profiles)
        return profile_matches(options->profile, script->profiles) ? options->profile : NULL;
    for (size_t i = 0; family->profiles[i] != NULL; i++)
        if (profile_matches(family->profiles[i], script->profiles))
            return family->profiles[i];
    return NULL;
}

/* By a hash of the name (FNV-1a), so that a case keeps its part whatever other cases there are. */
static bool in_shard(const char *name, const struct run_options *options)
{
    uint32_t hash = 2166136261u;
    if (options->shard_count == 0)
        return true;
    for (const char *c = name; *c != '\0'; c++)
        hash = (hash ^ (uint8_t)*c) * 16777619u;
    return hash % options->shard_count == options->shard_index - 1;
}

/* A case that is asked for by its whole name is run whatever its set. */
static bool in_set(const struct case_script *script, const struct run_options *options)
{
    for (size_t i = 0; i < options->run.count; i++)
        if (strcmp(options->run.of[i], script->name) == 0)
            return true;
    return script->set <= options->set;
}

enum left_out selection_reason(const struct case_script *script, const struct run_options *options)
{
    if (options->run.count > 0 && !patterns_hold(&options->run, script->name))
        return LEFT_OUT_NOT_ASKED_FOR;
    if (options->family != NULL && script->class->family != options->family)
        return LEFT_OUT_FAMILY;
    if (profile_for(script, options) == NULL)
        return LEFT_OUT_PROFILE;
    if (!in_set(script, options))
        return LEFT_OUT_SET;
    if (patterns_hold(&options->skip, script->name))
        return LEFT_OUT_SKIPPED;
    return in_shard(script->name, options) ? LEFT_OUT_NOT : LEFT_OUT_SHARD;
}

void select_cases(const struct case_set *set, const struct run_options *options, struct selection *out)
{
    out->count = 0;
    for (size_t i = 0; i < set->count; i++) {
        const struct case_script *script = set->scripts[i];
        if (selection_reason(script, options) == LEFT_OUT_NOT)
            out->cases[out->count++] = (struct selected_case){
                .script = script, .text = set->texts[i], .profile = profile_for(script, options)};
    }
}
