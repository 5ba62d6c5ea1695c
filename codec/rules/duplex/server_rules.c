#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "codec/rules/duplex/classes.h"
#include "codec/rules/duplex/server_rule_set.h"

enum { OUTPUT = DUPLEX_BLUR_OUTPUT, ERROR = DUPLEX_BLUR_ERROR };

/* One row a rule. */
static const struct {
    const char *requirement;
    duplex_server_handler *handle; /* NULL: another rule's judges it as well */
    duplex_server_clock *clock;    /* NULL: it waits for nothing */
    unsigned blur;                 /* what it reads: enum duplex_blur values */
    bool timed;                    /* it holds times against each other */
    bool of_messages;              /* the server's messages alone break it */
} RULES[DUPLEX_SERVER_RULE_COUNT] = {
    [DUPLEX_SERVER_RULE_01] = {"DX-SRV-01", duplex_server_opening, duplex_server_opening_clock, 0, false,
                               true},
    [DUPLEX_SERVER_RULE_02] = {"DX-SRV-02", duplex_server_session_id, NULL, 0, false, true},
    [DUPLEX_SERVER_RULE_03] = {"DX-SRV-03", duplex_server_answers, duplex_server_answers_clock, ERROR, false,
                               false},
    [DUPLEX_SERVER_RULE_04] = {"DX-SRV-04", NULL, NULL, ERROR, false, false}, /* judged with 03 */
    [DUPLEX_SERVER_RULE_05] = {"DX-SRV-05", duplex_server_invalid_json, duplex_server_invalid_json_clock, 0,
                               false, false},
    [DUPLEX_SERVER_RULE_06] = {"DX-SRV-06", duplex_server_fatal, duplex_server_fatal_clock, ERROR, false,
                               true},
    [DUPLEX_SERVER_RULE_07] = {"DX-SRV-07", duplex_server_turns, NULL, OUTPUT, false, true},
    [DUPLEX_SERVER_RULE_08] = {"DX-SRV-08", NULL, NULL, OUTPUT, false, true}, /* judged with 07 */
    [DUPLEX_SERVER_RULE_09] = {"DX-SRV-09", duplex_server_context, duplex_server_context_clock, OUTPUT, false,
                               true},
    [DUPLEX_SERVER_RULE_10] = {"DX-SRV-10", duplex_server_lasting, duplex_server_lasting_clock, 0, true,
                               false},
    [DUPLEX_SERVER_RULE_11] = {"DX-SRV-11", duplex_server_force, duplex_server_force_clock, 0, false, false},
    [DUPLEX_SERVER_RULE_12] = {"DX-SRV-12", duplex_server_burst, duplex_server_burst_clock, 0, false, false},
    [DUPLEX_SERVER_RULE_13] = {"DX-SRV-13", duplex_server_close, duplex_server_close_clock, 0, false, false},
    [DUPLEX_SERVER_RULE_14] = {"DX-SRV-14", duplex_server_slices, NULL, OUTPUT, false, false},
    [DUPLEX_SERVER_RULE_15] = {"DX-SRV-15", NULL, NULL, 0, true, false}, /* judged with 10 */
    [DUPLEX_SERVER_RULE_16] = {"DX-SRV-16", duplex_server_idle, NULL, 0, false, false},
    [DUPLEX_SERVER_RULE_17] = {"DX-SRV-17", duplex_server_error_form, NULL, 0, false, true},
    [DUPLEX_SERVER_RULE_18] = {"DX-SRV-18", duplex_server_output_form, NULL, 0, false, true},
    [DUPLEX_SERVER_RULE_19] = {"DX-SRV-19", duplex_server_inference, NULL, ERROR, false, false},
    [DUPLEX_SERVER_RULE_20] = {"DX-SRV-20", NULL, NULL, OUTPUT, false, false}, /* judged with 14 */
};

static_assert(offsetof(struct server_rule_set, book) == 0, "a set begins with its book");
static_assert((size_t)DUPLEX_SERVER_RULE_COUNT <= (size_t)RULES_MAX, "the book has a record for every rule");
static_assert((size_t)FINDINGS_PENDING_MAX > (size_t)DUPLEX_SERVER_RULE_COUNT,
              "every rule may find something in the same event");

static const char *requirement_of(size_t n)
{
    return RULES[n].requirement;
}

static struct server_rule_set *set_new(const struct server_rule_context *context)
{
    struct server_rule_set *rules = calloc(1, sizeof *rules);
    if (rules == NULL)
        return NULL;
    rules->context = *context;
    duplex_watch_init(&rules->watch, duplex_profile_of(context->profile));
    rules->options = (struct duplex_read_options){.profile = rules->watch.profile,
                                                  .picture_size = context->picture_size,
                                                  .picture_context = context->picture_context};
    rules->cache_length = -1;
    rules->session_slices = DUPLEX_SLICES_DEFAULT;
    finding_book_open(&rules->book, DUPLEX_SERVER_RULE_COUNT, requirement_of, context->profile);
    return rules;
}

static unsigned set_blur(const struct server_rule_set *rules)
{
    return rules->blur;
}

static struct server_rule_traits traits_of(size_t n)
{
    return (struct server_rule_traits){RULES[n].blur, RULES[n].timed, RULES[n].of_messages};
}

static const char *blur_requirement(unsigned blur)
{
    return (blur & DUPLEX_BLUR_OUTPUT) != 0 ? "DX-SRV-18" : "DX-SRV-17";
}

/* --- events --- */

static void look_at_clock(struct server_rule_set *rules, uint64_t now_us)
{
    rules->book.by_clock = true;
    for (size_t i = 0; i < DUPLEX_SERVER_RULE_COUNT; i++) {
        if (RULES[i].clock != NULL)
            RULES[i].clock(rules, (enum duplex_server_rule)i, now_us);
    }
    rules->book.by_clock = false;
}

static void set_finish(struct server_rule_set *rules, uint64_t now_us)
{
    if (!rules->watch.over)
        look_at_clock(rules, now_us);
    rules->watch.over = true;
}

static void set_event(struct server_rule_set *rules, const struct wire_event *event)
{
    struct duplex_seen seen;
    rules->book.event_count++;
    duplex_watch_observe(&rules->watch, event, &rules->options, &seen);
    if (json_faults_no_memory(&seen.message.faults))
        finding_book_blind(&rules->book);
    if (!rules->watch.over && !seen.ends)
        look_at_clock(rules, event->at_us);
    for (size_t i = 0; i < DUPLEX_SERVER_RULE_COUNT && !rules->watch.over; i++) {
        if (RULES[i].handle != NULL)
            RULES[i].handle(rules, (enum duplex_server_rule)i, &seen);
    }
    duplex_watch_settle(&rules->watch, &seen);
}

const struct server_rule_class DUPLEX_SERVER_RULES = {.count = DUPLEX_SERVER_RULE_COUNT,
                                                      .requirement = requirement_of,
                                                      .create = set_new,
                                                      .destroy = server_rule_set_free,
                                                      .event = set_event,
                                                      .finish = set_finish,
                                                      .take_finding = server_rule_set_take_finding,
                                                      .verdict = server_rule_set_verdict,
                                                      .blur_requirement = blur_requirement,
                                                      .blur = set_blur,
                                                      .traits = traits_of};
