#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/reader.h"

static const uint8_t FIFTEEN[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
                                  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f};

START_TEST(integers_are_read_big_endian_one_after_another)
{
    struct exact_copy copy = exact_copy_of(bytes_of(FIFTEEN, sizeof FIFTEEN));
    struct reader reader = reader_of(copy.bytes);
    ck_assert_uint_eq(reader_u8(&reader, "a"), 0x01);
    ck_assert_uint_eq(reader_u16(&reader, "b"), 0x0203);
    ck_assert_uint_eq(reader_u32(&reader, "c"), 0x04050607);
    ck_assert_uint_eq(reader_u64(&reader, "d"), 0x08090a0b0c0d0e0f);
    ck_assert(reader_ok(&reader));
    ck_assert_uint_eq(reader_left(&reader), 0);
    exact_copy_free(copy);
}
END_TEST

enum read_kind { READ_U8, READ_U16, READ_U32, READ_U64, READ_TAKE, READ_DECLARED };

struct shortage {
    const char *name;
    enum read_kind kind;
    size_t width;
    enum wire_status status;
};

static const struct shortage SHORTAGES[] = {
    {"u8", READ_U8, 1, WIRE_TRUNCATED},     {"u16", READ_U16, 2, WIRE_TRUNCATED},
    {"u32", READ_U32, 4, WIRE_TRUNCATED},   {"u64", READ_U64, 8, WIRE_TRUNCATED},
    {"take", READ_TAKE, 7, WIRE_TRUNCATED}, {"declared", READ_DECLARED, 7, WIRE_SIZE_PAST_END},
};

/* The value read, or the length of the span. */
static uint64_t read_one(struct reader *reader, const struct shortage *shortage)
{
    switch (shortage->kind) {
    case READ_U8:
        return reader_u8(reader, shortage->name);
    case READ_U16:
        return reader_u16(reader, shortage->name);
    case READ_U32:
        return reader_u32(reader, shortage->name);
    case READ_U64:
        return reader_u64(reader, shortage->name);
    case READ_TAKE:
        return reader_take(reader, shortage->width, shortage->name).len;
    case READ_DECLARED:
        return reader_take_declared(reader, shortage->width, shortage->name).len;
    }
    return 0;
}

START_TEST(one_byte_too_few_latches_the_error_with_offset_and_field)
{
    const struct shortage *shortage = &SHORTAGES[_i];
    for (size_t before = 0; before < 3; before++) {
        struct exact_copy copy = exact_copy_of(bytes_of(FIFTEEN, before + shortage->width - 1));
        struct reader reader = reader_of(copy.bytes);
        ck_assert_uint_eq(reader_take(&reader, before, "before").len, before);
        ck_assert_uint_eq(read_one(&reader, shortage), 0);
        ck_assert(!reader_ok(&reader));
        ck_assert_int_eq(reader.error.status, shortage->status);
        ck_assert_uint_eq(reader.error.offset, before);
        ck_assert_str_eq(reader.error.field, shortage->name);
        exact_copy_free(copy);
    }
}
END_TEST

START_TEST(exactly_enough_bytes_are_read)
{
    const struct shortage *shortage = &SHORTAGES[_i];
    struct exact_copy copy = exact_copy_of(bytes_of(FIFTEEN, shortage->width));
    struct reader reader = reader_of(copy.bytes);
    ck_assert_uint_ne(read_one(&reader, shortage), 0);
    ck_assert(reader_ok(&reader));
    ck_assert_uint_eq(reader.offset, shortage->width);
    exact_copy_free(copy);
}
END_TEST

START_TEST(after_an_error_nothing_more_is_read)
{
    struct exact_copy copy = exact_copy_of(bytes_of(FIFTEEN, 5));
    struct reader reader = reader_of(copy.bytes);
    reader_u64(&reader, "first");
    ck_assert_uint_eq(reader_u8(&reader, "second"), 0);
    ck_assert_uint_eq(reader_take(&reader, 1, "third").len, 0);
    ck_assert_uint_eq(reader_rest(&reader).len, 0);
    ck_assert_uint_eq(reader_left(&reader), 0);
    reader_fail(&reader, WIRE_ODD_AUDIO, "fourth");
    ck_assert_int_eq(reader.error.status, WIRE_TRUNCATED);
    ck_assert_str_eq(reader.error.field, "first");
    ck_assert_uint_eq(reader.offset, 0);
    exact_copy_free(copy);
}
END_TEST

START_TEST(an_absurd_length_does_not_wrap_around)
{
    struct exact_copy copy = exact_copy_of(bytes_of(FIFTEEN, sizeof FIFTEEN));
    struct reader reader = reader_of(copy.bytes);
    reader_u64(&reader, "before");
    ck_assert_uint_eq(reader_take_declared(&reader, SIZE_MAX - 7, "data").len, 0);
    ck_assert_int_eq(reader.error.status, WIRE_SIZE_PAST_END);
    ck_assert_uint_eq(reader.error.offset, 8);
    exact_copy_free(copy);
}
END_TEST

START_TEST(an_error_of_the_callers_own_is_latched_where_it_stands)
{
    struct reader reader = reader_of(bytes_of(FIFTEEN, sizeof FIFTEEN));
    reader_u16(&reader, "before");
    reader_fail(&reader, WIRE_OUT_OF_RANGE, "value");
    ck_assert_int_eq(reader.error.status, WIRE_OUT_OF_RANGE);
    ck_assert_uint_eq(reader.error.offset, 2);
    ck_assert_str_eq(reader.error.field, "value");
}
END_TEST

START_TEST(an_empty_input_without_a_pointer_has_nothing_left)
{
    struct reader reader = reader_of(bytes_of(NULL, 0));
    ck_assert_uint_eq(reader_rest(&reader).len, 0);
    ck_assert_uint_eq(reader_take(&reader, 0, "nothing").len, 0);
    ck_assert(reader_ok(&reader));
}
END_TEST

START_TEST(the_rest_is_all_that_is_left)
{
    struct reader reader = reader_of(bytes_of(FIFTEEN, sizeof FIFTEEN));
    reader_u32(&reader, "before");
    struct bytes rest = reader_rest(&reader);
    ck_assert_uint_eq(rest.len, 11);
    ck_assert_ptr_eq(rest.data, FIFTEEN + 4);
    ck_assert_uint_eq(reader_left(&reader), 0);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("reader");
    tcase_add_test(tcase, integers_are_read_big_endian_one_after_another);
    tcase_add_loop_test(tcase, one_byte_too_few_latches_the_error_with_offset_and_field, 0,
                        TABLE_COUNT(SHORTAGES));
    tcase_add_loop_test(tcase, exactly_enough_bytes_are_read, 0, TABLE_COUNT(SHORTAGES));
    tcase_add_test(tcase, after_an_error_nothing_more_is_read);
    tcase_add_test(tcase, an_absurd_length_does_not_wrap_around);
    tcase_add_test(tcase, an_error_of_the_callers_own_is_latched_where_it_stands);
    tcase_add_test(tcase, an_empty_input_without_a_pointer_has_nothing_left);
    tcase_add_test(tcase, the_rest_is_all_that_is_left);
    return suite_run("reader", tcase);
}
