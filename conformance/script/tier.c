#include "conformance/script/tier.h"

const char *client_tier_name(enum client_tier tier)
{
    switch (tier) {
    case TIER_WIRE:
        return "wire";
    case TIER_PLAN:
        return "plan";
    case TIER_OBSERVE:
        return "observe";
    }
    return "";
}

static bool plan_is_for_wire(const struct case_script *script)
{
    size_t speaks = 0;
    for (size_t i = 0; i < script->plan_count; i++) {
        const struct plan_step *step = &script->plan[i];
        if (step->kind == PLAN_CANCEL || step->kind == PLAN_WAIT || step->kind == PLAN_RECONNECT ||
            step->kind == PLAN_FORCE_LISTEN || step->after.name[0] != '\0' || step->params != NULL)
            return false;
        speaks += step->kind == PLAN_SPEAK ? 1 : 0;
    }
    return speaks <= 1;
}

static bool pattern_is_seen(const struct event_pattern *pattern)
{
    return pattern->set && pattern->side == EVENT_SEEN;
}

static bool check_observes(const struct script_check *check)
{
    return check_is_delivery(check) || pattern_is_seen(&check->only_if) || pattern_is_seen(&check->unless) ||
           pattern_is_seen(&check->given) || pattern_is_seen(&check->after) ||
           pattern_is_seen(&check->until) || pattern_is_seen(&check->pattern);
}

void tier_set(struct case_script *script)
{
    if (script->tier < TIER_PLAN && !plan_is_for_wire(script))
        script->tier = TIER_PLAN;
    for (size_t i = 0; i < script->check_count; i++)
        if (check_observes(&script->checks[i]))
            script->tier = TIER_OBSERVE;
}
