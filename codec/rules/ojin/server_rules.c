#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "codec/rules/ojin/classes.h"
#include "codec/rules/ojin/server_rule_set.h"
#include "codec/rules/requirements.h"

/* Names within the table of the rules. */
enum { INDEX = SERVER_BLUR_INDEX, ENTRIES = SERVER_BLUR_ENTRIES, FINAL = SERVER_BLUR_FINAL };

/* One row a rule. */
static const struct {
    const char *requirement;
    server_rule_handler *handle; /* NULL: another rule's judges it as well */
    server_rule_ending *end;     /* NULL: it waits for nothing */
    unsigned blur;               /* what it reads of frames: enum server_blur values */
    bool timed;                  /* it holds times against each other: a late machine cannot judge it */
    bool of_messages;            /* what the server says is all it looks at */
} RULES[SERVER_RULE_COUNT] = {
    [SERVER_RULE_01] = {"OJ-SRV-01", server_rule_key, NULL, 0, false, false},
    [SERVER_RULE_02] = {"OJ-SRV-02", server_rule_config, NULL, 0, false, false},
    [SERVER_RULE_03] = {"OJ-SRV-03", server_rule_ready, NULL, 0, false, true},
    [SERVER_RULE_04] = {"OJ-SRV-04", server_rule_start, server_rule_start_ending, 0, false, false},
    [SERVER_RULE_05] = {"OJ-SRV-05", server_rule_silence, server_rule_silence_ending, INDEX, true, false},
    [SERVER_RULE_06] = {"OJ-SRV-06", server_rule_speech, server_rule_speech_ending, INDEX | ENTRIES, true,
                        false},
    [SERVER_RULE_07] = {"OJ-SRV-07", server_rule_payloads, NULL, ENTRIES, false, true},
    [SERVER_RULE_08] = {"OJ-SRV-08", server_rule_final, server_rule_final_ending, FINAL, false, false},
    [SERVER_RULE_09] = {"OJ-SRV-09", server_rule_cancel, NULL, INDEX | FINAL, false, false},
    [SERVER_RULE_10] = {"OJ-SRV-10", server_rule_rate, server_rule_rate_ending, 0, true, false},
    [SERVER_RULE_11] = {"OJ-SRV-11", server_rule_answers, server_rule_answers_ending, INDEX, false, false},
    [SERVER_RULE_12] = {"OJ-SRV-12", NULL, NULL, 0, false, false}, /* judged with 11 */
    [SERVER_RULE_13] = {"OJ-SRV-13", NULL, NULL, 0, false, false}, /* judged with 11 */
    [SERVER_RULE_14] = {"OJ-SRV-14", server_rule_error_form, NULL, 0, false, true},
    [SERVER_RULE_15] = {"OJ-SRV-15", server_rule_identity, NULL, INDEX, false, true},
    [SERVER_RULE_18] = {"OJ-SRV-18", server_rule_pong, server_rule_pong_ending, 0, true, false},
    [SERVER_RULE_19] = {"OJ-SRV-19", server_rule_layout, NULL, 0, false, true},
    [SERVER_RULE_20] = {"OJ-SRV-20", server_rule_audio, NULL, INDEX | ENTRIES, false, false},
    [SERVER_RULE_21] = {"OJ-SRV-21", server_rule_backend, NULL, 0, false, false},
    [SERVER_RULE_22] = {"OJ-SRV-22", server_rule_any_pace, NULL, INDEX | ENTRIES, true, false},
};

static_assert(offsetof(struct server_rule_set, book) == 0, "a set begins with its book");
static_assert((size_t)SERVER_RULE_COUNT <= (size_t)RULES_MAX, "the book has a record for every rule");
static_assert((size_t)FINDINGS_PENDING_MAX > (size_t)SERVER_RULE_COUNT,
              "every rule may find something in the same event");

static bool rule_applies(const struct profile *profile, const char *id)
{
    const struct requirement *requirement = requirement_by_id(id);
    return requirement != NULL && requirement_applies(requirement, profile);
}

static struct server_rule_set *server_rule_set_new(const struct server_rule_context *context)
{
    struct server_rule_set *rules = calloc(1, sizeof *rules);
    if (rules == NULL)
        return NULL;
    rules->context = *context;
    rules->picture.width = context->picture_width;
    rules->picture.height = context->picture_height;
    server_speech_init(&rules->session.speech);
    for (size_t i = 0; i < SERVER_RULE_COUNT; i++) {
        rules->book.records[i].requirement = RULES[i].requirement;
        rules->applies[i] = rule_applies(context->profile, RULES[i].requirement);
    }
    return rules;
}

static void destroy(struct server_rule_set *rules)
{
    if (rules != NULL)
        server_speech_free(&rules->session.speech);
    free(rules);
}

static const char *server_rule_requirement(size_t n)
{
    return RULES[n].requirement;
}

/* --- what could not be read, or timed --- */

static struct server_rule_traits traits_of(size_t n)
{
    return (struct server_rule_traits){RULES[n].blur, RULES[n].timed, RULES[n].of_messages};
}

static unsigned server_rule_set_blur(const struct server_rule_set *rules)
{
    return rules->blur;
}

/* --- events --- */

static void server_rule_set_finish(struct server_rule_set *rules, uint64_t now_us)
{
    if (rules->session.over)
        return;
    for (size_t i = 0; i < SERVER_RULE_COUNT; i++) {
        if (RULES[i].end != NULL && rules->applies[i])
            RULES[i].end(rules, (enum server_rule)i, now_us);
    }
    rules->session.over = true;
}

static void server_rule_set_event(struct server_rule_set *rules, const struct wire_event *event)
{
    struct server_seen seen = {.event = event};
    rules->book.event_count++;
    server_observe(rules, &seen);
    if (seen.client.no_memory || seen.message.error.status == WIRE_NO_SPACE)
        finding_book_blind(&rules->book);
    for (size_t i = 0; i < SERVER_RULE_COUNT; i++) {
        if (rules->applies[i] && RULES[i].handle != NULL)
            RULES[i].handle(rules, (enum server_rule)i, &seen);
    }
    server_settle(rules, &seen);
    if (event->kind == WIRE_EVENT_CLOSE || event->kind == WIRE_EVENT_END)
        server_rule_set_finish(rules, event->at_us);
}

static const char *blur_requirement(unsigned blur)
{
    (void)blur;
    return "OJ-SRV-19";
}

const struct server_rule_class OJIN_SERVER_RULES = {.count = SERVER_RULE_COUNT,
                                                    .requirement = server_rule_requirement,
                                                    .create = server_rule_set_new,
                                                    .destroy = destroy,
                                                    .event = server_rule_set_event,
                                                    .finish = server_rule_set_finish,
                                                    .take_finding = server_rule_set_take_finding,
                                                    .verdict = server_rule_set_verdict,
                                                    .blur_requirement = blur_requirement,
                                                    .blur = server_rule_set_blur,
                                                    .traits = traits_of,
                                                    .case_requirement =
                                                        "OJ-SRV-16", /* pictures of speech are compared */
                                                    .case_blur = INDEX | ENTRIES};
