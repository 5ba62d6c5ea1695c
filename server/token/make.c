/* Tokens to try a service with. */
#include <jwt.h>
#include <stdlib.h>

#include "server/token/token.h"

const struct token_kind TOKEN_KINDS[] = {
    {"valid", TOKEN_GOOD, "good for an hour"},
    {"expired", TOKEN_EXPIRED, "expired a second ago"},
    {"not-yet-valid", TOKEN_NOT_YET, "good in an hour (nbf)"},
    {"no-expiry", TOKEN_NO_EXPIRY, "without exp"},
    {"wrong-role", TOKEN_WRONG_ROLE, "with the role interviewer"},
    {"no-subject", TOKEN_NO_SUBJECT, "without sub"},
    {"wrong-owner", TOKEN_WRONG_OWNER, "of another candidate"},
    {"wrong-interview", TOKEN_WRONG_INTERVIEW, "for another interview (interview_id)"},
    {"wrong-key", TOKEN_SIGNATURE, "signed with another secret"},
    {"alg-none", TOKEN_ALGORITHM, "not signed at all (alg none)"},
    {"alg-hs512", TOKEN_ALGORITHM, "signed with the right secret, but with HS512"},
    {NULL, TOKEN_GOOD, NULL},
};

static const char OTHER_SECRET[] = "a-secret-that-is-not-that-of-the-service";
static const char OTHER_INTERVIEW[] = "ffffffff-ffff-4fff-bfff-ffffffffffff";

const struct token_kind *token_kind_by_name(const char *name)
{
    for (const struct token_kind *kind = TOKEN_KINDS; kind->name != NULL; kind++)
        if (strcmp(kind->name, name) == 0)
            return kind;
    return NULL;
}

static bool add_text(jwt_t *jwt, const char *name, const char *value)
{
    return jwt_add_grant(jwt, name, value) == 0;
}

static bool add_time(jwt_t *jwt, const char *name, uint64_t value)
{
    return jwt_add_grant_int(jwt, name, (long)value) == 0;
}

static bool times_add(jwt_t *jwt, const struct token_wish *wish)
{
    const enum token_verdict wrong = wish->kind->verdict;
    uint64_t from_s = wish->now_s;
    if (wrong == TOKEN_EXPIRED)
        from_s = wish->now_s - wish->seconds - 1;
    else if (wrong == TOKEN_NOT_YET)
        from_s = wish->now_s + wish->seconds;
    return add_time(jwt, "iat", wrong == TOKEN_NOT_YET ? wish->now_s : from_s) &&
           (wrong != TOKEN_NOT_YET || add_time(jwt, "nbf", from_s)) &&
           (wrong == TOKEN_NO_EXPIRY || add_time(jwt, "exp", from_s + wish->seconds));
}

static bool claims_add(jwt_t *jwt, const struct token_wish *wish)
{
    const enum token_verdict wrong = wish->kind->verdict;
    const char *subject = wrong == TOKEN_WRONG_OWNER ? "another-candidate" : wish->candidate;
    const char *interview = wrong == TOKEN_WRONG_INTERVIEW ? OTHER_INTERVIEW : wish->interview;
    return (wrong == TOKEN_NO_SUBJECT || add_text(jwt, "sub", subject)) &&
           add_text(jwt, "role", wrong == TOKEN_WRONG_ROLE ? "interviewer" : TOKEN_ROLE) &&
           (interview == NULL || add_text(jwt, "interview_id", interview)) && times_add(jwt, wish);
}

static bool sign(jwt_t *jwt, const struct token_wish *wish)
{
    const enum token_verdict wrong = wish->kind->verdict;
    const char *secret = wrong == TOKEN_SIGNATURE ? OTHER_SECRET : wish->secret;
    if (strcmp(wish->kind->name, "alg-none") == 0)
        return jwt_set_alg(jwt, JWT_ALG_NONE, NULL, 0) == 0;
    return jwt_set_alg(jwt, wrong == TOKEN_ALGORITHM ? JWT_ALG_HS512 : JWT_ALG_HS256,
                       (const unsigned char *)secret, (int)strlen(secret)) == 0;
}

bool token_make(const struct token_wish *wish, char *out, size_t capacity)
{
    jwt_t *jwt = NULL;
    char *text = NULL;
    if (jwt_new(&jwt) == 0 && claims_add(jwt, wish) && sign(jwt, wish))
        text = jwt_encode_str(jwt);
    const bool fits = text != NULL && strlen(text) < capacity;
    if (fits)
        memcpy(out, text, strlen(text) + 1);
    free(text);
    jwt_free(jwt);
    return fits;
}
