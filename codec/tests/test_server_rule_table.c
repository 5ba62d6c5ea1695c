/* What the table of rules for servers says of each: what it rests on, what it takes to judge it. */
#include <check.h>

#include "codec/rules/duplex/classes.h"
#include "codec/rules/interview/classes.h"
#include "codec/rules/ojin/classes.h"
#include "codec/tests/suite.h"

/* Nothing that rests on no frame is hidden by them, and what is read of frames rests on some of it. */
START_TEST(says_what_rests_on_frames)
{
    static const char *const FREE[] = {"OJ-SRV-01", "OJ-SRV-02", "OJ-SRV-03", "OJ-SRV-04",
                                       "OJ-SRV-10", "OJ-SRV-12", "OJ-SRV-13", "OJ-SRV-14",
                                       "OJ-SRV-18", "OJ-SRV-19", "OJ-SRV-21"};
    for (size_t i = 0; i < TABLE_COUNT(FREE); i++)
        ck_assert_uint_eq(server_traits_of_requirement(&OJIN_SERVER_RULES, FREE[i]).blur, 0);
    ck_assert_uint_eq(server_traits_of_requirement(&OJIN_SERVER_RULES, "OJ-SRV-07").blur,
                      SERVER_BLUR_ENTRIES);
    ck_assert_uint_eq(server_traits_of_requirement(&OJIN_SERVER_RULES, "OJ-SRV-05").blur, SERVER_BLUR_INDEX);
    ck_assert_uint_eq(server_traits_of_requirement(&OJIN_SERVER_RULES, "OJ-SRV-16").blur,
                      SERVER_BLUR_INDEX | SERVER_BLUR_ENTRIES);
}
END_TEST

static bool timed(struct server_rule_traits traits)
{
    return traits.timed;
}

static bool of_messages(struct server_rule_traits traits)
{
    return traits.of_messages;
}

/* Of all the class's requirements, is it said of these alone? */
static void assert_said_of(const struct server_rule_class *class,
                           bool (*says)(struct server_rule_traits traits), const char *const *of,
                           size_t count)
{
    size_t said = 0;
    for (size_t n = 0; n < class->count; n++)
        said += says(server_traits_of_requirement(class, class->requirement(n))) ? 1 : 0;
    ck_assert_uint_eq(said, count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(says(server_traits_of_requirement(class, of[i])), "%s", of[i]);
}

/* A wait of seconds for a single answer leaves room for a late machine; a rate, a length or a pong does not.
 */
START_TEST(says_what_is_held_against_the_clock)
{
    static const char *const TIMED[] = {"OJ-SRV-05", "OJ-SRV-06", "OJ-SRV-10", "OJ-SRV-18", "OJ-SRV-22"};
    static const char *const DUPLEX_TIMED[] = {"DX-SRV-10", "DX-SRV-15"};
    assert_said_of(&OJIN_SERVER_RULES, timed, TIMED, TABLE_COUNT(TIMED));
    static const char *const INTERVIEW_TIMED[] = {"IV-SRV-05"};
    assert_said_of(&DUPLEX_SERVER_RULES, timed, DUPLEX_TIMED, TABLE_COUNT(DUPLEX_TIMED));
    assert_said_of(&INTERVIEW_SERVER_RULES, timed, INTERVIEW_TIMED, TABLE_COUNT(INTERVIEW_TIMED));
    ck_assert(!server_traits_of_requirement(&OJIN_SERVER_RULES, "OJ-SRV-16").timed);
    ck_assert(!server_traits_of_requirement(&OJIN_SERVER_RULES, "OJ-IN-08").timed);
}
END_TEST

START_TEST(says_what_hangs_on_the_servers_messages_alone)
{
    static const char *const ALONE[] = {"OJ-SRV-03", "OJ-SRV-07", "OJ-SRV-14", "OJ-SRV-15", "OJ-SRV-19"};
    static const char *const DUPLEX_ALONE[] = {"DX-SRV-01", "DX-SRV-02", "DX-SRV-06", "DX-SRV-07",
                                               "DX-SRV-08", "DX-SRV-09", "DX-SRV-17", "DX-SRV-18"};
    assert_said_of(&OJIN_SERVER_RULES, of_messages, ALONE, TABLE_COUNT(ALONE));
    static const char *const INTERVIEW_ALONE[] = {"IV-SRV-03", "IV-SRV-09"};
    assert_said_of(&DUPLEX_SERVER_RULES, of_messages, DUPLEX_ALONE, TABLE_COUNT(DUPLEX_ALONE));
    assert_said_of(&INTERVIEW_SERVER_RULES, of_messages, INTERVIEW_ALONE, TABLE_COUNT(INTERVIEW_ALONE));
    ck_assert(!server_traits_of_requirement(&OJIN_SERVER_RULES, "OJ-SRV-16").of_messages);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("server rule table");
    tcase_add_test(tcase, says_what_rests_on_frames);
    tcase_add_test(tcase, says_what_is_held_against_the_clock);
    tcase_add_test(tcase, says_what_hangs_on_the_servers_messages_alone);
    return suite_run("server rule table", tcase);
}
