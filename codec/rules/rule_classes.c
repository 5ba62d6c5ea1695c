#include <stdlib.h>

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

/* --- a family without rules --- */

struct rule_set {
    bool unused;
};

struct server_rule_set {
    bool unused;
};

static const char *none_requirement(size_t n)
{
    (void)n;
    return "";
}

static unsigned none_requirement_blur(const char *id)
{
    (void)id;
    return 0;
}

static enum requirement_timing none_timing(const char *id)
{
    (void)id;
    return REQUIREMENT_UNTIMED;
}

static bool none_is_timed(const char *id)
{
    (void)id;
    return false;
}

static struct rule_set *none_create(const struct rule_context *context)
{
    (void)context;
    return calloc(1, sizeof(struct rule_set));
}

static void none_destroy(struct rule_set *rules)
{
    free(rules);
}

static void none_set_epoch_ms(struct rule_set *rules, uint64_t epoch_ms)
{
    (void)rules;
    (void)epoch_ms;
}

static void none_event(struct rule_set *rules, const struct wire_event *event)
{
    (void)rules;
    (void)event;
}

static void none_finish(struct rule_set *rules, uint64_t now_us)
{
    (void)rules;
    (void)now_us;
}

static bool none_take_finding(struct rule_set *rules, struct finding *out)
{
    (void)rules;
    (void)out;
    return false;
}

static enum rule_verdict none_verdict(const struct rule_set *rules, size_t n)
{
    (void)rules;
    (void)n;
    return RULE_NOT_REACHED;
}

const struct rule_class NO_RULES = {.count = 0,
                                    .requirement = none_requirement,
                                    .create = none_create,
                                    .destroy = none_destroy,
                                    .set_epoch_ms = none_set_epoch_ms,
                                    .event = none_event,
                                    .finish = none_finish,
                                    .take_finding = none_take_finding,
                                    .verdict = none_verdict,
                                    .timing = none_timing};

static struct server_rule_set *server_none_create(const struct server_rule_context *context)
{
    (void)context;
    return calloc(1, sizeof(struct server_rule_set));
}

static void server_none_destroy(struct server_rule_set *rules)
{
    free(rules);
}

static void server_none_event(struct server_rule_set *rules, const struct wire_event *event)
{
    (void)rules;
    (void)event;
}

static void server_none_finish(struct server_rule_set *rules, uint64_t now_us)
{
    (void)rules;
    (void)now_us;
}

static bool server_none_take_finding(struct server_rule_set *rules, struct finding *out)
{
    (void)rules;
    (void)out;
    return false;
}

static enum rule_verdict server_none_verdict(const struct server_rule_set *rules, size_t n)
{
    (void)rules;
    (void)n;
    return RULE_NOT_REACHED;
}

static unsigned server_none_blur(const struct server_rule_set *rules)
{
    (void)rules;
    return 0;
}

static const char *server_none_blur_requirement(unsigned blur)
{
    (void)blur;
    return "";
}

const struct server_rule_class NO_SERVER_RULES = {.count = 0,
                                                  .requirement = none_requirement,
                                                  .create = server_none_create,
                                                  .destroy = server_none_destroy,
                                                  .event = server_none_event,
                                                  .finish = server_none_finish,
                                                  .take_finding = server_none_take_finding,
                                                  .verdict = server_none_verdict,
                                                  .blur_requirement = server_none_blur_requirement,
                                                  .blur = server_none_blur,
                                                  .requirement_blur = none_requirement_blur,
                                                  .is_timed = none_is_timed};
