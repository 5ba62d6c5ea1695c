/* The parts of the control interface that need no mock: who may ask, which route, which entries. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/family.h"
#include "server/control/counts.h"
#include "server/control/find.h"
#include "server/control/guard.h"
#include "server/control/router.h"
#include "server/core/session.h"

enum { HEAD_MAX = 1024, LINE_BYTES_MAX = 64 * 1024 };

/* A head in a block of its exact size; the caller frees it. */
static uint8_t *head_of(const char *target, const char *lines, struct http_head *out)
{
    char text[HEAD_MAX];
    int len = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\n%s\r\n", target, lines);
    uint8_t *exact = malloc((size_t)len);
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, text, (size_t)len);
    ck_assert_msg(http_head_parse(bytes_of(exact, (size_t)len), out), "%s %s", target, lines);
    return exact;
}

/* ---- guard ---- */

static const char *const NAMES[] = {"mock.internal"};

static const struct {
    const char *name;
    const char *lines;
    bool loopback, anywhere, in;
} GUARDED[] = {
    {"localhost", "Host: localhost:7700\r\n", true, false, true},
    {"address", "Host: 192.0.2.7\r\n", true, false, true},
    {"allowed name", "Host: Mock.Internal:80\r\n", true, false, true},
    {"another peer", "Host: localhost\r\n", false, false, false},
    {"another peer, anywhere", "Host: mock.internal\r\n", false, true, true},
    {"anywhere is no other host", "Host: evil.example\r\n", false, true, false},
    {"user in the host", "Host: localhost@evil.example\r\n", true, false, false},
    {"bracket without an end", "Host: [::1\r\n", true, false, false},
    {"after the bracket", "Host: [::1]x\r\n", true, false, false},
    {"empty brackets", "Host: []\r\n", true, false, false},
    {"port alone", "Host: :7700\r\n", true, false, false},
    {"five numbers", "Host: 127.0.0.0.1\r\n", true, false, false},
    {"three numbers", "Host: 127.0.1\r\n", true, false, false},
    {"dots at the end", "Host: 127.0.0.\r\n", true, false, false},
    {"dots in a row", "Host: 127.0..1\r\n", true, false, false},
    {"long number", "Host: 127.0.0.1111\r\n", true, false, false},
    {"own origin", "Host: localhost:1\r\nOrigin: http://localhost:1\r\n", true, false, true},
    {"other port", "Host: localhost:1\r\nOrigin: http://localhost:2\r\n", true, false, false},
    {"other scheme", "Host: localhost\r\nOrigin: file://localhost\r\n", true, false, false},
    {"empty origin", "Host: localhost\r\nOrigin: \r\n", true, false, false},
};

START_TEST(guard_lets_in_what_it_should)
{
    const struct guard guard = {
        .any_peer = GUARDED[_i].anywhere, .address = "192.0.2.7", .hosts = NAMES, .host_count = 1};
    struct http_head head;
    uint8_t *exact = head_of("/__mock/", GUARDED[_i].lines, &head);
    const char *refusal = guard_refuses(&guard, &head, GUARDED[_i].loopback);
    ck_assert_msg((refusal == NULL) == GUARDED[_i].in, "%s: %s", GUARDED[_i].name,
                  refusal == NULL ? "let in" : refusal);
    if (!GUARDED[_i].loopback && !GUARDED[_i].anywhere)
        ck_assert_msg(refusal != NULL && strstr(refusal, "loopback") != NULL &&
                          strstr(refusal, "--control-anywhere") != NULL,
                      "%s: %s", GUARDED[_i].name, refusal);
    free(exact);
}
END_TEST

/* ---- router ---- */

static void handle_nothing(struct exchange *exchange)
{
    (void)exchange;
}

