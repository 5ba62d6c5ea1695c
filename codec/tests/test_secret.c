/* A secret is found however it is spelled. */
#include <stdio.h>

#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/secret.h"
#include "codec/wire/uuid.h"

static const struct {
    const char *text;
    const char *secret;
    size_t at;
    size_t len; /* 0: it is not there */
} SPELLINGS[] = {
    {"my sk-1234!", "sk-1234", 3, 7},
    {"sk-1234", "sk-1234", 0, 7},
    {"sk-123", "sk-1234", 0, 0},
    {"sk-sk-1234", "sk-1234", 3, 7},
    {"a=%73k%2d1234&", "sk-1234", 2, 11},
    {"{\"a\":\"s\\u006b-1234\"}", "sk-1234", 6, 12},
    {"\\x73k-1234", "sk-1234", 0, 10},
    {"a\\/b", "a/b", 0, 4},
    {"a%2", "a/b", 0, 0},
    {"a\\u002", "a/b", 0, 0},
    {"%25x", "%25x", 0, 4},
    {"%2525x", "%25x", 0, 6},
    {"anything", "", 0, 0},
    {"", "sk", 0, 0},
};

START_TEST(a_secret_is_found_however_it_is_spelled)
{
    struct exact_copy text = exact_copy_of(bytes_of_text(SPELLINGS[_i].text));
    size_t at = 0;
    size_t len = 0;
    const bool found = secret_find(text.bytes, bytes_of_text(SPELLINGS[_i].secret), &at, &len);
    ck_assert_msg(found == (SPELLINGS[_i].len > 0), "%s", SPELLINGS[_i].text);
    if (found) {
        ck_assert_msg(at == SPELLINGS[_i].at && len == SPELLINGS[_i].len, "%s: %zu, %zu", SPELLINGS[_i].text,
                      at, len);
    }
    exact_copy_free(text);
}
END_TEST

/* Of a query and a text in which a server quotes it, with "the-right-key" as the key. */
static const struct {
    const char *query;
    const char *text;
    const char *shown;
} QUOTED[] = {
    {"token=abcdefgh", "bad token: abcdefgh!", "bad token: ********!"},
    {"x=1&Access_Token=abcdefgh&y=2", "abcdefgh and the-right-key", "******** and *************"},
    {"token=abc%64efgh", "abcd\\u0065fgh", "*************"},
    {"token=abc%zzefgh", "it is abc%zzefgh", "it is **********"},
    {"token=one-token&token=one-token-more", "one-token-more, one-token", "**************, *********"},
    {"token=the-right-key", "the-right-key", "*************"},
    {"token=short", "it is too short", "it is too short"},
    {"config_id=abcdefgh", "abcdefgh", "abcdefgh"},
    {"token", "token", "token"},
    {"token=abcdefghijklm", "found \"abcdefghij...\"", "found \"**********...\""},
    {"token=abcdefghi.klm", "found \"abcdefghi...\"", "found \"*********...\""},
    {"token=abcdefghijklm", "it ends with abcdefgh", "it ends with ********"},
    {"token=abcdefghijklm", "abcdefghij, not all of it", "abcdefghij, not all of it"},
    {"token=abcdefghijklm", "it ends with abcdefg", "it ends with abcdefg"},
    {"", "nothing", "nothing"},
};

START_TEST(what_a_query_brings_is_masked_where_it_is_quoted)
{
    struct exact_copy query = exact_copy_of(bytes_of_text(QUOTED[_i].query));
    struct exact_copy text = exact_copy_of(bytes_of_text(QUOTED[_i].text));
    const struct bytes key = bytes_of_text("the-right-key");
    struct buffer others, room;
    buffer_init(&others, 1000);
    buffer_init(&room, 1000);
    ck_assert(secrets_of_query(query.bytes, key, &others));
    const struct bytes shown = secret_masked(text.bytes, key, buffer_bytes(&others), &room);
    ck_assert_msg(bytes_equal_text(shown, QUOTED[_i].shown), "%s: %.*s", QUOTED[_i].query, (int)shown.len,
                  (const char *)shown.data);
    ck_assert(bytes_equal_text(
        secret_masked(bytes_of_text("a key"), bytes_of_text("key"), (struct bytes){0}, &room),
        "a key")); /* too short */
    buffer_free(&others);
    buffer_free(&room);
    exact_copy_free(query);
    exact_copy_free(text);
}
END_TEST

/* Who sends a text may have brought the secrets too: "a" repeated, and one other byte where a search would
 * see that it was in vain. */
enum { LONG_BYTES = 250000, OFTEN_BYTES = 4000 };

