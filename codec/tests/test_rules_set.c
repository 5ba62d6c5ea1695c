/* What holds for all rules: how many findings are kept, and what they carry. */
#include <assert.h>
#include <check.h>

#include "codec/ojin/input.h"
#include "codec/ojin/profile.h"
#include "codec/rules/ojin/classes.h"
#include "codec/tests/suite.h"

static const uint64_t EPOCH_MS = 1750000000000;

static struct rule_set *new_set(void)
{
    struct rule_context context = {.profile = ojin_profile_by_name("oris-1.0"), .epoch_ms = EPOCH_MS};
    struct rule_set *rules = OJIN_RULES.create(&context);
    ck_assert_ptr_nonnull(rules);
    struct wire_event ready = {.direction = WIRE_FROM_SERVER,
                               .kind = WIRE_EVENT_TEXT,
                               .data =
                                   bytes_of_text("{\"type\":\"sessionReady\",\"payload\":{\"trace_id\":\"t\","
                                                 "\"status\":\"success\",\"load\":0}}")};
    ready.message_bytes = ready.data.len;
    OJIN_RULES.event(rules, &ready);
    return rules;
}

static void send_text(struct rule_set *rules, uint64_t at_us, const char *text)
{
    struct wire_event event = {
        .at_us = at_us, .direction = WIRE_FROM_CLIENT, .kind = WIRE_EVENT_TEXT, .data = bytes_of_text(text)};
    event.message_bytes = event.data.len;
    OJIN_RULES.event(rules, &event);
}

static size_t count_findings(struct rule_set *rules, struct finding *last)
{
    size_t count = 0;
    while (OJIN_RULES.take_finding(rules, last))
        count++;
    return count;
}

static enum rule_verdict verdict_of(const struct rule_set *rules, const char *requirement)
{
    for (size_t i = 0; i < OJIN_RULES.count; i++) {
        if (strcmp(OJIN_RULES.requirement(i), requirement) == 0)
            return OJIN_RULES.verdict(rules, i);
    }
    ck_abort_msg("no rule %s", requirement);
}

START_TEST(a_rule_keeps_its_first_three_findings)
{
    struct rule_set *rules = new_set();
    struct finding last = {.requirement = NULL};
    for (uint64_t i = 1; i <= 10; i++)
        send_text(rules, i * 1000000, "{\"type\":\"endInteraction\"}");
    ck_assert_uint_eq(count_findings(rules, &last), FINDINGS_PER_RULE_MAX);
    ck_assert_str_eq(last.requirement, "OJ-END-01");
    ck_assert_uint_eq(last.at_us, 3000000);
    ck_assert_uint_eq(last.event, 3);
    ck_assert(!last.note);
    ck_assert_int_eq(verdict_of(rules, "OJ-END-01"), RULE_BROKEN);
    OJIN_RULES.destroy(rules);
}
END_TEST

START_TEST(findings_come_in_the_order_they_were_met)
{
    struct rule_set *rules = new_set();
    struct finding finding;
    send_text(rules, 1000000, "{\"type\":\"cancelInteraction\"}");
    send_text(rules, 2000000, "{\"type\":\"endInteraction\"}");
    ck_assert(OJIN_RULES.take_finding(rules, &finding));
    ck_assert_str_eq(finding.requirement, "OJ-CAN-01");
    ck_assert(OJIN_RULES.take_finding(rules, &finding));
    ck_assert_str_eq(finding.requirement, "OJ-END-01");
    ck_assert(!OJIN_RULES.take_finding(rules, &finding));
    OJIN_RULES.destroy(rules);
}
END_TEST

START_TEST(findings_nobody_takes_are_bounded)
{
    struct rule_set *rules = new_set();
    struct finding last;
    for (uint64_t i = 0; i < 100; i++) {
        send_text(rules, i, "{\"type\":\"endInteraction\"}");
        send_text(rules, i, "{\"type\":\"cancelInteraction\"}");
        send_text(rules, i, "\x01");
    }
    size_t count = count_findings(rules, &last);
    ck_assert_uint_ge(count, 3);
    ck_assert_uint_le(count, FINDINGS_PENDING_MAX);
    OJIN_RULES.destroy(rules);
}
END_TEST