static const struct route ROUTES[] = {
    {"GET", "", false, handle_nothing, ""},       {"GET", "a", true, handle_nothing, ""},
    {"DELETE", "a", true, handle_nothing, ""},    {"POST", "a/{n}/b", true, handle_nothing, ""},
    {"GET", "s/{id}", false, handle_nothing, ""}, {NULL, NULL, false, NULL, NULL},
};

static const struct {
    const char *method, *path;
    bool in_scenario;
    enum route_result result;
    int row;
    const char *allowed;
    uint32_t number;
    const char *id;
} ROUTED[] = {
    {"GET", "", false, ROUTE_FOUND, 0, "", 0, ""},
    {"HEAD", "a", false, ROUTE_FOUND, 1, "", 0, ""},
    {"DELETE", "a", true, ROUTE_FOUND, 2, "", 0, ""},
    {"PUT", "a", false, ROUTE_NO_METHOD, -1, "GET, DELETE", 0, ""},
    {"POST", "a/4294967295/b", false, ROUTE_FOUND, 3, "", 4294967295, ""},
    {"POST", "a/4294967296/b", false, ROUTE_NO_PATH, -1, "", 0, ""},
    {"POST", "a//b", false, ROUTE_NO_PATH, -1, "", 0, ""},
    {"POST", "a/1/b/", false, ROUTE_NO_PATH, -1, "", 0, ""},
    {"POST", "a/1", false, ROUTE_NO_PATH, -1, "", 0, ""},
    {"POST", "a/1x/b", false, ROUTE_NO_PATH, -1, "", 0, ""},
    {"GET", "s/12", false, ROUTE_FOUND, 4, "", 0, "12"},
    {"GET", "s/123456789012345", false, ROUTE_FOUND, 4, "", 0, "123456789012345"},
    {"GET", "s/1234567890123456", false, ROUTE_NO_PATH, -1, "", 0, ""},
    {"GET", "s/12", true, ROUTE_NO_PATH, -1, "", 0, ""},
    {"get", "a", false, ROUTE_NO_METHOD, -1, "GET, DELETE", 0, ""},
};

START_TEST(routes_are_found)
{
    struct exchange exchange = {0};
    const struct route *found = NULL;
    char allowed[64];
    size_t len = strlen(ROUTED[_i].path);
    uint8_t *exact = malloc(len == 0 ? 1 : len);
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, ROUTED[_i].path, len);
    enum route_result result = route_find(ROUTES, ROUTED[_i].in_scenario, bytes_of_text(ROUTED[_i].method),
                                          bytes_of(exact, len), &exchange, &found, allowed);
    free(exact);
    ck_assert_int_eq(result, ROUTED[_i].result);
    ck_assert_str_eq(allowed, ROUTED[_i].result == ROUTE_NO_METHOD ? ROUTED[_i].allowed : allowed);
    if (result != ROUTE_FOUND)
        return;
    ck_assert_ptr_eq(found, &ROUTES[ROUTED[_i].row]);
    ck_assert_uint_eq(exchange.number, ROUTED[_i].number);
    ck_assert_str_eq(exchange.id, ROUTED[_i].id);
}
END_TEST

/* ---- numbers and durations ---- */

static const struct {
    const char *text;
    uint64_t max;
    bool good;
    uint64_t value;
} DURATIONS[] = {
    {"0ms", 60000, true, 0},  {"250ms", 60000, true, 250}, {"60s", 60000, true, 60000},
    {"61s", 60000, false, 0}, {"1m", 60000, true, 60000},  {"60001ms", 60000, false, 0},
    {"5", 60000, false, 0},   {"s", 60000, false, 0},      {"-1s", 60000, false, 0},
    {"5 s", 60000, false, 0}, {"5sx", 60000, false, 0},    {"99999999999999999999999s", 60000, false, 0},
    {"5h", 60000, false, 0},
};

START_TEST(durations_are_read)
{
    uint64_t value = 0;
    ck_assert_msg(query_duration(DURATIONS[_i].text, DURATIONS[_i].max, &value) == DURATIONS[_i].good, "%s",
                  DURATIONS[_i].text);
    ck_assert_uint_eq(value, DURATIONS[_i].value);
}
END_TEST

