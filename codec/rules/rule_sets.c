#include <stdlib.h>

#include "codec/rules/finding_book.h"

/* --- what all sets do with their books --- */

bool rule_set_take_finding(struct rule_set *rules, struct finding *out)
{
    return finding_book_take((struct finding_book *)rules, out);
}

bool server_rule_set_take_finding(struct server_rule_set *rules, struct finding *out)
{
    return finding_book_take((struct finding_book *)rules, out);
}

enum rule_verdict rule_set_verdict(const struct rule_set *rules, size_t n)
{
    return ((const struct finding_book *)rules)->records[n].verdict;
}

enum rule_verdict server_rule_set_verdict(const struct server_rule_set *rules, size_t n)
{
    return ((const struct finding_book *)rules)->records[n].verdict;
}

void rule_set_free(struct rule_set *rules)
{
    free(rules);
}

void server_rule_set_free(struct server_rule_set *rules)
{
    free(rules);
}

/* --- a family without rules --- */

struct rule_set {
    struct finding_book book;
};

struct server_rule_set {
    struct finding_book book;
};

static const char *none_requirement(size_t n)
{
    (void)n;
    return "";
}

static struct rule_set *none_create(const struct rule_context *context)
{
    (void)context;
    return calloc(1, sizeof(struct rule_set));
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

const struct rule_class NO_RULES = {.count = 0,
                                    .requirement = none_requirement,
                                    .create = none_create,
                                    .destroy = rule_set_free,
                                    .set_epoch_ms = none_set_epoch_ms,
                                    .event = none_event,
                                    .finish = none_finish,
                                    .take_finding = rule_set_take_finding,
                                    .verdict = rule_set_verdict};

static struct server_rule_set *server_none_create(const struct server_rule_context *context)
{
    (void)context;
    return calloc(1, sizeof(struct server_rule_set));
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
                                                  .destroy = server_rule_set_free,
                                                  .event = server_none_event,
                                                  .finish = server_none_finish,
                                                  .take_finding = server_rule_set_take_finding,
                                                  .verdict = server_rule_set_verdict,
                                                  .blur_requirement = server_none_blur_requirement,
                                                  .blur = server_none_blur};
