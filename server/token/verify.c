/*
 * A token against its terms. The order is that of trust: shape, algorithm, signature, and only then what the
 * claims say. libjwt checks the signature by the algorithm that the token's header names, so the header is
 * looked at first, and nothing but HS256 gets as far as the secret.
 */
#include <jwt.h>
#include <stdlib.h>

#include "codec/wire/json.h"
#include "server/token/token.h"

static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
static const char ALGORITHM[] = "HS256";

enum { DOTS = 2 };

/* Three parts of base64url, none of them empty but the signature (RFC 7515 7.1); as a string in `out`. */
static bool compact_read(struct bytes token, char out[TOKEN_BYTES_MAX + 1])
{
    size_t dots = 0, in_part = 0;
    for (size_t i = 0; i < token.len; i++) {
        const bool is_dot = token.data[i] == '.';
        if (!is_dot && memchr(ALPHABET, token.data[i], sizeof ALPHABET - 1) == NULL)
            return false;
        if (is_dot && in_part == 0)
            return false;
        dots += is_dot ? 1 : 0;
        in_part = is_dot ? 0 : in_part + 1;
    }
    if (dots != DOTS)
        return false;
    memcpy(out, token.data, token.len);
    out[token.len] = '\0';
    return true;
}

/* ---- claims ---- */

static bool text_is(const cJSON *claim, const char *value)
{
    return bytes_equal_text(bytes_of_text(claim->valuestring), value);
}

/* A NumericDate (RFC 7519 2): seconds, whole or not. */
static bool is_time(const cJSON *claim)
{
    return cJSON_IsNumber(claim) && claim->valuedouble >= 0;
}

static enum token_verdict time_verdict(const cJSON *claims, double now_s)
{
    const cJSON *expiry = json_member(claims, "exp");
    const cJSON *not_before = json_member(claims, "nbf");
    if (expiry == NULL)
        return TOKEN_NO_EXPIRY;
    if (!is_time(expiry) || (not_before != NULL && !is_time(not_before)))
        return TOKEN_MALFORMED;
    if (now_s >= expiry->valuedouble)
        return TOKEN_EXPIRED;
    return not_before != NULL && now_s < not_before->valuedouble ? TOKEN_NOT_YET : TOKEN_GOOD;
}

static enum token_verdict person_verdict(const cJSON *claims, const struct token_terms *terms)
{
    const cJSON *role = json_member(claims, "role");
    const cJSON *subject = json_member(claims, "sub");
    if ((role != NULL && !cJSON_IsString(role)) || (subject != NULL && !cJSON_IsString(subject)))
        return TOKEN_MALFORMED;
    if (role == NULL ? !terms->role_optional : !text_is(role, TOKEN_ROLE))
        return TOKEN_WRONG_ROLE;
    if (subject == NULL || text_is(subject, ""))
        return TOKEN_NO_SUBJECT;
    return text_is(subject, terms->candidate) ? TOKEN_GOOD : TOKEN_WRONG_OWNER;
}

static enum token_verdict interview_verdict(const cJSON *claims, const struct token_terms *terms)
{
    const cJSON *interview = json_member(claims, "interview_id");
    if (interview == NULL)
        return TOKEN_GOOD;
    if (!cJSON_IsString(interview))
        return TOKEN_MALFORMED;
    return bytes_equal_text_ignoring_case(terms->interview, interview->valuestring) ? TOKEN_GOOD
                                                                                    : TOKEN_WRONG_INTERVIEW;
}

static enum token_verdict claims_verdict(jwt_t *jwt, const struct token_terms *terms)
{
    char *text = jwt_get_grants_json(jwt, NULL);
    cJSON *claims = NULL;
    enum token_verdict verdict = TOKEN_MALFORMED;
    if (text != NULL && json_parse(bytes_of_text(text), &claims).status == WIRE_OK && cJSON_IsObject(claims))
        verdict = time_verdict(claims, (double)terms->now_s);
    if (verdict == TOKEN_GOOD)
        verdict = person_verdict(claims, terms);
    if (verdict == TOKEN_GOOD)
        verdict = interview_verdict(claims, terms);
    cJSON_Delete(claims);
    free(text);
    return verdict;
}

/* ---- the whole ---- */

/* Without a key libjwt takes a token apart and checks nothing. */
static enum token_verdict header_verdict(const char *token)
{
    jwt_t *jwt = NULL;
    enum token_verdict verdict = TOKEN_ALGORITHM;
    if (jwt_decode(&jwt, token, NULL, 0) != 0)
        return TOKEN_MALFORMED;
    const char *algorithm = jwt_get_header(jwt, "alg");
    char *critical = jwt_get_headers_json(jwt, "crit");
    if (algorithm != NULL && strcmp(algorithm, ALGORITHM) == 0 && critical == NULL)
        verdict = TOKEN_GOOD;
    free(critical);
    jwt_free(jwt);
    return verdict;
}

static enum token_verdict signed_verdict(const char *token, const struct token_terms *terms)
{
    jwt_t *jwt = NULL;
    enum token_verdict verdict = TOKEN_SIGNATURE;
    if (jwt_decode(&jwt, token, (const unsigned char *)terms->secret, (int)strlen(terms->secret)) != 0)
        return verdict;
    if (jwt_get_alg(jwt) == JWT_ALG_HS256)
        verdict = claims_verdict(jwt, terms);
    jwt_free(jwt);
    return verdict;
}

enum token_verdict token_verify(struct bytes token, const struct token_terms *terms)
{
    char text[TOKEN_BYTES_MAX + 1];
    if (token.len == 0)
        return TOKEN_MISSING;
    if (token.len > TOKEN_BYTES_MAX)
        return TOKEN_TOO_LONG;
    if (!compact_read(token, text))
        return TOKEN_MALFORMED;
    const enum token_verdict verdict = header_verdict(text);
    return verdict == TOKEN_GOOD ? signed_verdict(text, terms) : verdict;
}

const char *token_verdict_sentence(enum token_verdict verdict)
{
    static const char *const sentences[TOKEN_VERDICT_COUNT] = {
        [TOKEN_GOOD] = "the token is good",
        [TOKEN_MISSING] = "there is no token",
        [TOKEN_REPEATED] = "there is more than one token",
        [TOKEN_TOO_LONG] = "the token is longer than 8192 bytes",
        [TOKEN_MALFORMED] = "the token is malformed",
        [TOKEN_ALGORITHM] = "the token is not signed with HS256",
        [TOKEN_SIGNATURE] = "the token is signed with another secret",
        [TOKEN_EXPIRED] = "the token has expired",
        [TOKEN_NOT_YET] = "the token is not valid yet",
        [TOKEN_NO_EXPIRY] = "the token has no exp",
        [TOKEN_WRONG_ROLE] = "the token has not the role candidate",
        [TOKEN_NO_SUBJECT] = "the token has no sub",
        [TOKEN_WRONG_OWNER] = "the interview belongs to another candidate",
        [TOKEN_WRONG_INTERVIEW] = "the token is for another interview",
    };
    return sentences[verdict];
}
