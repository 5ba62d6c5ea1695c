/* Any bytes as a token: a verdict, the same each time, and never a good one for a secret that did not sign
 * it. */
#include <stdlib.h>

#include "server/token/token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const struct token_terms terms = {.secret = TOKEN_SECRET_DEFAULT,
                                      .candidate = TOKEN_CANDIDATE_DEFAULT,
                                      .interview = bytes_of_text("123e4567-e89b-12d3-a456-426614174000"),
                                      .now_s = 1700000000,
                                      .role_optional = len % 2 == 0};
    struct token_terms other = terms;
    other.secret = "a secret that has signed nothing at all here";
    const struct bytes token = bytes_of(data, len);
    const enum token_verdict verdict = token_verify(token, &terms);
    check(verdict < TOKEN_VERDICT_COUNT && token_verdict_sentence(verdict) != NULL);
    check(token_verify(token, &terms) == verdict);
    check(token_verify(token, &other) != TOKEN_GOOD);
    check(len <= TOKEN_BYTES_MAX || verdict == TOKEN_TOO_LONG);
    return 0;
}
