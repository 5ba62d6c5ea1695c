/*
 * Changes any bytes as a message of any form. The same seed makes the same bytes, and never more than fit.
 * What is said of a change is true, and no way of making a message smaller makes it longer.
 *
 * Input: form, room beyond the message, seed (two bytes), where the other message begins; then both.
 */
#include <stdlib.h>

#include "codec/mutate/mutate.h"
#include "codec/tests/exact_copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* Each way of making a message smaller is tried on a copy: the product of both is what an input may cost. */
enum { HEAD_BYTES = 5, MESSAGE_BYTES_MAX = 1024, WAYS_MAX = 300, ROUNDS = 4 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static size_t form_count(const struct mutate_class *class)
{
    size_t count = 0;
    while (class->forms[count].name != NULL)
        count++;
    return count;
}

static const struct mutate_form *form_at(size_t n)
{
    size_t all = 0;
    for (size_t i = 0; MUTATE_CLASSES[i] != NULL; i++)
        all += form_count(MUTATE_CLASSES[i]);
    check(all > 0);
    n %= all;
    for (size_t i = 0;; i++) {
        const size_t count = form_count(MUTATE_CLASSES[i]);
        if (n < count)
            return &MUTATE_CLASSES[i]->forms[n];
        n -= count;
    }
}

/* A copy of the message in a block of exactly the room. */
static struct exact_copy in_room(struct bytes message, size_t room)
{
    uint8_t *owned = calloc(room == 0 ? 1 : room, 1);
    check(owned != NULL);
    if (message.len > 0)
        memcpy(owned, message.data, message.len);
    return (struct exact_copy){.owned = owned, .bytes = bytes_of(owned, message.len)};
}

static void check_told(struct bytes before, struct bytes after, const struct mutation *mutation)
{
    check(bytes_equal(before, after) == (mutation->what == NULL));
    if (mutation->what == NULL)
        return;
    check(mutation->offset <= before.len && mutation->offset <= after.len);
    check(bytes_equal(bytes_of(before.data, mutation->offset), bytes_of(after.data, mutation->offset)));
}

/* As a fuzzing engine does: one change on top of the other. */
static void change(const struct mutate_form *form, uint64_t seed, struct bytes message, struct bytes other,
                   size_t room)
{
    const struct exact_copy others = exact_copy_of(other);
    struct exact_copy one = in_room(message, room), two = in_room(message, room);
    struct seeded first = {.state = seed}, second = {.state = seed};
    for (int round = 0; round < ROUNDS; round++) {
        const struct exact_copy before = exact_copy_of(one.bytes);
        struct mutation mutation, again;
        one.bytes.len = mutate_message(form, &first, others.bytes, one.owned, one.bytes.len, room, &mutation);
        two.bytes.len = mutate_message(form, &second, others.bytes, two.owned, two.bytes.len, room, &again);
        check(one.bytes.len <= room && bytes_equal(one.bytes, two.bytes));
        check(mutation.what == again.what && mutation.offset == again.offset);
        check_told(before.bytes, one.bytes, &mutation);
        exact_copy_free(before);
    }
    exact_copy_free(one);
    exact_copy_free(two);
    exact_copy_free(others);
}

static void make_smaller(const struct mutate_form *form, struct bytes message)
{
    for (size_t n = 0; form->smaller != NULL && n < WAYS_MAX; n++) {
        struct exact_copy copy = exact_copy_of(message);
        const size_t left = form->smaller(n, copy.owned, message.len);
        const bool over = left == MUTATE_NO_MORE;
        check(over ? bytes_equal(copy.bytes, message) : left <= message.len);
        exact_copy_free(copy);
        if (over)
            return;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len < HEAD_BYTES || len > HEAD_BYTES + MESSAGE_BYTES_MAX)
        return 0;
    const struct mutate_form *form = form_at(data[0]);
    const uint64_t seed = (uint64_t)data[2] << 8 | data[3];
    const struct bytes both = bytes_of(data + HEAD_BYTES, len - HEAD_BYTES);
    const size_t cut = both.len * data[4] / 255;
    const struct bytes other = bytes_of(both.data + cut, both.len - cut);
    const struct bytes message = bytes_of(both.data, cut);
    change(form, seed, message, other, message.len + data[1]);
    make_smaller(form, message);
    return 0;
}
