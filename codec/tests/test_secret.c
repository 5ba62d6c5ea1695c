/* A secret is found however it is spelled. */
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/wire/secret.h"

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

int main(void)
{
    TCase *tcase = tcase_create("secret");
    tcase_add_loop_test(tcase, a_secret_is_found_however_it_is_spelled, 0, TABLE_COUNT(SPELLINGS));
    tcase_add_loop_test(tcase, what_a_query_brings_is_masked_where_it_is_quoted, 0, TABLE_COUNT(QUOTED));
    return suite_run("secret", tcase);
}
