#include "server/script/tap_needs.h"

struct level {
    const struct server_step *steps;
    size_t count, at;
};

bool quirk_needs_tap(const struct quirk_kind *kinds, size_t row, uint64_t value)
{
    static const struct {
        const char *name;
        uint64_t value; /* 0: any but off */
    } needs[] = {{"no-pong", 0}, {"permessage-deflate", 1 /* taken */}};
    for (size_t i = 0; value != 0 && i < sizeof needs / sizeof needs[0]; i++)
        if (strcmp(kinds[row].name, needs[i].name) == 0)
            return needs[i].value == 0 || value == needs[i].value;
    return false;
}

const char *quirks_need_tap(const struct quirk_kind *kinds, const struct quirks *quirks)
{
    for (size_t row = 0; kinds[row].name != NULL; row++)
        if (quirk_needs_tap(kinds, row, quirks->value[row]))
            return kinds[row].name;
    return NULL;
}

static bool has_header(const struct server_step *step)
{
    for (size_t n = 0; n < step->option_count; n++)
        if (strcmp(step->options[n].name, "header") == 0)
            return true;
    return false;
}

/* What of the step needs it; NULL: nothing. */
static const char *step_needs_tap(const struct server_step *step, const struct quirk_kind *kinds)
{
    if (step->kind == STEP_STOP_READING)
        return "stop-reading";
    if (step->kind == STEP_HALF_CLOSE)
        return "half-close";
    if (step->kind == STEP_ACCEPT && has_header(step))
        return "accept header=";
    if (step->kind == STEP_ACCEPT && step->count > 0)
        return "accept joined=";
    if (step->delivery.slice_every > 0 || step->slice_at.number > 0 || step->slice_at.counter[0] != '\0')
        return "slice";
    for (size_t n = 0; n < step->quirk_count; n++)
        if (quirk_needs_tap(kinds, step->quirks[n].row, step->quirks[n].value))
            return kinds[step->quirks[n].row].name;
    return NULL;
}

/* All steps of a script, those of blocks after the step that has the block. */
struct walk {
    struct level levels[SCRIPT_DEPTH_MAX + 1];
    size_t depth;
};

static const struct server_step *walk_next(struct walk *walk)
{
    for (;;) {
        struct level *level = &walk->levels[walk->depth];
        if (level->at < level->count) {
            const struct server_step *step = &level->steps[level->at++];
            if (step->child_count > 0 && walk->depth < SCRIPT_DEPTH_MAX)
                walk->levels[++walk->depth] =
                    (struct level){.steps = step->children, .count = step->child_count};
            return step;
        }
        if (walk->depth == 0)
            return NULL;
        walk->depth--;
    }
}

const char *script_needs_tap(const struct script *script, const struct quirk_kind *kinds, unsigned *line)
{
    struct walk walk = {.levels = {{.steps = script->steps, .count = script->step_count}}};
    for (const struct server_step *step; (step = walk_next(&walk)) != NULL;) {
        const char *what = step_needs_tap(step, kinds);
        *line = step->line;
        if (what != NULL)
            return what;
    }
    return NULL;
}

bool script_stops_reading(const struct script *script)
{
    struct walk walk = {.levels = {{.steps = script->steps, .count = script->step_count}}};
    for (const struct server_step *step; (step = walk_next(&walk)) != NULL;)
        if (step->kind == STEP_STOP_READING)
            return true;
    return false;
}
