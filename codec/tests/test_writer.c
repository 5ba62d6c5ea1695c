/* The writer and the growable buffer: both bounded. */
#include "codec/tests/suite.h"
#include "codec/wire/buffer.h"
#include "codec/wire/writer.h"

START_TEST(integers_are_written_big_endian)
{
    uint8_t out[15];
    static const uint8_t expected[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    struct writer writer = writer_of(out, sizeof out);
    writer_u8(&writer, 0x01);
    writer_u16(&writer, 0x0203);
    writer_u32(&writer, 0x04050607);
    writer_u64(&writer, 0x08090a0b0c0d0e0f);
    ck_assert(!writer.overflow);
    ck_assert(bytes_equal(bytes_of(out, writer.len), bytes_of(expected, sizeof expected)));
}
END_TEST

START_TEST(one_byte_too_many_overflows_and_writes_nothing_more)
{
    uint8_t *out = malloc(6);
    struct writer writer = writer_of(out, 6);
    writer_u32(&writer, 1);
    writer_bytes(&writer, bytes_of("abc", 3));
    ck_assert(writer.overflow);
    ck_assert_uint_eq(writer.len, 4);
    writer_u8(&writer, 7); /* would fit, but must not follow what is missing */
    ck_assert_uint_eq(writer.len, 4);
    free(out);
}
END_TEST

START_TEST(a_full_writer_takes_nothing_but_nothing)
{
    uint8_t out[1];
    struct writer writer = writer_of(out, 1);
    writer_u8(&writer, 9);
    writer_bytes(&writer, bytes_of(NULL, 0));
    ck_assert(!writer.overflow);
    writer_u8(&writer, 9);
    ck_assert(writer.overflow);
}
END_TEST

START_TEST(a_buffer_grows_up_to_its_maximum_and_not_past_it)
{
    struct buffer buffer;
    buffer_init(&buffer, 1000);
    for (int i = 0; i < 1000; i++) {
        uint8_t byte = (uint8_t)i;
        ck_assert(buffer_append(&buffer, bytes_of(&byte, 1)));
    }
    ck_assert(!buffer_append(&buffer, bytes_of("x", 1)));
    ck_assert_ptr_null(buffer_reserve(&buffer, 1));
    ck_assert_ptr_null(buffer_reserve(&buffer, SIZE_MAX));
    ck_assert_uint_eq(buffer.len, 1000);
    ck_assert_uint_le(buffer.capacity, 1000);
    for (int i = 0; i < 1000; i++)
        ck_assert_uint_eq(buffer.data[i], (uint8_t)i);
    buffer_free(&buffer);
    ck_assert_ptr_null(buffer.data);
}
END_TEST

START_TEST(what_would_pass_the_maximum_is_not_appended_in_part)
{
    struct buffer buffer;
    buffer_init(&buffer, 4);
    ck_assert(buffer_append(&buffer, bytes_of("abc", 3)));
    ck_assert(!buffer_append(&buffer, bytes_of("de", 2)));
    ck_assert(bytes_equal_text(buffer_bytes(&buffer), "abc"));
    ck_assert(buffer_append(&buffer, bytes_of("d", 1)));
    ck_assert(bytes_equal_text(buffer_bytes(&buffer), "abcd"));
    buffer_free(&buffer);
}
END_TEST

START_TEST(nothing_can_be_appended_even_to_a_buffer_of_no_size)
{
    struct buffer buffer;
    buffer_init(&buffer, 0);
    ck_assert(buffer_append(&buffer, bytes_of(NULL, 0)));
    ck_assert_ptr_nonnull(buffer_reserve(&buffer, 0));
    ck_assert(!buffer_append(&buffer, bytes_of("a", 1)));
    buffer_free(&buffer);
}
END_TEST

struct consumption {
    size_t len;
    const char *left;
};

static const struct consumption CONSUMPTIONS[] = {
    {0, "abcdef"}, {1, "bcdef"}, {5, "f"}, {6, ""}, {7, ""}, {SIZE_MAX, ""},
};

START_TEST(the_front_of_a_buffer_is_dropped)
{
    struct buffer buffer;
    buffer_init(&buffer, 6);
    ck_assert(buffer_append(&buffer, bytes_of("abcdef", 6)));
    buffer_consume(&buffer, CONSUMPTIONS[_i].len);
    ck_assert(bytes_equal_text(buffer_bytes(&buffer), CONSUMPTIONS[_i].left));
    buffer_free(&buffer);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("writer");
    tcase_add_test(tcase, integers_are_written_big_endian);
    tcase_add_test(tcase, one_byte_too_many_overflows_and_writes_nothing_more);
    tcase_add_test(tcase, a_full_writer_takes_nothing_but_nothing);
    tcase_add_test(tcase, a_buffer_grows_up_to_its_maximum_and_not_past_it);
    tcase_add_test(tcase, what_would_pass_the_maximum_is_not_appended_in_part);
    tcase_add_test(tcase, nothing_can_be_appended_even_to_a_buffer_of_no_size);
    tcase_add_loop_test(tcase, the_front_of_a_buffer_is_dropped, 0, TABLE_COUNT(CONSUMPTIONS));
    return suite_run("writer", tcase);
}
