/*
 * Any bytes as what a client under test writes, on any of its streams, once as a whole and once in pieces:
 * what is kept of it, the observations in it, what a run over all splits compares of them and what a crash
 * left are the same, and whole.
 *
 * The input: kind and piece size (2 bytes), then what the client writes.
 */
#include <stdlib.h>
#include <string.h>

#include "codec/tests/exact_copy.h"
#include "conformance/process/capture.h"
#include "conformance/splits/splits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { BYTES_MAX = 8192, CUTS_MAX = 400 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void feed(struct capture *capture, uint8_t kind, struct bytes data, size_t piece)
{
    static const enum capture_kind kinds[] = {CAPTURE_OUTPUT, CAPTURE_POSTED, CAPTURE_ERRORS};
    capture_init(capture, kinds[kind % 3]);
    for (size_t at = 0; at < data.len; at += piece) {
        const size_t left = data.len - at;
        const struct exact_copy copy = exact_copy_of(bytes_of(data.data + at, left < piece ? left : piece));
        capture_feed(capture, copy.bytes);
        exact_copy_free(copy);
    }
    capture_end(capture);
}

static void check_whole(const struct capture *capture, struct bytes data)
{
    char cuts[CUTS_MAX];
    struct text text = text_of(cuts, sizeof cuts);
    struct buffer kept;
    buffer_init(&kept, CAPTURE_KEPT_MAX);
    check(capture->bytes == data.len && capture_kept(capture, &kept));
    check(bytes_equal(buffer_bytes(&kept), data)); /* it is short */
    check(memchr(capture->bad_observation, '\0', sizeof capture->bad_observation) != NULL);
    capture_describe_cuts(capture, &text);
    buffer_free(&kept);
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void check_same_seen(const struct capture *a, const struct capture *b)
{
    static char a_room[SPLIT_SEEN_MAX], b_room[SPLIT_SEEN_MAX];
    struct split_difference difference;
    struct text a_seen = text_of(a_room, sizeof a_room), b_seen = text_of(b_room, sizeof b_room);
    split_seen_add(&a_seen, a->observations, a->observation_count);
    split_seen_add(&b_seen, b->observations, b->observation_count);
    check(!split_seen_compare(bytes_of_text(a_room), bytes_of_text(b_room), &difference));
}

static void check_same(const struct capture *a, const struct capture *b)
{
    check(a->observation_count == b->observation_count && a->done == b->done && a->done_code == b->done_code);
    check(a->lines_unread == b->lines_unread && a->observations_cut == b->observations_cut);
    check(strcmp(a->bad_observation, b->bad_observation) == 0);
    for (size_t n = 0; n < a->observation_count; n++)
        check(a->observations[n].kind == b->observations[n].kind &&
              strcmp(a->observations[n].code, b->observations[n].code) == 0);
    check_same_seen(a, b);
    check(same_text(crash_marks_report(&a->marks), crash_marks_report(&b->marks)));
    check(same_text(crash_marks_report_kind(&a->marks), crash_marks_report_kind(&b->marks)));
    check(same_text(crash_marks_report_place(&a->marks), crash_marks_report_place(&b->marks)));
    check(same_text(crash_marks_last(&a->marks), crash_marks_last(&b->marks)));
    check(same_text(crash_marks_place(&a->marks), crash_marks_place(&b->marks)));
    check(same_text(crash_marks_part(&a->marks), crash_marks_part(&b->marks)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct capture whole, split;
    if (len < 3)
        return 0;
    const struct bytes given = bytes_of(data + 2, len - 2 < BYTES_MAX ? len - 2 : (size_t)BYTES_MAX);
    feed(&whole, data[0], given, given.len);
    feed(&split, data[0], given, (size_t)data[1] + 1);
    check_whole(&whole, given);
    check_whole(&split, given);
    check_same(&whole, &split);
    capture_free(&whole);
    capture_free(&split);
    return 0;
}
