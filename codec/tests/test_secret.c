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

int main(void)
{
    TCase *tcase = tcase_create("secret");
    tcase_add_loop_test(tcase, a_secret_is_found_however_it_is_spelled, 0, TABLE_COUNT(SPELLINGS));
    return suite_run("secret", tcase);
}