static void send_input(struct rule_set *rules, uint64_t at_us, uint8_t type, uint64_t timestamp_ms,
                       const char *params)
{
    uint8_t message[128];
    struct writer writer = writer_of(message, sizeof message);
    const struct ojin_input input = {
        .payload_type = type, .timestamp_ms = timestamp_ms, .params = bytes_of_text(params)};
    ojin_input_write(&writer, &input);
    const struct wire_event event = {.at_us = at_us,
                                     .direction = WIRE_FROM_CLIENT,
                                     .kind = WIRE_EVENT_BINARY,
                                     .message_bytes = writer.len,
                                     .data = bytes_of(message, writer.len)};
    OJIN_RULES.event(rules, &event);
}

/* Six rules at least, broken three times each, which is more than one event could do. */
START_TEST(no_finding_is_lost_while_there_are_no_more_than_rules)
{
    struct rule_set *rules = new_set();
    struct finding last;
    for (uint64_t i = 0; i < FINDINGS_PER_RULE_MAX; i++) {
        const uint64_t at_us = 10000000 * i;
        const uint64_t now_ms = EPOCH_MS + at_us / 1000;
        send_text(rules, at_us, "{\"type\":\"endInteraction\"}");
        send_text(rules, at_us, "{\"type\":\"cancelInteraction\"}");
        send_input(rules, at_us, 2, now_ms, "");
        send_input(rules, at_us, 1, 5, "");
        send_input(rules, at_us, 1, now_ms, "no JSON");
        send_input(rules, at_us, 1, now_ms, "{\"idle_filter_amount\":true}");
    }
    static_assert(FINDINGS_PENDING_MAX >= 6 * FINDINGS_PER_RULE_MAX, "they must fit");
    ck_assert_uint_ge(count_findings(rules, &last), 6 * FINDINGS_PER_RULE_MAX);
    ck_assert_uint_gt(FINDINGS_PENDING_MAX, OJIN_RULES.count);
    OJIN_RULES.destroy(rules);
}
END_TEST

START_TEST(a_burst_is_said_once_and_the_next_one_again)
{
    struct rule_set *rules = new_set();
    struct finding last = {.requirement = NULL};
    for (uint64_t i = 0; i < 20; i++)
        send_text(rules, 1000000 + i, "hello");
    ck_assert_uint_eq(count_findings(rules, &last), 1);
    ck_assert_str_eq(last.requirement, "OJ-IN-08");
    ck_assert_uint_eq(last.event, 7);
    for (uint64_t i = 0; i < 20; i++)
        send_text(rules, 5000000 + i, "hello");
    ck_assert_uint_eq(count_findings(rules, &last), 1);
    OJIN_RULES.destroy(rules);
}
END_TEST

static const struct {
    uint64_t spread_us; /* of seven messages, a second after which it happens again */
    bool told, note;
    const char *actual;
} SQUEEZES[] = {
    {0, true, false, "7 messages within 0 ms, 1000 ms less than a second"},
    {700000, true, false, "7 messages within 700 ms, 300 ms less than a second"},
    {950000, true, false, "7 messages within 950 ms, 50 ms less than a second"},
    {950001, true, true, "7 messages within 950 ms, 50 ms less than a second: the server refuses the last"},
    {999999, true, true, "7 messages within 999 ms, 1 ms less than a second: the server refuses the last"},
    {1000000, false, false, ""},
};

/* Everything that the mock refuses is told, with the margin; what the network may have done breaks nothing.
 */