START_TEST(numbers_have_a_bound)
{
    uint64_t value = 7;
    ck_assert(query_number("18446744073709551615", UINT64_MAX, &value));
    ck_assert_uint_eq(value, UINT64_MAX);
    ck_assert(!query_number("18446744073709551616", UINT64_MAX, &value));
    ck_assert(!query_number("", 9, &value));
    ck_assert(!query_number("9", 5, &value));
    ck_assert(query_number("5", 5, &value));
    ck_assert(!query_number("6", 5, &value));
    ck_assert_uint_eq(value, 5);
}
END_TEST

/* ---- ring and find ---- */

static bool no_params(bool binary, struct bytes message, struct text *out)
{
    (void)binary, (void)message, (void)out;
    return false;
}

static const struct session_messages MESSAGES = {.input_params = no_params};
static const struct family FIRST_FAMILY = {.name = "first"}, OTHER_FAMILY = {.name = "other"};
static const struct session_class FIRST = {.family = &FIRST_FAMILY, .messages = &MESSAGES};
static const struct session_class OTHER = {.family = &OTHER_FAMILY, .messages = &MESSAGES};

static struct journal_entry text_entry(uint64_t sequence, const char *text)
{
    return (struct journal_entry){.sequence = sequence,
                                  .connection = 1,
                                  .class = &FIRST,
                                  .kind = JOURNAL_WIRE,
                                  .label = "other",
                                  .wire = {.direction = WIRE_FROM_CLIENT,
                                           .kind = WIRE_EVENT_TEXT,
                                           .message_bytes = strlen(text),
                                           .data = bytes_of_text(text)}};
}

static struct journal_entry frame_entry(uint64_t sequence)
{
    static const uint8_t head[JOURNAL_HEAD_BYTES_MAX] = {1, 2, 3};
    return (struct journal_entry){.sequence = sequence,
                                  .connection = 2,
                                  .class = &OTHER,
                                  .is_of_other = true,
                                  .kind = JOURNAL_WIRE,
                                  .label = "speech",
                                  .step = "late",
                                  .has_frame = true,
                                  .frame = {.decodes = true, .index = 1},
                                  .wire = {.direction = WIRE_FROM_SERVER,
                                           .kind = WIRE_EVENT_BINARY,
                                           .message_bytes = 5000,
                                           .data = bytes_of(head, sizeof head)}};
}

START_TEST(a_frame_writes_the_line_that_the_journal_writes)
{
    struct ring ring = {0};
    struct buffer ours, theirs;
    buffer_init(&ours, LINE_BYTES_MAX);
    buffer_init(&theirs, LINE_BYTES_MAX);
    const struct journal_entry entry = frame_entry(3);
    const struct ring_entry *kept = ring_add(&ring, &entry);
    ck_assert_ptr_nonnull(kept);
    ck_assert(ring_entry_write(kept, &ours) && journal_write_entry(&entry, &theirs));
    ck_assert(bytes_equal(buffer_bytes(&ours), buffer_bytes(&theirs)));
    buffer_free(&ours);
    buffer_free(&theirs);
    ring_free(&ring);
}
END_TEST

