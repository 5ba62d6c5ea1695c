/* What an entry of the journal is shown as to people. */
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "server/journal/journal.h"

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

int main(void)
{
    TCase *tcase = tcase_create("shown");
    tcase_add_test(tcase, the_key_never_stands_in_what_is_shown);
    return suite_run("journal_shown", tcase);
}
