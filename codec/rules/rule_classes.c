#include "codec/rules/server_rules.h"

size_t rule_of_requirement(const struct rule_class *class, const char *id)
{
    size_t n = 0;
    while (n < class->count && strcmp(class->requirement(n), id) != 0)
        n++;
    return n;
}

const struct rule_condition *rule_condition_of(const struct rule_class *class, const char *id)
{
    for (const struct rule_condition *at = class->conditions; at != NULL && at->requirement != NULL; at++)
        if (strcmp(at->requirement, id) == 0)
            return at;
    return NULL;
}

enum requirement_timing rule_timing(const struct rule_class *class, const char *id)
{
    const struct rule_condition *condition = rule_condition_of(class, id);
    return condition == NULL ? REQUIREMENT_UNTIMED : condition->timing;
}

static unsigned spared_by(enum wire_act act)
{
    switch (act) {
    case WIRE_ACT_RAW:
    case WIRE_ACT_HALF_CLOSE:
        return RULE_SPARED_BROKEN;
    case WIRE_ACT_STOP_READING:
        return RULE_SPARED_UNREAD;
    }
    return 0;
}

bool rule_is_spared(const struct rule_class *class, const char *id, const struct wire_event *event)
{
    const struct rule_condition *condition = rule_condition_of(class, id);
    return event->kind == WIRE_EVENT_TRANSPORT && condition != NULL &&
           (condition->spared & spared_by((enum wire_act)event->code)) != 0;
}

size_t server_rule_of_requirement(const struct server_rule_class *class, const char *id)
{
    size_t n = 0;
    while (n < class->count && strcmp(class->requirement(n), id) != 0)
        n++;
    return n;
}

struct server_rule_traits server_traits_of_requirement(const struct server_rule_class *class, const char *id)
{
    const size_t n = server_rule_of_requirement(class, id);
    const bool is_of_cases = class->case_requirement != NULL && strcmp(class->case_requirement, id) == 0;
    if (n < class->count)
        return class->traits(n);
    return (struct server_rule_traits){.blur = is_of_cases ? class->case_blur : 0};
}
