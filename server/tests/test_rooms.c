/* Sessions that exclude each other by a name. */
#include "codec/tests/suite.h"
#include "server/core/rooms.h"

#define A bytes_of_text("6f1c1d0e-4b7a")
#define B bytes_of_text("6f1c1d0e-4b7b")

START_TEST(a_room_is_taken_until_it_is_left)
{
    struct rooms rooms = {0};
    struct room_seat seat = {0};
    ck_assert(!room_is_taken(&rooms, A));
    room_take(&seat, &rooms, A);
    ck_assert(room_is_taken(&rooms, A));
    ck_assert(!room_is_taken(&rooms, B));
    room_leave(&seat);
    ck_assert(!room_is_taken(&rooms, A));
    ck_assert(!seat.lost);
    room_leave(&seat); /* outside: nothing */
    ck_assert_ptr_null(rooms.first);
}
END_TEST

START_TEST(who_comes_second_takes_the_room_over)
{
    struct rooms rooms = {0};
    struct room_seat first = {0}, second = {0}, other = {0};
    room_take(&first, &rooms, A);
    room_take(&other, &rooms, B);
    room_take(&second, &rooms, A);
    ck_assert(first.lost);
    ck_assert_ptr_null(first.rooms);
    ck_assert(!second.lost && !other.lost);
    room_leave(&first); /* it is nobody's any more */
    ck_assert(room_is_taken(&rooms, A));
    room_leave(&other); /* in the middle of the list */
    ck_assert(room_is_taken(&rooms, A) && !room_is_taken(&rooms, B));
    room_leave(&second);
    ck_assert_ptr_null(rooms.first);
}
END_TEST

static const struct {
    const char *taken, *asked;
    bool same;
} NAMES[] = {{"abc", "ABC", true}, {"aBc-1", "AbC-1", true}, {"abc", "abcd", false},
             {"", "", true},       {"@b", "`b", false}, /* 0x20 apart, and no letters */
             {"[", "{", false},    {"a1", "a\x11", false},   {"z", "Z", true}};

START_TEST(the_case_of_letters_makes_no_difference)
{
    struct rooms rooms = {0};
    struct room_seat seat = {0};
    room_take(&seat, &rooms, bytes_of_text(NAMES[_i].taken));
    ck_assert_msg(room_is_taken(&rooms, bytes_of_text(NAMES[_i].asked)) == NAMES[_i].same, "%s and %s",
                  NAMES[_i].taken, NAMES[_i].asked);
}
END_TEST

START_TEST(without_rooms_nobody_excludes_anybody)
{
    struct room_seat seat = {0};
    room_take(&seat, NULL, A);
    ck_assert_ptr_null(seat.rooms);
    ck_assert(!room_is_taken(NULL, A));
    room_leave(&seat);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("rooms");
    tcase_add_test(tcase, a_room_is_taken_until_it_is_left);
    tcase_add_test(tcase, who_comes_second_takes_the_room_over);
    tcase_add_loop_test(tcase, the_case_of_letters_makes_no_difference, 0, TABLE_COUNT(NAMES));
    tcase_add_test(tcase, without_rooms_nobody_excludes_anybody);
    return suite_run("rooms", tcase);
}
