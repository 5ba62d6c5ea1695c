/* What waits for its turn to be sent: in order, whole, and bounded. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "server/net/outbox.h"

static struct outbox outbox;
static struct actions made;
static struct actions taken;

static void set_up(void)
{
    outbox = (struct outbox){0};
    actions_init(&made);
    actions_init(&taken);
}

static void tear_down(void)
{
    outbox_clear(&outbox);
    actions_free(&made);
    actions_free(&taken);
}

static enum outbox_status put(enum action_kind kind, const char *label, size_t len, uint8_t fill)
{
    struct action *action;
    actions_clear(&made);
    uint8_t *room = actions_add(&made, kind, label, len, &action);
    ck_assert_ptr_nonnull(room);
    memset(room, fill, len);
    action->code = fill;
    return outbox_add(&outbox, &made, action);
}

START_TEST(test_actions_come_out_whole_and_in_order)
{
    static const size_t sizes[] = {0, 1, 100000, 7};
    for (size_t n = 0; n < 4; n++)
        ck_assert_int_eq(put(ACTION_SEND_BINARY, "speech", sizes[n], (uint8_t)(n + 1)), OUTBOX_TAKEN);
    ck_assert_uint_eq(outbox.count, 4);
    for (size_t n = 0; n < 4; n++) {
        struct action *action = outbox_first(&outbox, &taken);
        ck_assert_ptr_nonnull(action);
        ck_assert_int_eq(action->kind, ACTION_SEND_BINARY);
        ck_assert_str_eq(action->label, "speech");
        ck_assert_uint_eq(action->code, n + 1);
        struct bytes bytes = actions_bytes(&taken, action);
        ck_assert_uint_eq(bytes.len, sizes[n]);
        for (size_t i = 0; i < bytes.len; i++)
            ck_assert_uint_eq(bytes.data[i], n + 1);
        outbox_drop_first(&outbox);
    }
    ck_assert_ptr_null(outbox_first(&outbox, &taken));
    ck_assert_uint_eq(outbox.bytes, 0);
}
END_TEST

/* A face belongs to the persona: a client that is behind costs its own bytes, not the picture again. */
START_TEST(test_what_is_borrowed_waits_where_it_lies)
{
    static const uint8_t face[] = "face";
    const struct bytes spans[] = {bytes_of(face, 1), bytes_of(face + 1, 3)};
    struct action *action;
    actions_clear(&made);
    memcpy(actions_add(&made, ACTION_SEND_BINARY, "speech", 2, NULL), "..", 2);
    ck_assert(actions_borrow(&made, spans, 1));
    actions_grown(&made);
    memcpy(actions_add(&made, ACTION_SEND_BINARY, "speech", 2, &action), "<<", 2);
    ck_assert(actions_borrow(&made, spans, 2));
    ck_assert(buffer_append(actions_tail(&made), bytes_of((const uint8_t *)">", 1)));
    actions_grown(&made);
    ck_assert_int_eq(outbox_add(&outbox, &made, action), OUTBOX_TAKEN);
    ck_assert_uint_eq(outbox.bytes, 7);
    actions_clear(&made);
    action = outbox_first(&outbox, &taken);
    ck_assert_uint_eq(action->borrowed_count, 2);
    ck_assert_ptr_eq(taken.borrowed[1].data, face + 1);
    const struct bytes bytes = actions_bytes(&taken, action);
    ck_assert_uint_eq(bytes.len, 7);
    ck_assert_mem_eq(bytes.data, "<<face>", 7);
}
END_TEST

START_TEST(test_silence_is_dropped_once_much_is_waiting_and_speech_is_not)
{
    ck_assert_int_eq(put(ACTION_SEND_BINARY, "speech", OUTBOX_SILENCE_BYTES_MAX, 1), OUTBOX_TAKEN);
    ck_assert_int_eq(put(ACTION_SEND_BINARY, "silence", 1, 2), OUTBOX_TAKEN);
    ck_assert_int_eq(put(ACTION_SEND_BINARY, "silence", 1, 3), OUTBOX_DROPPED);
    ck_assert_int_eq(put(ACTION_SEND_BINARY, "speech", 1, 4), OUTBOX_TAKEN);
    ck_assert_int_eq(put(ACTION_SEND_TEXT, "silence", 1, 5), OUTBOX_TAKEN);
    ck_assert_uint_eq(outbox.count, 4);
}
END_TEST

START_TEST(test_bytes_are_taken_up_to_the_bound_and_not_past_it)
{
    ck_assert_int_eq(put(ACTION_SEND_BINARY, "speech", OUTBOX_BYTES_MAX - 1, 1), OUTBOX_TAKEN);
    ck_assert_int_eq(put(ACTION_SEND_BINARY, "speech", 2, 2), OUTBOX_FULL);
    ck_assert_int_eq(put(ACTION_SEND_BINARY, "speech", 1, 3), OUTBOX_TAKEN);
    ck_assert_int_eq(put(ACTION_SEND_BINARY, "speech", 1, 4), OUTBOX_FULL);
    ck_assert_int_eq(put(ACTION_MARK, "mark", 0, 5), OUTBOX_TAKEN);
}
END_TEST

START_TEST(test_a_message_larger_than_the_bound_is_taken_alone)
{
    ck_assert_int_eq(put(ACTION_SEND_BINARY, "binary", OUTBOX_BYTES_MAX + 1, 1), OUTBOX_TAKEN);
    ck_assert_int_eq(put(ACTION_SEND_BINARY, "binary", 1, 2), OUTBOX_FULL);
}
END_TEST

START_TEST(test_items_are_taken_up_to_the_bound_and_not_past_it)
{
    for (size_t n = 0; n < OUTBOX_ITEMS_MAX; n++)
        ck_assert_int_eq(put(ACTION_MARK, "mark", 0, 1), OUTBOX_TAKEN);
    ck_assert_int_eq(put(ACTION_MARK, "mark", 0, 1), OUTBOX_FULL);
    outbox_drop_first(&outbox);
    ck_assert_int_eq(put(ACTION_MARK, "mark", 0, 1), OUTBOX_TAKEN);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("outbox");
    TCase *queue = tcase_create("queue");
    tcase_add_checked_fixture(queue, set_up, tear_down);
    tcase_add_test(queue, test_actions_come_out_whole_and_in_order);
    tcase_add_test(queue, test_what_is_borrowed_waits_where_it_lies);
    tcase_add_test(queue, test_silence_is_dropped_once_much_is_waiting_and_speech_is_not);
    tcase_add_test(queue, test_bytes_are_taken_up_to_the_bound_and_not_past_it);
    tcase_add_test(queue, test_a_message_larger_than_the_bound_is_taken_alone);
    tcase_add_test(queue, test_items_are_taken_up_to_the_bound_and_not_past_it);
    suite_add_tcase(suite, queue);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
