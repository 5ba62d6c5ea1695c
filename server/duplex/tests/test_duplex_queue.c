/* Waiting for a worker, in virtual time, with several sessions of one pool: 002 Setup, Error Codes. */
#include "codec/tests/suite.h"
#include "server/duplex/session_class.h"
#include "server/duplex/tests/talk.h"

static void come_in(struct talk *talk, const char *quirks, struct worker_pool *pool)
{
    talk_new(talk, "video", quirks, pool);
    talk_request(talk, TALK_HEAD("?mode=video"));
    talk_run(talk, 0);
}

static void check_labels(const struct talk *talk, const char *expected)
{
    char labels[TALK_TEXT_MAX];
    talk_labels(talk, labels);
    ck_assert_str_eq(labels, expected);
}

START_TEST(who_finds_no_worker_waits_for_the_first_that_leaves)
{
    struct worker_pool pool;
    struct talk first, second, third;
    worker_pool_init(&pool, 1, 2);
    come_in(&first, "", &pool);
    come_in(&second, "", &pool);
    come_in(&third, "", &pool);
    check_labels(&first, "accept queue_done");
    check_labels(&second, "accept queued");
    check_labels(&third, "accept queued");
    ck_assert_int_eq(talk_last(&second, "queued")->number, 1);
    ck_assert_int_eq(talk_last(&third, "queued")->number, 2);
    ck_assert_str_eq(talk_last(&third, "queued")->word, "ticket_3");
    ck_assert(talk_last(&third, "queued")->wait_s == 600.0);
    talk_run(&second, 7 * TALK_SECOND_US);
    talk_run(&third, 7 * TALK_SECOND_US);
    ck_assert_uint_eq(talk_count(&third, "queue_update"), 2);
    ck_assert_uint_eq(talk_nth(&third, "queue_update", 1)->at_us, 6 * TALK_SECOND_US);
    talk_run(&first, 7 * TALK_SECOND_US);
    talk_event(&first, SESSION_CLOSED, (struct bytes){0});
    talk_run(&second, 8 * TALK_SECOND_US);
    talk_run(&third, 8 * TALK_SECOND_US);
    ck_assert_str_eq(second.said[second.count - 1].label, "queue_done");
    ck_assert_int_eq(talk_last(&third, "queue_update")->number, 1);
    talk_free(&second);
    talk_run(&third, 9 * TALK_SECOND_US);
    ck_assert_str_eq(third.said[third.count - 1].label, "queue_done");
    talk_finish(&third);
    talk_check_sound(&third);
    ck_assert_int_eq(talk_verdict(&third, "DX-SRV-01"), RULE_KEPT);
    talk_free(&third);
    talk_free(&first);
    ck_assert_uint_eq(pool.busy, 0);
    ck_assert_uint_eq(pool.waiting, 0);
}
END_TEST

START_TEST(one_that_gives_up_waiting_lets_those_behind_it_move_up)
{
    struct worker_pool pool;
    struct talk talks[4];
    worker_pool_init(&pool, 1, 3);
    for (size_t i = 0; i < 4; i++)
        come_in(&talks[i], "", &pool);
    talk_event(&talks[1], SESSION_CLOSED, (struct bytes){0});
    talk_run(&talks[3], TALK_SECOND_US);
    ck_assert_int_eq(talk_last(&talks[3], "queue_update")->number, 2);
    talk_free(&talks[0]);
    talk_run(&talks[2], TALK_SECOND_US);
    ck_assert_uint_eq(talk_count(&talks[2], "queue_done"), 1);
    for (size_t i = 1; i < 4; i++)
        talk_free(&talks[i]);
    ck_assert_ptr_null(pool.first);
    ck_assert_ptr_null(pool.last);
}
END_TEST

static const struct {
    uint32_t queue;
    const char *quirks;
    const char *code;
} REFUSALS[] = {{0, "", "worker_busy"},
                {1, "", "queue_full"},
                {5, "no-worker=service_unavailable", "service_unavailable"},
                {5, "no-worker=queue_full", "queue_full"},
                {5, "no-worker=worker_busy", "worker_busy"},
                {5, "no-worker=worker_connect_failed", "worker_connect_failed"}};

