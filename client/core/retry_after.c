/* Retry-After: RFC 9110 10.2.3, and the dates of 5.6.7. */
#include "client/core/reconnect.h"

enum { DATE_PARTS_MAX = 8, SECONDS_MAX = 1000000000 };

/* A date falls into words and numbers at blanks, commas, hyphens and colons:
 *   Sun, 06 Nov 1994 08:49:37 GMT     Sunday, 06-Nov-94 08:49:37 GMT     Sun Nov  6 08:49:37 1994 */
struct part {
    struct bytes text;
    bool is_number;
    unsigned number;
};

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool read_number(struct bytes digits, unsigned *out)
{
    unsigned value = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (!is_digit(digits.data[i]))
            return false;
        value = value >= SECONDS_MAX / 10 ? SECONDS_MAX : value * 10 + (unsigned)(digits.data[i] - '0');
    }
    *out = value;
    return digits.len > 0;
}

/* The number of parts; 0 when something stands in between that belongs into no date. */
static size_t split_date(struct bytes date, struct part parts[DATE_PARTS_MAX])
{
    size_t count = 0;
    size_t i = 0;
    while (i < date.len) {
        uint8_t c = date.data[i];
        if (c == ' ' || c == ',' || c == '-' || c == ':') {
            i++;
            continue;
        }
        size_t start = i;
        bool number = is_digit(c);
        while (i < date.len && (number ? is_digit(date.data[i]) : is_letter(date.data[i])))
            i++;
        if (i == start || count == DATE_PARTS_MAX)
            return 0;
        parts[count] = (struct part){.text = bytes_of(date.data + start, i - start), .is_number = number};
        if (number && !read_number(parts[count].text, &parts[count].number))
            return 0;
        count++;
    }
    return count;
}

static bool read_month(const struct part *part, unsigned *month)
{
    static const char *const MONTHS[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    for (unsigned n = 0; n < 12; n++)
        if (!part->is_number && bytes_equal_text(part->text, MONTHS[n])) {
            *month = n + 1;
            return true;
        }
    return false;
}

/* Days from 1970-01-01 to that day of the proleptic Gregorian calendar, counted in years that begin in March.
 */
static int64_t days_to(unsigned year, unsigned month, unsigned day)
{
    int64_t y = (int64_t)year - (month <= 2 ? 1 : 0);
    int64_t m = month > 2 ? (int64_t)month - 3 : (int64_t)month + 9;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + (int64_t)day - 1 - 719468;
}

static bool read_date(struct bytes value, int64_t *unix_s)
{
    struct part parts[DATE_PARTS_MAX];
    size_t count = split_date(value, parts);
    bool asctime = count == 7 && !parts[1].is_number;
    const struct part *day = &parts[asctime ? 2 : 1];
    const struct part *year = &parts[asctime ? 6 : 3];
    const struct part *clock = &parts[asctime ? 3 : 4];
    unsigned month = 0;
    if (!asctime && (count != 8 || !bytes_equal_text(parts[7].text, "GMT")))
        return false;
    if (parts[0].is_number || !day->is_number || !year->is_number ||
        !read_month(&parts[asctime ? 1 : 2], &month))
        return false;
    for (size_t i = 0; i < 3; i++)
        if (!clock[i].is_number || clock[i].number > (i == 0 ? 23 : 60))
            return false;
    unsigned full_year = year->number;
    if (year->text.len == 2)
        full_year += full_year < 70 ? 2000 : 1900;
    if (day->number < 1 || day->number > 31 || full_year < 1970 || full_year > 9999)
        return false;
    *unix_s = days_to(full_year, month, day->number) * 86400 + (int64_t)clock[0].number * 3600 +
              (int64_t)clock[1].number * 60 + (int64_t)clock[2].number;
    return true;
}

bool retry_after_read(struct bytes value, uint64_t now_ms, uint64_t *wait_us)
{
    unsigned seconds = 0;
    int64_t unix_s = 0;
    if (read_number(value, &seconds)) {
        *wait_us = (uint64_t)seconds * 1000000;
        return true;
    }
    if (!read_date(value, &unix_s))
        return false;
    uint64_t then_ms = (uint64_t)unix_s * 1000;
    *wait_us = then_ms > now_ms ? (then_ms - now_ms) * 1000 : 0;
    return true;
}
