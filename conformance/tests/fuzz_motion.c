/*
 * Any bytes as two pictures of a server under test: how much moves from one to the other is the same from the
 * other to the one, nothing from a picture to itself, and never more than there is brightness.
 *
 * The input: the length of the first picture (2 bytes), it, then the second.
 */
#include <stdlib.h>

#include "codec/tests/exact_copy.h"
#include "conformance/server/host/server_host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { CHANGE_MAX = 255 * 255 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* False where they cannot be compared. */
static bool motion_between(struct bytes before, struct bytes after, double cells[MOTION_CELLS])
{
    struct server_pictures pictures = {0};
    const bool is_compared = server_picture_motion(&pictures, before, true, cells) &&
                             server_picture_motion(&pictures, after, false, cells);
    for (size_t i = 0; is_compared && i < MOTION_CELLS; i++)
        check(cells[i] >= 0 && cells[i] <= CHANGE_MAX);
    free(pictures.grey);
    return is_compared;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    double there[MOTION_CELLS] = {0}, back[MOTION_CELLS] = {0}, still[MOTION_CELLS] = {0};
    if (len < 2)
        return 0;
    const size_t wanted = (size_t)data[0] << 8 | data[1], left = len - 2;
    const size_t first_len = wanted < left ? wanted : left;
    const struct exact_copy first = exact_copy_of(bytes_of(data + 2, first_len));
    const struct exact_copy second = exact_copy_of(bytes_of(data + 2 + first_len, left - first_len));
    if (motion_between(first.bytes, second.bytes, there)) {
        check(motion_between(second.bytes, first.bytes, back));
        check(motion_between(first.bytes, first.bytes, still));
        for (size_t i = 0; i < MOTION_CELLS; i++)
            check(there[i] == back[i] && still[i] == 0);
    }
    exact_copy_free(first);
    exact_copy_free(second);
    return 0;
}
