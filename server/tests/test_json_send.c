/* A JSON message on its way into the list of actions, with memory and without; and what nobody looks into. */
#include "codec/tests/scarce.h"
#include "codec/tests/suite.h"
#include "codec/wire/json.h"
#include "server/core/json_send.h"
#include "server/core/session_messages.h"

static const char MESSAGE[] = "{\"text\":\"Gr\xc3\xbc\xc3\x9f\x65\"}";

static const struct row {
    const char *name, *members, *extra, *expected;
    bool escaped;
} ROWS[] = {
    {"as it is", "", NULL, MESSAGE, false},
    {"members of the caller", ",\"a\":1", NULL, "{\"text\":\"Gr\xc3\xbc\xc3\x9f\x65\",\"a\":1}", false},
    {"and further ones", ",\"a\":1", ",\"b\":[]", "{\"text\":\"Gr\xc3\xbc\xc3\x9f\x65\",\"a\":1,\"b\":[]}",
     false},
    {"escaped", "", NULL, "{\"text\":\"Gr\\u00fc\\u00dfe\"}", true},
    {"all of it", ",\"a\":\"/\"", ",\"b\":2", "{\"text\":\"Gr\\u00fc\\u00dfe\",\"a\":\"\\/\",\"b\":2}", true},
};

static bool send_row(struct actions *actions, const struct row *row)
{
    const struct json_send_options options = {
        .members = bytes_of_text(row->members), .extra = row->extra, .escaped = row->escaped, .fault = true};
    struct buffer *out = json_send_begin(actions, "label");
    return out != NULL && json_send_end(actions, buffer_append(out, bytes_of_text(MESSAGE)), &options);
}

START_TEST(what_is_put_into_a_message_stands_in_it)
{
    struct actions actions;
    actions_init(&actions);
    ck_assert(json_send_text(&actions, "before", bytes_of_text("{}"), false));
    ck_assert(send_row(&actions, &ROWS[_i]));
    ck_assert_uint_eq(actions.count, 2);
    const struct bytes sent = actions_bytes(&actions, &actions.list[1]);
    ck_assert_msg(bytes_equal_text(sent, ROWS[_i].expected), "%s: %.*s", ROWS[_i].name, (int)sent.len,
                  (const char *)sent.data);
    ck_assert(json_check(sent).status == WIRE_OK);
    ck_assert_int_eq(actions.list[1].kind, ACTION_SEND_TEXT);
    ck_assert_str_eq(actions.list[1].label, "label");
    ck_assert(actions.list[1].fault && !actions.list[0].fault);
    ck_assert(bytes_equal_text(actions_bytes(&actions, &actions.list[0]), "{}"));
    ck_assert(!actions_lack_memory(&actions));
    actions_free(&actions);
}
END_TEST

START_TEST(one_that_was_not_written_is_not_sent)
{
    struct actions actions;
    actions_init(&actions);
    ck_assert_ptr_nonnull(json_send_begin(&actions, "label"));
    ck_assert(!json_send_end(&actions, false, &(struct json_send_options){.fault = false}));
    ck_assert_uint_eq(actions.count, 0);
    actions_free(&actions);
}
END_TEST

/* At each allocation in turn: it is sent whole or not at all, and the list says why. */
START_TEST(without_memory_it_is_not_sent_and_the_list_says_so)
{
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        struct actions actions;
        const long before = scarce_blocks();
        actions_init(&actions);
        scarce_begin(n, false);
        const bool sent = send_row(&actions, &ROWS[_i]);
        failed = scarce_end();
        const bool lacks = actions_lack_memory(&actions), whole = sent && actions.count == 1;
        const size_t count = actions.count;
        actions_clear(&actions);
        const bool forgets = !actions_lack_memory(&actions);
        actions_free(&actions);
        const long left = scarce_blocks() - before;
        ck_assert_int_eq(left, 0);
        ck_assert(sent ? whole : count == 0);
        ck_assert(sent != failed);
        ck_assert(forgets);
        ck_assert(lacks || sent || ROWS[_i].escaped); /* what is escaped has a buffer of its own */
    }
}
END_TEST

START_TEST(nobody_looks_into_messages_of_no_family)
{
    char data[64];
    struct text text = text_of(data, sizeof data);
    const struct bytes message = bytes_of_text("{\"type\":\"error\"}");
    ck_assert_ptr_null(NO_MESSAGES.mistake(false, message, NULL));
    ck_assert(NO_MESSAGES.wrong_offset(message) == SIZE_MAX);
    ck_assert(NO_MESSAGES.input_audio(true, message, NULL, 0) == SESSION_NO_INPUT);
    ck_assert(NO_MESSAGES.is_error_code(bytes_of_text("any")));
    ck_assert(!NO_MESSAGES.blames_client(message, &text));
    ck_assert(!NO_MESSAGES.error_code(message, &text));
    ck_assert_ptr_null(NO_MESSAGES.error_of_status(503));
    ck_assert_uint_eq(text.len, 0);
    ck_assert(!NO_MESSAGES.input_params(true, message, &text));
    ck_assert_str_eq(data, "{}");
    text = text_of(data, sizeof data);
    NO_MESSAGES.error_body(&text, "a \"code\"", 0);
    ck_assert_str_eq(data, "{\"error\":\"a \\\"code\\\"\"}");
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("json_send");
    tcase_add_loop_test(tcase, what_is_put_into_a_message_stands_in_it, 0, TABLE_COUNT(ROWS));
    tcase_add_test(tcase, one_that_was_not_written_is_not_sent);
    tcase_add_loop_test(tcase, without_memory_it_is_not_sent_and_the_list_says_so, 0, TABLE_COUNT(ROWS));
    tcase_add_test(tcase, nobody_looks_into_messages_of_no_family);
    return suite_run("json_send", tcase);
}
