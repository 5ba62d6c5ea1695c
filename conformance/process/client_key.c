#include "conformance/process/client_key.h"

#include <stdio.h>

#include "conformance/process/launch.h"
#include "server/token/token.h"

/* A time that has passed by any clock of a run, and longer than anybody runs this. */
static const uint64_t ISSUED_S = 1750000000, GOOD_FOR_S = UINT64_C(100) * 365 * 24 * 3600;

bool client_key_make(const struct session_class *class, char out[CLIENT_KEY_MAX])
{
    const struct token_wish wish = {.kind = &TOKEN_KINDS[0],
                                    .secret = TOKEN_SECRET_DEFAULT,
                                    .candidate = TOKEN_CANDIDATE_DEFAULT,
                                    .now_s = ISSUED_S,
                                    .seconds = GOOD_FOR_S};
    if (class->has_tokens)
        return token_make(&wish, out, CLIENT_KEY_MAX);
    snprintf(out, CLIENT_KEY_MAX, "%s", CONFORM_KEY);
    return true;
}