static char *repeated(char byte, size_t count, const char *end)
{
    char *text = malloc(count + strlen(end) + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, byte, count);
    memcpy(text + count, end, strlen(end) + 1);
    return text;
}

static void mask(const char *text, const struct secrets *secrets, struct buffer *out)
{
    buffer_init(out, 2 * LONG_BYTES);
    ck_assert(secrets_mask(bytes_of_text(text), secrets, out));
    ck_assert_uint_eq(out->len, strlen(text));
}

START_TEST(a_search_that_takes_too_long_ends_and_shows_nothing_more)
{
    char *secret = repeated('a', OFTEN_BYTES, "b");
    char *text = repeated('a', LONG_BYTES, "");
    const struct secrets secrets = {.key = bytes_of_text(secret)};
    struct secrets_scan scan;
    struct bytes found;
    size_t at = 0, len = 0;
    secrets_scan_init(&scan, &secrets, LONG_BYTES);
    ck_assert(secrets_scan_next(&scan, bytes_of_text(text), &found, &at, &len));
    ck_assert_uint_eq(scan.steps_left, 0);
    ck_assert_uint_lt(at, LONG_BYTES / 100);
    ck_assert_uint_eq(at + len, LONG_BYTES);
    free(secret);
    free(text);
}
END_TEST

/* They are searched for all at once: the one that is not there is not looked for anew behind each other. */
START_TEST(secrets_that_stand_often_are_masked_each_and_the_search_is_one)
{
    static const char others[] = "12345678\0zzzzzzzzz";
    const struct secrets secrets = {.others = bytes_of(others, sizeof others)};
    char *text = calloc(LONG_BYTES + 1, 1);
    struct buffer masked;
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < LONG_BYTES; i++)
        text[i] = i % 10 < 8 ? (char)('1' + i % 10) : ' ';
    mask(text, &secrets, &masked);
    for (size_t i = 0; i < LONG_BYTES; i++)
        ck_assert_int_eq(masked.data[i], i % 10 < 8 ? '*' : ' ');
    buffer_free(&masked);
    free(text);
}
END_TEST

START_TEST(more_secrets_than_can_be_looked_for_hide_all)
{
    char others[(SECRETS_MAX + 1) * 9];
    struct buffer masked;
    for (size_t i = 0; i <= SECRETS_MAX; i++)
        snprintf(others + 9 * i, 9, "secret%02zu", i);
    struct secrets secrets = {.others = bytes_of(others, 9 * SECRETS_MAX)};
    mask("secret00 is not secret64", &secrets, &masked);
    ck_assert(bytes_equal_text(buffer_bytes(&masked), "******** is not secret64"));
    buffer_free(&masked);
    secrets.others.len = sizeof others;
    mask("secret00 is not secret64", &secrets, &masked);
    ck_assert(bytes_equal_text(buffer_bytes(&masked), "************************"));
    buffer_free(&masked);
}
END_TEST

/* Sound in base64 with a dozen secrets, and silence with one whose digits begin as it does. */
START_TEST(ordinary_texts_are_shown_whole)
{
    static const char others[] = "k3y-of-one\0token-two\0Cookie+three\0four/four\0five=five5\0sixsixsix\0"
                                 "0000001-seven\0P@@@@@@@eight\0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\0session-id";
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const struct secrets secrets = {.key = bytes_of_text("the-right-key"),
                                    .others = bytes_of(others, sizeof others)};
    char *text = calloc(LONG_BYTES + 1, 1);
    struct seeded seeded = {.state = 1};
    struct buffer masked;
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < LONG_BYTES; i++)
        text[i] = i < LONG_BYTES / 2 ? digits[seeded_next(&seeded) % 64] : 'A';
    mask(text, &secrets, &masked);
    ck_assert(bytes_equal_text(buffer_bytes(&masked), text));
    buffer_free(&masked);
    free(text);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("secret");
    tcase_add_loop_test(tcase, a_secret_is_found_however_it_is_spelled, 0, TABLE_COUNT(SPELLINGS));
    tcase_add_loop_test(tcase, what_a_query_brings_is_masked_where_it_is_quoted, 0, TABLE_COUNT(QUOTED));
    tcase_add_test(tcase, a_search_that_takes_too_long_ends_and_shows_nothing_more);
    tcase_add_test(tcase, secrets_that_stand_often_are_masked_each_and_the_search_is_one);
    tcase_add_test(tcase, more_secrets_than_can_be_looked_for_hide_all);
    tcase_add_test(tcase, ordinary_texts_are_shown_whole);
    return suite_run("secret", tcase);
}
