#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/measure.h"

static const struct {
    const char *text;
    enum measure measure;
    bool good;
    uint64_t value;
} READ[] = {
    {"0", MEASURE_NUMBER, true, 0},
    {"007", MEASURE_NUMBER, true, 7},
    {"18446744073709551610", MEASURE_NUMBER, true, UINT64_MAX - 5},
    {"18446744073709551615", MEASURE_NUMBER, true, UINT64_MAX},
    {"18446744073709551616", MEASURE_NUMBER, false, 0},
    {"", MEASURE_NUMBER, false, 0},
    {"-1", MEASURE_NUMBER, false, 0},
    {"1 ", MEASURE_NUMBER, false, 0},
    {"1B", MEASURE_NUMBER, false, 0},
    {"40us", MEASURE_DURATION, true, 40},
    {"200ms", MEASURE_DURATION, true, 200000},
    {"2s", MEASURE_DURATION, true, 2000000},
    {"18446744073709s", MEASURE_DURATION, true, 18446744073709000000u},
    {"18446744073710s", MEASURE_DURATION, false, 0},
    {"2", MEASURE_DURATION, false, 0},
    {"ms", MEASURE_DURATION, false, 0},
    {"2S", MEASURE_DURATION, false, 0},
    {"2 s", MEASURE_DURATION, false, 0},
    {"512000", MEASURE_SIZE, true, 512000},
    {"12B", MEASURE_SIZE, true, 12},
    {"512KB", MEASURE_SIZE, true, 524288},
    {"3MB", MEASURE_SIZE, true, 3145728},
    {"17592186044415MB", MEASURE_SIZE, true, 18446744073708503040u},
    {"17592186044416MB", MEASURE_SIZE, false, 0},
    {"1kB", MEASURE_SIZE, false, 0},
};

START_TEST(a_whole_number_and_a_unit_are_read_and_nothing_else)
{
    const struct exact_copy text = exact_copy_of(bytes_of_text(READ[_i].text));
    uint64_t value = 99;
    const bool good = measure_read(text.bytes, READ[_i].measure, &value);
    ck_assert_msg(good == READ[_i].good, "%s", READ[_i].text);
    ck_assert_uint_eq(value, good ? READ[_i].value : 99);
    exact_copy_free(text);
}
END_TEST

static const struct {
    uint64_t us;
    const char *text;
} SAID[] = {{0, "0s"},           {1, "1us"},      {999, "999us"},        {1000, "1ms"},
            {1500000, "1500ms"}, {2000000, "2s"}, {2000001, "2000001us"}};

START_TEST(a_duration_is_said_in_the_largest_unit_that_leaves_it_whole)
{
    char out[32];
    struct text text = text_of(out, sizeof out);
    text_add_duration(&text, SAID[_i].us);
    ck_assert_str_eq(out, SAID[_i].text);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("measures");
    tcase_add_loop_test(tcase, a_whole_number_and_a_unit_are_read_and_nothing_else, 0, TABLE_COUNT(READ));
    tcase_add_loop_test(tcase, a_duration_is_said_in_the_largest_unit_that_leaves_it_whole, 0,
                        TABLE_COUNT(SAID));
    return suite_run("measures", tcase);
}