START_TEST(without_a_worker_and_a_place_it_is_told_and_closed)
{
    struct worker_pool pool;
    struct talk first, second, talk;
    worker_pool_init(&pool, 1, REFUSALS[_i].queue);
    come_in(&first, "", &pool);
    come_in(&second, "", &pool);
    come_in(&talk, REFUSALS[_i].quirks, &pool);
    check_labels(&talk, "accept error close");
    ck_assert_str_eq(talk_last(&talk, "error")->word, REFUSALS[_i].code);
    ck_assert_uint_eq(talk_last(&talk, "close")->code, 1013);
    talk_finish(&talk);
    talk_check_sound(&talk);
    ck_assert_int_eq(talk_verdict(&talk, "DX-SRV-06"), RULE_KEPT);
    talk_free(&first);
    talk_free(&second);
    talk_free(&talk);
}
END_TEST

START_TEST(by_quirk_it_waits_though_a_worker_is_there)
{
    struct talk talk;
    come_in(&talk, "wait=7s place=3", NULL);
    talk_run(&talk, 8 * TALK_SECOND_US);
    ck_assert_int_eq(talk_nth(&talk, "queued", 0)->number, 3);
    ck_assert_int_eq(talk_last(&talk, "queue_update")->number, 1);
    ck_assert_uint_eq(talk_last(&talk, "queue_done")->at_us, 7 * TALK_SECOND_US);
    /* falls at 2.33 and 4.67 s, and nothing is older than 3 s */
    ck_assert_uint_eq(talk_count(&talk, "queue_update"), 2);
    talk_free(&talk);
}
END_TEST

START_TEST(what_is_sent_while_queueing_is_refused)
{
    struct talk talk;
    come_in(&talk, "wait=2s", NULL);
    talk_update(&talk);
    ck_assert_uint_eq(talk_errors(&talk, "not_ready"), 1);
    talk_run(&talk, 3 * TALK_SECOND_US);
    ck_assert_uint_eq(talk_count(&talk, "created"), 0);
    talk_update(&talk);
    talk_wait(&talk, 0);
    ck_assert_uint_eq(talk_count(&talk, "created"), 1);
    talk_free(&talk);
}
END_TEST

START_TEST(or_kept_by_quirk)
{
    struct talk talk;
    come_in(&talk, "wait=2s buffers-early", NULL);
    talk_update(&talk);
    ck_assert_uint_eq(talk_count(&talk, "error"), 0);
    talk_run(&talk, 3 * TALK_SECOND_US);
    ck_assert_uint_eq(talk_last(&talk, "created")->at_us, 2 * TALK_SECOND_US);
    talk_free(&talk);
}
END_TEST

START_TEST(waiting_counts_into_the_time_of_a_session)
{
    struct worker_pool pool;
    struct talk first, second;
    worker_pool_init(&pool, 1, 1);
    come_in(&first, "", &pool);
    come_in(&second, "", &pool);
    talk_run(&second, 301 * TALK_SECOND_US);
    ck_assert_str_eq(talk_last(&second, "closed")->word, "timeout");
    ck_assert_uint_eq(talk_last(&second, "closed")->at_us, 300 * TALK_SECOND_US);
    ck_assert_uint_eq(pool.waiting, 0);
    talk_free(&first);
    talk_free(&second);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("queue");
    tcase_add_test(tcase, who_finds_no_worker_waits_for_the_first_that_leaves);
    tcase_add_test(tcase, one_that_gives_up_waiting_lets_those_behind_it_move_up);
    tcase_add_loop_test(tcase, without_a_worker_and_a_place_it_is_told_and_closed, 0, TABLE_COUNT(REFUSALS));
    tcase_add_test(tcase, by_quirk_it_waits_though_a_worker_is_there);
    tcase_add_test(tcase, what_is_sent_while_queueing_is_refused);
    tcase_add_test(tcase, or_kept_by_quirk);
    tcase_add_test(tcase, waiting_counts_into_the_time_of_a_session);
    return suite_run("duplex queue", tcase);
}
