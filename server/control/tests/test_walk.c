/* A journal that is walked in parts: what an answer holds does not depend on them. */
#include "codec/tests/suite.h"
#include "server/control/walk.h"

enum { ENTRIES = 60, ANSWER_MAX = 1024 * 1024 };

static struct journal_entry mark(uint64_t sequence)
{
    struct journal_entry entry = {.sequence = sequence, .kind = JOURNAL_MARK, .connection = 1};
    memcpy(entry.label, sequence % 3 == 0 ? "third" : "other", sizeof "third");
    return entry;
}

static void fill(struct ring *ring, uint64_t from, uint64_t count)
{
    for (uint64_t n = from; n < from + count; n++) {
        const struct journal_entry entry = mark(n);
        ck_assert_ptr_nonnull(ring_add(ring, &entry));
    }
}

/* A part is over after that many entries. */
struct part {
    size_t left; /* at least 1 */
};

static bool part_is_over(void *context)
{
    struct part *part = context;
    return --part->left == 0;
}

/* Returns how many parts it took; none is empty. */
static size_t walk_all(struct walk *walk, struct json_writer *json, size_t entries)
{
    size_t parts = 1;
    for (;;) {
        struct part part = {.left = entries};
        const uint64_t at = walk->at;
        if (walk_go_on(walk, json, part_is_over, &part))
            return parts;
        ck_assert_uint_eq(part.left, 0);
        ck_assert_uint_eq(walk->at, at + entries);
        ck_assert_uint_lt(parts++, ENTRIES + 1);
    }
}

static void begin(struct walk *walk, const struct ring *ring, const char *label, uint64_t limit)
{
    struct find find = {.limit = limit};
    memcpy(find.label, label, strlen(label) + 1);
    walk_begin(walk, ring, &find);
}

static const struct {
    const char *name, *label;
    uint64_t limit, found, next;
} ANSWERS[] = {
    {"all", "", 1000, ENTRIES, ENTRIES},
    {"some", "third", 1000, ENTRIES / 3, ENTRIES},
    {"none", "nothing", 1000, 0, ENTRIES},
    {"as many as the limit", "third", ENTRIES / 3, ENTRIES / 3, ENTRIES},
    {"one more than the limit", "third", ENTRIES / 3 - 1, ENTRIES / 3, ENTRIES - 3},
    {"a limit of none", "third", 0, ENTRIES / 3, 0},
};

START_TEST(parts_make_the_answer_of_the_whole)
{
    struct ring ring = {0};
    struct buffer whole, parts;
    struct walk walk;
    fill(&ring, 0, ENTRIES);
    buffer_init(&whole, ANSWER_MAX);
    struct json_writer json = json_writer_of(&whole);
    begin(&walk, &ring, ANSWERS[_i].label, ANSWERS[_i].limit);
    ck_assert(walk_go_on(&walk, &json, NULL, NULL));
    for (size_t entries = 1; entries <= ENTRIES + 1; entries++) {
        buffer_init(&parts, ANSWER_MAX);
        json = json_writer_of(&parts);
        begin(&walk, &ring, ANSWERS[_i].label, ANSWERS[_i].limit);
        const size_t count = walk_all(&walk, &json, entries);
        ck_assert_uint_eq(count, ENTRIES / entries + 1);
        ck_assert_msg(!json.failed && bytes_equal(buffer_bytes(&parts), buffer_bytes(&whole)), "%s",
                      ANSWERS[_i].name);
        ck_assert_uint_eq(walk.found, ANSWERS[_i].found);
        ck_assert_uint_eq(walk.next, ANSWERS[_i].next);
        ck_assert_uint_eq(walk.kept, ENTRIES);
        ck_assert_uint_eq(walk.missed + walk.lost, 0);
        buffer_free(&parts);
    }
    buffer_free(&whole);
    ring_free(&ring);
}
END_TEST

/* The first is looked at; then six more come, for which the oldest make room. */
START_TEST(what_falls_out_between_two_parts_is_missed)
{
    struct ring ring = {0};
    struct walk walk;
    struct part one = {.left = 1};
    fill(&ring, 0, RING_ENTRIES_MAX);
    begin(&walk, &ring, "", 1000);
    ck_assert(!walk_go_on(&walk, NULL, part_is_over, &one));
    fill(&ring, RING_ENTRIES_MAX, 6);
    ck_assert(walk_go_on(&walk, NULL, NULL, NULL));
    ck_assert_uint_eq(walk.missed, 5);
    ck_assert_uint_eq(walk.found, RING_ENTRIES_MAX - 5);
    ck_assert_uint_eq(walk.next, RING_ENTRIES_MAX); /* where the six are */
    walk_extend(&walk);
    ck_assert(walk_go_on(&walk, NULL, NULL, NULL));
    ck_assert_uint_eq(walk.found, RING_ENTRIES_MAX + 1);
    ring_free(&ring);
}
END_TEST

START_TEST(a_journal_emptied_between_two_parts_ends_the_walk)
{
    struct ring ring = {0};
    struct walk walk;
    struct part one = {.left = 1};
    fill(&ring, 0, ENTRIES);
    begin(&walk, &ring, "", 1000);
    ck_assert(!walk_go_on(&walk, NULL, part_is_over, &one));
    ring_clear(&ring);
    fill(&ring, ENTRIES, 3);
    ck_assert(walk_go_on(&walk, NULL, NULL, NULL));
    ck_assert_uint_eq(walk.found, 1);
    ck_assert_uint_eq(walk.missed, ENTRIES - 1);
    ring_free(&ring);
}
END_TEST

START_TEST(an_answer_that_is_too_long_fails)
{
    struct ring ring = {0};
    struct walk walk;
    struct buffer small;
    fill(&ring, 0, ENTRIES);
    buffer_init(&small, 200);
    struct json_writer json = json_writer_of(&small);
    begin(&walk, &ring, "", 1000);
    ck_assert_uint_eq(walk_all(&walk, &json, 7), ENTRIES / 7 + 1);
    ck_assert(json.failed);
    ck_assert_uint_le(small.len, 200);
    ck_assert_uint_eq(walk.found, ENTRIES);
    buffer_free(&small);
    ring_free(&ring);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("walk");
    tcase_add_loop_test(tcase, parts_make_the_answer_of_the_whole, 0, TABLE_COUNT(ANSWERS));
    tcase_add_test(tcase, what_falls_out_between_two_parts_is_missed);
    tcase_add_test(tcase, a_journal_emptied_between_two_parts_ends_the_walk);
    tcase_add_test(tcase, an_answer_that_is_too_long_fails);
    return suite_run("walk", tcase);
}
