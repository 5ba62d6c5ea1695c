/* The list of actions, at its bounds. */
#include "codec/tests/suite.h"
#include "server/core/actions.h"

START_TEST(every_span_has_bytes_of_its_own)
{
    struct actions actions;
    actions_init(&actions);
    for (size_t i = 0; i < ACTIONS_MAX; i++) {
        uint8_t *data = actions_add(&actions, ACTION_SEND_BINARY, "speech", i, NULL);
        ck_assert_ptr_nonnull(data);
        memset(data, (int)i, i);
    }
    for (size_t i = 0; i < ACTIONS_MAX; i++) {
        const struct bytes span = actions_bytes(&actions, &actions.list[i]);
        ck_assert_uint_eq(span.len, i);
        for (size_t k = 0; k < span.len; k++)
            ck_assert_uint_eq(span.data[k], i);
    }
    actions_free(&actions);
}
END_TEST

START_TEST(a_full_list_takes_no_more_until_it_is_cleared)
{
    struct actions actions;
    actions_init(&actions);
    for (size_t i = 0; i < ACTIONS_MAX; i++) {
        ck_assert_uint_eq(actions_room(&actions), ACTIONS_MAX - i);
        ck_assert_ptr_nonnull(actions_add(&actions, ACTION_MARK, "m", 0, NULL));
    }
    ck_assert_uint_eq(actions_room(&actions), 0);
    ck_assert_ptr_null(actions_add(&actions, ACTION_MARK, "m", 0, NULL));
    actions_clear(&actions);
    ck_assert_uint_eq(actions_room(&actions), ACTIONS_MAX);
    ck_assert_ptr_nonnull(actions_add(&actions, ACTION_MARK, "m", 0, NULL));
    actions_free(&actions);
}
END_TEST

START_TEST(a_full_arena_takes_no_more)
{
    struct actions actions;
    actions_init(&actions);
    ck_assert_ptr_null(actions_add(&actions, ACTION_MARK, "m", ACTIONS_BYTES_MAX + 1, NULL));
    ck_assert_ptr_null(actions_add(&actions, ACTION_MARK, "m", SIZE_MAX, NULL));
    ck_assert_ptr_nonnull(actions_add(&actions, ACTION_MARK, "m", ACTIONS_BYTES_MAX, NULL));
    ck_assert_ptr_null(actions_add(&actions, ACTION_MARK, "m", 1, NULL));
    ck_assert_uint_eq(actions.count, 1);
    actions_free(&actions);
}
END_TEST

START_TEST(a_long_label_is_cut)
{
    struct actions actions;
    struct action *action = NULL;
    actions_init(&actions);
    ck_assert_ptr_nonnull(
        actions_add(&actions, ACTION_MARK, "0123456789012345678901234567890123456789", 0, &action));
    ck_assert_str_eq(action->label, "0123456789012345678901234567890");
    ck_assert(!action->fault);
    actions_free(&actions);
}
END_TEST

/* The first are borrowed, those there is no room for are copied: the bytes are the same. */
START_TEST(what_is_borrowed_is_there_when_it_is_asked_for)
{
    static const uint8_t text[] = "borrowed";
    const struct bytes spans[3] = {bytes_of(text, 3), bytes_of(text + 3, 0), bytes_of(text + 3, 5)};
    struct actions actions;
    struct action *action = NULL;
    actions_init(&actions);
    for (size_t n = 0; n < ACTIONS_MAX; n++) {
        uint8_t *head = actions_add(&actions, ACTION_SEND_BINARY, "speech", 2, &action);
        ck_assert_ptr_nonnull(head);
        memcpy(head, "<<", 2);
        ck_assert(actions_borrow(&actions, spans, 3));
        ck_assert(buffer_append(actions_tail(&actions), bytes_of((const uint8_t *)">", 1)));
        actions_grown(&actions);
        ck_assert_uint_eq(action->borrowed_count, n < ACTIONS_BORROWED_MAX / 3 ? 3 : 0);
    }
    for (size_t n = 0; n < ACTIONS_MAX; n++) {
        const struct bytes bytes = actions_bytes(&actions, &actions.list[n]);
        ck_assert_uint_eq(bytes.len, 11);
        ck_assert_mem_eq(bytes.data, "<<borrowed>", 11);
    }
    actions_free(&actions);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("actions");
    tcase_add_test(tcase, every_span_has_bytes_of_its_own);
    tcase_add_test(tcase, a_full_list_takes_no_more_until_it_is_cleared);
    tcase_add_test(tcase, a_full_arena_takes_no_more);
    tcase_add_test(tcase, a_long_label_is_cut);
    tcase_add_test(tcase, what_is_borrowed_is_there_when_it_is_asked_for);
    return suite_run("actions", tcase);
}