/* Longer than what is kept as a line, with a character of three bytes where the ring cuts the longest. */
START_TEST(a_long_text_writes_the_line_that_the_journal_writes)
{
    static const size_t LENGTHS[] = {4095, 4096, 100000, RING_TEXT_BYTES_MAX, RING_TEXT_BYTES_MAX + 1000};
    const size_t len = LENGTHS[_i];
    const size_t kept_len = len > RING_TEXT_BYTES_MAX ? RING_TEXT_BYTES_MAX - 1 : len;
    struct ring ring = {0};
    struct buffer ours, theirs;
    uint8_t *text = malloc(len);
    buffer_init(&ours, 2 * RING_TEXT_BYTES_MAX);
    buffer_init(&theirs, 2 * RING_TEXT_BYTES_MAX);
    memset(text, 'a', len);
    memcpy(text + 100, "\"the-secret-key\\\n", 18);
    if (len > RING_TEXT_BYTES_MAX)
        memcpy(text + RING_TEXT_BYTES_MAX - 1, "\xe2\x82\xac", 3);
    struct journal_entry entry = {.sequence = 3,
                                  .at_us = 7,
                                  .connection = 2,
                                  .class = &OTHER,
                                  .kind = JOURNAL_WIRE,
                                  .label = "append",
                                  .key = bytes_of_text("the-secret-key"),
                                  .wire = {.direction = WIRE_FROM_CLIENT,
                                           .kind = WIRE_EVENT_TEXT,
                                           .message_bytes = len,
                                           .data = bytes_of(text, len)}};
    const struct ring_entry *kept = ring_add(&ring, &entry);
    ck_assert_ptr_nonnull(kept);
    entry.wire.data.len = kept_len;
    ck_assert(ring_entry_write(kept, &ours) && journal_write_entry(&entry, &theirs));
    ck_assert(bytes_equal(buffer_bytes(&ours), buffer_bytes(&theirs)));
    ck_assert_uint_gt(ring.bytes, kept_len - 100);
    ring_clear(&ring);
    ck_assert_uint_eq(ring.bytes, 0);
    buffer_free(&ours);
    buffer_free(&theirs);
    free(text);
    ring_free(&ring);
}
END_TEST

START_TEST(what_is_for_replays_is_not_kept)
{
    struct ring ring = {0};
    const struct journal_entry taken = {.kind = JOURNAL_TAKEN}, dropped = {.kind = JOURNAL_DROPPED};
    ck_assert_ptr_null(ring_add(&ring, &taken));
    ck_assert_ptr_null(ring_add(&ring, &dropped));
    ck_assert_uint_eq(ring_count(&ring) + ring.lost, 0);
    ring_free(&ring);
}
END_TEST

START_TEST(the_ring_keeps_the_newest_entries)
{
    struct ring ring = {0};
    for (uint64_t n = 0; n < RING_ENTRIES_MAX; n++) {
        const struct journal_entry entry = frame_entry(n);
        ck_assert_ptr_nonnull(ring_add(&ring, &entry));
    }
    ck_assert_uint_eq(ring_count(&ring), RING_ENTRIES_MAX);
    ck_assert_uint_eq(ring.lost, 0);
    const struct journal_entry more = frame_entry(RING_ENTRIES_MAX);
    ck_assert_ptr_nonnull(ring_add(&ring, &more));
    ck_assert_uint_eq(ring_count(&ring), RING_ENTRIES_MAX);
    ck_assert_uint_eq(ring.lost, 1);
    ck_assert_uint_eq(ring_at(&ring, 0)->sequence, 1);
    ck_assert_uint_eq(ring_at(&ring, RING_ENTRIES_MAX - 1)->sequence, RING_ENTRIES_MAX);
    ck_assert_ptr_null(ring_at(&ring, RING_ENTRIES_MAX));
    ring_clear(&ring);
    ck_assert_uint_eq(ring_count(&ring) + ring.bytes, 0);
    ring_free(&ring);
}
END_TEST

START_TEST(the_ring_has_a_bound_in_bytes)
{
    struct ring ring = {0};
    enum { TEXT_BYTES = 500000, TEXTS = 40 };
    char *text = malloc(TEXT_BYTES + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, 'x', TEXT_BYTES);
    text[TEXT_BYTES] = '\0';
    for (uint64_t n = 0; n < TEXTS; n++) {
        const struct journal_entry entry = text_entry(n, text);
        ck_assert_ptr_nonnull(ring_add(&ring, &entry));
        ck_assert_uint_le(ring.bytes, RING_BYTES_MAX);
    }
    ck_assert_uint_eq(ring_count(&ring) + ring.lost, TEXTS);
    ck_assert_uint_eq(ring_at(&ring, ring_count(&ring) - 1)->sequence, TEXTS - 1);
    free(text);
    ring_free(&ring);
}
END_TEST

