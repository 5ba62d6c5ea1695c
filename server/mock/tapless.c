#include "server/mock/tapless.h"

#include <stdio.h>
#include <string.h>

#include "server/core/ojin_quirk.h"

static bool quirk_needs_tap(size_t row, uint64_t value)
{
    return (row == OJIN_QUIRK_NO_PONG && value != 0) ||
           (row == OJIN_QUIRK_PERMESSAGE_DEFLATE && value == OJIN_DEFLATE_TAKEN);
}

/* The quirk's name; NULL: none needs it. */
static const char *quirks_need_tap(const struct server_step *step)
{
    for (size_t n = 0; n < step->quirk_count; n++)
        if (quirk_needs_tap(step->quirks[n].row, step->quirks[n].value))
            return OJIN_QUIRKS[step->quirks[n].row].name;
    return NULL;
}

static bool has_header(const struct server_step *step)
{
    for (size_t n = 0; n < step->option_count; n++)
        if (strcmp(step->options[n].name, "header") == 0)
            return true;
    return false;
}

/* What of the step needs the tap; NULL: nothing. */
static const char *step_needs_tap(const struct server_step *step)
{
    const struct delivery *delivery = &step->delivery;
    if (step->kind == STEP_STOP_READING)
        return "stop-reading";
    if (step->kind == STEP_ACCEPT && has_header(step))
        return "accept header=";
    if (delivery->slice_every > 0 || step->slice_at.number > 0 || step->slice_at.counter[0] != '\0')
        return "slice";
    return quirks_need_tap(step);
}

struct level {
    const struct server_step *steps;
    size_t count, at;
};

/* The first step that needs it; NULL: none. */
static const struct server_step *script_needs_tap(const struct script *script)
{
    struct level levels[SCRIPT_DEPTH_MAX + 1] = {{.steps = script->steps, .count = script->step_count}};
    size_t depth = 0;
    for (;;) {
        struct level *level = &levels[depth];
        if (level->at == level->count) {
            if (depth-- == 0)
                return NULL;
            continue;
        }
        const struct server_step *step = &level->steps[level->at++];
        if (step_needs_tap(step) != NULL)
            return step;
        if (step->child_count > 0 && depth < SCRIPT_DEPTH_MAX)
            levels[++depth] = (struct level){.steps = step->children, .count = step->child_count};
    }
}

bool tapless_allows(const struct mock_options *options, const struct script *script,
                    char error[TAPLESS_ERROR_MAX])
{
    const struct behaviour *behaviour = &options->behaviour;
    const struct server_step *step;
    if (!options->no_tap || options->tls.on)
        return true;
    for (size_t row = 0; row < OJIN_QUIRK_COUNT; row++)
        if (quirk_needs_tap(row, behaviour->quirks.value[row])) {
            snprintf(error, TAPLESS_ERROR_MAX, "quirk %s cannot be had with --no-tap: leave one of them out",
                     OJIN_QUIRKS[row].name);
            return false;
        }
    if (behaviour->script != NULL && (step = script_needs_tap(behaviour->script)) != NULL) {
        snprintf(error, TAPLESS_ERROR_MAX,
                 "fault %s cannot be had with --no-tap, as it needs \"%s\": leave one of them out",
                 behaviour->fault == NULL ? "" : behaviour->fault->name, step_needs_tap(step));
        return false;
    }
    if (script != NULL && (step = script_needs_tap(script)) != NULL) {
        snprintf(error, TAPLESS_ERROR_MAX,
                 "%.150s:%u: \"%s\" cannot be had with --no-tap: leave that option out", script->path,
                 step->line, step_needs_tap(step));
        return false;
    }
    return true;
}