START_TEST(seven_messages_within_a_second_are_told_with_the_margin)
{
    struct rule_set *rules = new_set();
    struct finding last = {.requirement = NULL};
    for (uint64_t i = 0; i < 6; i++)
        send_text(rules, 1000000, "hello");
    send_text(rules, 1000000 + SQUEEZES[_i].spread_us, "hello");
    ck_assert_uint_eq(count_findings(rules, &last), SQUEEZES[_i].told ? 1 : 0);
    ck_assert_int_eq(verdict_of(rules, "OJ-IN-08"),
                     SQUEEZES[_i].told && !SQUEEZES[_i].note ? RULE_BROKEN : RULE_KEPT);
    if (SQUEEZES[_i].told) {
        ck_assert_str_eq(last.requirement, "OJ-IN-08");
        ck_assert(last.note == SQUEEZES[_i].note);
        ck_assert_msg(strstr(last.actual, SQUEEZES[_i].actual) == last.actual, "%s", last.actual);
        ck_assert_uint_eq(last.excuse_us, (SQUEEZES[_i].note ? 1000000 : 950000) - SQUEEZES[_i].spread_us);
    }
    OJIN_RULES.destroy(rules);
}
END_TEST

/* First a little too early, then far too early: a note, and then a break. */
START_TEST(a_note_hides_no_break_that_follows)
{
    struct rule_set *rules = new_set();
    struct finding last = {.requirement = NULL};
    for (uint64_t i = 0; i < 7; i++)
        send_text(rules, 1000000 + i * 160000, "hello");
    ck_assert_uint_eq(count_findings(rules, &last), 1);
    ck_assert(last.note);
    send_text(rules, 1970000, "hello");
    ck_assert_uint_eq(count_findings(rules, &last), 1);
    ck_assert(!last.note);
    OJIN_RULES.destroy(rules);
}
END_TEST

START_TEST(a_large_message_is_noted_once_and_breaks_nothing)
{
    static uint8_t large[512001];
    struct rule_set *rules = new_set();
    struct finding last = {.requirement = NULL};
    struct wire_event event = {
        .direction = WIRE_FROM_CLIENT, .kind = WIRE_EVENT_TEXT, .message_bytes = sizeof large};
    memset(large, '?', sizeof large);
    event.data = bytes_of(large, sizeof large);
    OJIN_RULES.event(rules, &event);
    OJIN_RULES.event(rules, &event);
    ck_assert_uint_eq(count_findings(rules, &last), 1);
    ck_assert_str_eq(last.requirement, "OJ-IN-07");
    ck_assert(last.note);
    ck_assert_int_eq(verdict_of(rules, "OJ-IN-07"), RULE_KEPT);
    OJIN_RULES.destroy(rules);
}
END_TEST

START_TEST(finishing_twice_says_nothing_twice)
{
    struct rule_set *rules = new_set();
    struct finding last = {.requirement = NULL};
    OJIN_RULES.finish(rules, 5000000);
    OJIN_RULES.finish(rules, 6000000);
    ck_assert_uint_eq(count_findings(rules, &last), 1);
    ck_assert_str_eq(last.requirement, "OJ-RDY-04");
    OJIN_RULES.destroy(rules);
}
END_TEST

static void ping_or_pong(struct rule_set *rules, uint64_t at_us, bool ping, uint8_t number)
{
    struct wire_event event = {.at_us = at_us,
                               .direction = ping ? WIRE_FROM_SERVER : WIRE_FROM_CLIENT,
                               .kind = ping ? WIRE_EVENT_PING : WIRE_EVENT_PONG,
                               .data = bytes_of(&number, 1)};
    OJIN_RULES.event(rules, &event);
}

START_TEST(what_is_found_at_the_end_names_the_message_it_is_about)
{
    static const struct {
        const char *requirement;
        uint64_t event;
    } FOUND[] = {{"OJ-CON-07", 1}, {"OJ-RDY-04", 0}}; /* the ping without a pong; sessionReady */
    struct rule_set *rules = new_set();
    struct finding finding;
    ping_or_pong(rules, 1000000, true, 7);
    ping_or_pong(rules, 1100000, false, 8); /* nobody asked for that */
    OJIN_RULES.finish(rules, 9000000);
    for (size_t i = 0; i < TABLE_COUNT(FOUND); i++) {
        ck_assert(OJIN_RULES.take_finding(rules, &finding));
        ck_assert_str_eq(finding.requirement, FOUND[i].requirement);
        ck_assert_uint_eq(finding.event, FOUND[i].event);
    }
    ck_assert(!OJIN_RULES.take_finding(rules, &finding));
    OJIN_RULES.destroy(rules);
}
END_TEST