static const struct {
    const char *query;
    size_t found;
} FOUND[] = {
    {"", 4},
    {"session=1", 2},
    {"session=2&label=speech", 1},
    {"direction=server", 1},
    {"direction=client&event=text", 2},
    {"kind=finding", 1},
    {"requirement=OJ-IN-08", 1},
    {"requirement=OJ-IN-07", 0},
    {"type=cancelInteraction", 1},
    {"type=cancel", 0},
    {"since=2", 2},
    {"text=tea%22pot", 1},
    {"text=%22type%22", 1},
    {"text=nowhere", 0},
    {"label=speech&text=late", 1},
    {"family=first", 3},
    {"family=other", 1},
    {"family=other&label=speech", 1},
    {"family=first&label=speech", 0},
    {"family=fir", 0},
};

START_TEST(entries_are_found)
{
    char target[HEAD_MAX], error[QUERY_ERROR_MAX];
    struct ring ring = {0};
    struct http_head head;
    struct find find;
    const struct journal_entry entries[] = {
        text_entry(0, "{\"type\":\"cancelInteraction\"}"),
        text_entry(1, "tea\"pot"),
        frame_entry(2),
        {.sequence = 3,
         .connection = 3,
         .class = &FIRST,
         .kind = JOURNAL_FINDING,
         .finding = {.requirement = "OJ-IN-08", .expected = "six", .actual = "seven"}}};
    for (size_t n = 0; n < sizeof entries / sizeof entries[0]; n++)
        ck_assert_ptr_nonnull(ring_add(&ring, &entries[n]));
    snprintf(target, sizeof target, "/__mock/journal?%s", FOUND[_i].query);
    uint8_t *exact = head_of(target, "Host: localhost\r\n", &head);
    ck_assert_msg(find_read(&head, &find, error), "%s", error);
    ck_assert_msg(find_count(&find, &ring) == FOUND[_i].found, "%s", FOUND[_i].query);
    free(exact);
    ring_free(&ring);
}
END_TEST

START_TEST(counters_past_their_places_are_counted_as_other)
{
    struct counts counts = {0};
    char name[COUNT_NAME_MAX];
    for (unsigned n = 0; n < COUNTS_MAX + 10; n++) {
        snprintf(name, sizeof name, "kind-%u", n);
        counts_add(&counts, name, 1);
    }
    ck_assert_uint_eq(counts.used, COUNTS_MAX);
    ck_assert_uint_eq(counts_of(&counts, "other"), 11);
    ck_assert_uint_eq(counts_sum(&counts), COUNTS_MAX + 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("control");
    TCase *tests = tcase_create("parts");
    tcase_add_loop_test(tests, guard_lets_in_what_it_should, 0, sizeof GUARDED / sizeof GUARDED[0]);
    tcase_add_loop_test(tests, routes_are_found, 0, sizeof ROUTED / sizeof ROUTED[0]);
    tcase_add_loop_test(tests, durations_are_read, 0, sizeof DURATIONS / sizeof DURATIONS[0]);
    tcase_add_test(tests, numbers_have_a_bound);
    tcase_add_test(tests, a_frame_writes_the_line_that_the_journal_writes);
    tcase_add_test(tests, what_is_for_replays_is_not_kept);
    tcase_add_loop_test(tests, a_long_text_writes_the_line_that_the_journal_writes, 0, 5);
    tcase_add_test(tests, the_ring_keeps_the_newest_entries);
    tcase_add_test(tests, the_ring_has_a_bound_in_bytes);
    tcase_add_loop_test(tests, entries_are_found, 0, sizeof FOUND / sizeof FOUND[0]);
    tcase_add_test(tests, counters_past_their_places_are_counted_as_other);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
