/* Tokens that another encoder made, each with its verdict; and our own, which have to be what they are
 * called. */
#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "server/token/token.h"

static const struct {
    const char *name;
    enum token_verdict verdict;
    const char *token;
} VECTORS[] = {
#define VECTOR(name, verdict, token) {name, TOKEN_##verdict, token},
#include "server/token/tests/token_vectors.def"
#undef VECTOR
};

enum { NOW_S = 1700000000, OUT_MAX = 32 * 1024 };

static struct token_terms terms_of(void)
{
    return (struct token_terms){.secret = "a-secret-for-golden-tokens-only-1",
                                .candidate = "candidate-1",
                                .interview = bytes_of_text("6d0b1a5e-3c1f-4f0e-9f57-0a8f5d3c2b11"),
                                .now_s = NOW_S};
}

START_TEST(every_vector_gets_its_verdict)
{
    const struct token_terms terms = terms_of();
    struct exact_copy token = exact_copy_of(bytes_of_text(VECTORS[_i].token));
    const enum token_verdict verdict = token_verify(token.bytes, &terms);
    ck_assert_msg(verdict == VECTORS[_i].verdict, "%s: %s", VECTORS[_i].name,
                  token_verdict_sentence(verdict));
    exact_copy_free(token);
}
END_TEST

START_TEST(no_prefix_of_a_good_token_is_good)
{
    const struct token_terms terms = terms_of();
    const struct bytes token = bytes_of_text(VECTORS[0].token);
    ck_assert_int_eq(token_verify(token, &terms), TOKEN_GOOD);
    for (size_t len = 0; len < token.len; len++) {
        struct exact_copy prefix = exact_copy_of(bytes_of(token.data, len));
        ck_assert_msg(token_verify(prefix.bytes, &terms) != TOKEN_GOOD, "%zu bytes", len);
        exact_copy_free(prefix);
    }
}
END_TEST

START_TEST(no_token_with_another_byte_is_good)
{
    const struct token_terms terms = terms_of();
    const struct bytes token = bytes_of_text(VECTORS[0].token);
    for (size_t i = 0; i < token.len; i++) {
        struct exact_copy copy = exact_copy_of(token);
        for (unsigned bit = 0; bit < 8; bit++) {
            copy.owned[i] = (uint8_t)(token.data[i] ^ 1U << bit);
            ck_assert_msg(token_verify(copy.bytes, &terms) != TOKEN_GOOD, "byte %zu, bit %u", i, bit);
        }
        exact_copy_free(copy);
    }
}
END_TEST

START_TEST(a_token_holds_no_byte_of_zero)
{
    const struct token_terms terms = terms_of();
    struct exact_copy token = exact_copy_of(bytes_of(VECTORS[0].token, strlen(VECTORS[0].token) + 1));
    ck_assert_int_eq(token_verify(token.bytes, &terms), TOKEN_MALFORMED);
    exact_copy_free(token);
}
END_TEST

START_TEST(every_kind_is_what_it_is_called)
{
    for (const struct token_kind *kind = TOKEN_KINDS; kind->name != NULL; kind++) {
        const struct token_terms terms = terms_of();
        const struct token_wish wish = {.kind = kind,
                                        .secret = terms.secret,
                                        .candidate = terms.candidate,
                                        .now_s = NOW_S,
                                        .seconds = TOKEN_SECONDS_DEFAULT};
        char token[OUT_MAX];
        ck_assert(token_make(&wish, token, sizeof token));
        ck_assert_msg(token_verify(bytes_of_text(token), &terms) == kind->verdict, "%s", kind->name);
        ck_assert_ptr_eq(token_kind_by_name(kind->name), kind);
        ck_assert(!token_make(&wish, token, strlen(token)));
    }
    ck_assert_ptr_null(token_kind_by_name("good"));
}
END_TEST

START_TEST(a_token_is_good_from_its_first_second_to_its_last)
{
    static const struct {
        const char *kind;
        uint64_t at_s;
        enum token_verdict verdict;
    } rows[] = {
        {"valid", NOW_S + 59, TOKEN_GOOD},
        {"valid", NOW_S + 60, TOKEN_EXPIRED},
        {"expired", NOW_S - 2, TOKEN_GOOD},
        {"expired", NOW_S - 1, TOKEN_EXPIRED},
        {"not-yet-valid", NOW_S + 59, TOKEN_NOT_YET},
        {"not-yet-valid", NOW_S + 60, TOKEN_GOOD},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct token_terms terms = terms_of();
        const struct token_wish wish = {.kind = token_kind_by_name(rows[i].kind),
                                        .secret = terms.secret,
                                        .candidate = terms.candidate,
                                        .now_s = NOW_S,
                                        .seconds = 60};
        char token[OUT_MAX];
        terms.now_s = rows[i].at_s;
        ck_assert(token_make(&wish, token, sizeof token));
        ck_assert_msg(token_verify(bytes_of_text(token), &terms) == rows[i].verdict, "row %zu", i);
    }
}
END_TEST

START_TEST(a_token_may_be_as_long_as_the_limit_and_no_longer)
{
    static char subject[16 * 1024], token[OUT_MAX];
    bool longest = false, too_long = false;
    for (size_t len = 5000; len < sizeof subject; len = len < 6200 ? len + 1 : len + 1000) {
        struct token_terms terms = terms_of();
        memset(subject, 's', len);
        subject[len] = '\0';
        terms.candidate = subject;
        const struct token_wish wish = {.kind = &TOKEN_KINDS[0],
                                        .secret = terms.secret,
                                        .candidate = subject,
                                        .now_s = NOW_S,
                                        .seconds = 60};
        ck_assert(token_make(&wish, token, sizeof token));
        const size_t bytes = strlen(token);
        ck_assert_int_eq(token_verify(bytes_of_text(token), &terms),
                         bytes <= TOKEN_BYTES_MAX ? TOKEN_GOOD : TOKEN_TOO_LONG);
        longest = longest || bytes == TOKEN_BYTES_MAX;
        too_long = too_long || bytes == TOKEN_BYTES_MAX + 1;
    }
    ck_assert(longest && too_long);
}
END_TEST

START_TEST(a_token_without_a_role_passes_where_none_is_asked_for)
{
    struct token_terms terms = terms_of();
    terms.role_optional = true;
    for (int i = 0; i < TABLE_COUNT(VECTORS); i++) {
        const bool is_missing = strcmp(VECTORS[i].name, "role is missing") == 0;
        ck_assert_int_eq(token_verify(bytes_of_text(VECTORS[i].token), &terms),
                         is_missing ? TOKEN_GOOD : VECTORS[i].verdict);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("token");
    tcase_add_loop_test(tcase, every_vector_gets_its_verdict, 0, TABLE_COUNT(VECTORS));
    tcase_add_test(tcase, no_prefix_of_a_good_token_is_good);
    tcase_add_test(tcase, no_token_with_another_byte_is_good);
    tcase_add_test(tcase, a_token_holds_no_byte_of_zero);
    tcase_add_test(tcase, every_kind_is_what_it_is_called);
    tcase_add_test(tcase, a_token_is_good_from_its_first_second_to_its_last);
    tcase_add_test(tcase, a_token_may_be_as_long_as_the_limit_and_no_longer);
    tcase_add_test(tcase, a_token_without_a_role_passes_where_none_is_asked_for);
    return suite_run("token", tcase);
}
