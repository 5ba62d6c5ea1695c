/* What an entry of the journal is shown as to people. */
#include "codec/ojin/profile.h"
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "server/journal/journal.h"
#include "server/journal/recorder.h"
#include "server/ojin/session_class.h"

START_TEST(the_key_never_stands_in_what_is_shown)
{
    static const char KEY[] = "key-0123456789";
    static const struct {
        enum wire_event_kind kind;
        const char *data;
        size_t bytes_max;
        const char *expected;
    } ROWS[] = {{WIRE_EVENT_TEXT, "a key-0123456789 b", 100, "a {key} b"},
                {WIRE_EVENT_TEXT, "a key-0123456789 b", 4, "a {k"},
                {WIRE_EVENT_BINARY, "a key-0123456789 b", 100, "a ************** b"},
                {WIRE_EVENT_BINARY, "a key-0123456789 b", 6, "a ****"}, /* it begins before the cut */
                {WIRE_EVENT_REQUEST, "GET / HTTP/1.1\r\nAuthorization: key-0123456789\r\n\r\n", 100,
                 "GET / HTTP/1.1\r\nAuthorization: {key}\r\n\r\n"}};
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct exact_copy copy = exact_copy_of(bytes_of_text(ROWS[i].data));
        const struct journal_entry entry = {.kind = JOURNAL_WIRE,
                                            .wire = {.kind = ROWS[i].kind, .data = copy.bytes},
                                            .key = bytes_of_text(KEY)};
        struct buffer shown;
        buffer_init(&shown, 1000);
        ck_assert(journal_entry_shown(&entry, ROWS[i].bytes_max, &shown));
        ck_assert_msg(bytes_equal(buffer_bytes(&shown), bytes_of_text(ROWS[i].expected)), "row %zu: %.*s", i,
                      (int)shown.len, (const char *)shown.data);
        buffer_free(&shown);
        exact_copy_free(copy);
    }
}
END_TEST

static void to_text(void *context, const struct journal_entry *entry)
{
    ck_assert(journal_write_entry(entry, context));
    ck_assert(buffer_append(context, bytes_of_text("\n")));
}

/* Whoever quotes it. Where a key is known (1), texts have its hash; with a journal, and without. */
START_TEST(a_wrong_token_of_the_query_is_replaced_in_texts)
{
    static const char head[] = "GET /connect?token=hunter2secret HTTP/1.1\r\nHost: h\r\n\r\n";
    static const char text[] = "{\"type\":\"hello\",\"token\":\"hunter2secret\"}";
    const struct bytes key = bytes_of_text(_i == 1 ? "the-right-key" : "");
    const struct journal_header header = {
        .family = "ojin", .class = &OJIN_SESSION_CLASS, .profile = "oris-1.0"};
    struct buffer lines;
    buffer_init(&lines, 65536);
    struct journal *journal = _i < 2 ? journal_new(&header, key) : NULL;
    struct recorder *recorder = recorder_new(
        &(struct recorder_config){.rules = {.profile = ojin_profile_by_name("oris-1.0"), .key = key},
                                  .journal = journal,
                                  .session_class = session_class_by_family("ojin"),
                                  .sink = to_text,
                                  .context = &lines});
    ck_assert_ptr_nonnull(recorder);
    recorder_connection(recorder, 0);
    const struct wire_event request = {.kind = WIRE_EVENT_REQUEST, .data = bytes_of_text(head)};
    const struct wire_event message = {.kind = WIRE_EVENT_TEXT, .data = bytes_of_text(text)};
    recorder_client_event(recorder, &request);
    recorder_client_event(recorder, &message);
    recorder_free(recorder);
    ck_assert(buffer_append(&lines, bytes_of("", 1)));
    const char *written = (const char *)lines.data;
    ck_assert_msg(strstr(written, "er2secret") == NULL, "%s", written);
    ck_assert_msg(strstr(written, _i == 1 ? "\\\"token\\\":\\\"{other:" : "\\\"token\\\":\\\"{key}") != NULL,
                  "%s", written);
    journal_free(journal);
    buffer_free(&lines);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("shown");
    tcase_add_test(tcase, the_key_never_stands_in_what_is_shown);
    tcase_add_loop_test(tcase, a_wrong_token_of_the_query_is_replaced_in_texts, 0, 3);
    return suite_run("journal_shown", tcase);
}