static const struct {
    uint64_t interval_us;
    bool answered;
    enum rule_verdict verdict;
} PING_FLOODS[] = {
    {10000, true, RULE_KEPT},         /* a hundred in a second, and the newest answered */
    {10000, false, RULE_NOT_REACHED}, /* none of them due yet */
    {100000, true, RULE_KEPT},        /* the oldest nearly ten seconds old */
    {110000, true, RULE_BROKEN},      /* more than that */
};

START_TEST(more_pings_than_are_kept_are_judged_by_the_oldest_and_the_newest)
{
    struct rule_set *rules = new_set();
    struct finding finding;
    uint64_t now_us = 0;
    for (uint8_t i = 0; i < 100; i++)
        ping_or_pong(rules, now_us += PING_FLOODS[_i].interval_us, true, i);
    if (PING_FLOODS[_i].answered)
        ping_or_pong(rules, now_us, false, 99);
    ck_assert_int_eq(verdict_of(rules, "OJ-CON-07"), PING_FLOODS[_i].verdict);
    while (OJIN_RULES.take_finding(rules, &finding))
        ck_assert_str_eq(finding.requirement, "OJ-CON-07");
    OJIN_RULES.destroy(rules);
}
END_TEST

static const struct {
    const char *requirement;
    enum requirement_timing timing;
} TIMINGS[] = {
    {"OJ-CON-07", REQUIREMENT_TIMED_BY_SECONDS}, /* a rule, and 3 s for an answer */
    {"OJ-IN-08", REQUIREMENT_TIMED},             /* a rule, and a second for a burst */
    {"OJ-IN-05", REQUIREMENT_UNTIMED},           /* a rule of bytes */
    {"OJ-CON-08", REQUIREMENT_TIMED_BY_SECONDS}, /* cases, and 10 s */
    {"OJ-BUF-05", REQUIREMENT_TIMED},            /* cases, and 240 ms */
    {"OJ-OUT-01", REQUIREMENT_UNTIMED},          /* cases, and bytes */
    {"OJ-SRV-05", REQUIREMENT_UNTIMED},          /* a server's, which server_rules.h knows of */
    {"OJ-XYZ-01", REQUIREMENT_UNTIMED},
    {"", REQUIREMENT_UNTIMED},
};

START_TEST(says_what_is_held_against_the_clock)
{
    ck_assert_msg(rule_timing(&OJIN_RULES, TIMINGS[_i].requirement) == TIMINGS[_i].timing, "%s",
                  TIMINGS[_i].requirement);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("rules_set");
    tcase_add_test(tcase, a_rule_keeps_its_first_three_findings);
    tcase_add_test(tcase, findings_come_in_the_order_they_were_met);
    tcase_add_test(tcase, findings_nobody_takes_are_bounded);
    tcase_add_test(tcase, no_finding_is_lost_while_there_are_no_more_than_rules);
    tcase_add_test(tcase, a_burst_is_said_once_and_the_next_one_again);
    tcase_add_loop_test(tcase, seven_messages_within_a_second_are_told_with_the_margin, 0,
                        TABLE_COUNT(SQUEEZES));
    tcase_add_test(tcase, a_note_hides_no_break_that_follows);
    tcase_add_test(tcase, a_large_message_is_noted_once_and_breaks_nothing);
    tcase_add_test(tcase, finishing_twice_says_nothing_twice);
    tcase_add_test(tcase, what_is_found_at_the_end_names_the_message_it_is_about);
    tcase_add_loop_test(tcase, more_pings_than_are_kept_are_judged_by_the_oldest_and_the_newest, 0,
                        TABLE_COUNT(PING_FLOODS));
    tcase_add_loop_test(tcase, says_what_is_held_against_the_clock, 0, TABLE_COUNT(TIMINGS));
    return suite_run("rules_set", tcase);
}
