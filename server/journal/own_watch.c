#include "server/journal/own_watch.h"

#include <string.h>

void own_watch_begin(struct own_watch *watch, const struct rule_context *context)
{
    const struct server_rule_context own = {.profile = context->profile,
                                            .epoch_ms = context->epoch_ms,
                                            .key = context->key,
                                            .config = context->config,
                                            .picture_size = context->picture_size,
                                            .picture_context = context->picture_context};
    own_watch_end(watch);
    if (watch->class != NULL && watch->class->count > 0 && !watch->held && !watch->has_quirks)
        watch->rules = watch->class->create(&own);
}

void own_watch_end(struct own_watch *watch)
{
    if (watch->rules != NULL)
        watch->class->destroy(watch->rules);
    watch->rules = NULL;
}

/* Steps that leave what is sent to the service, and those that only hold others. */
static bool is_plain(const char *word)
{
    static const char *const PLAIN[] = {"accept", "serve", "mark", "repeat", "alt", "on"};
    for (size_t i = 0; i < sizeof PLAIN / sizeof PLAIN[0]; i++)
        if (strcmp(word, PLAIN[i]) == 0)
            return true;
    return false;
}

void own_watch_step(struct own_watch *watch, const char *word, bool has_quirks)
{
    watch->held = !is_plain(word);
    watch->has_quirks = watch->has_quirks || has_quirks;
    if (watch->held || watch->has_quirks)
        own_watch_end(watch);
}

void own_watch_event(struct own_watch *watch, const struct wire_event *event)
{
    if (event->fault || event->kind == WIRE_EVENT_CLOSE || event->kind == WIRE_EVENT_END)
        own_watch_end(watch);
    if (watch->rules != NULL)
        watch->class->event(watch->rules, event);
}

bool own_watch_take(struct own_watch *watch, struct finding *out)
{
    while (watch->rules != NULL && watch->class->take_finding(watch->rules, out))
        if (!out->note && server_traits_of_requirement(watch->class, out->requirement).of_messages)
            return true;
    return false;
}
