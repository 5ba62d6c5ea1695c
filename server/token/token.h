/*
 * The tokens of services that let clients in by a JSON Web Token (RFC 7519): checked and, for tests, made.
 *
 * Signed with HS256 and nothing else, whatever a token's header asks for. On libjwt. A token is a function of
 * what is passed in: secret and time come from the caller. Nothing here keeps a token or a secret.
 */
#ifndef SERVER_TOKEN_TOKEN_H
#define SERVER_TOKEN_TOKEN_H

#include "codec/wire/bytes.h"

/* What tokens are signed with, and whose they are, when nobody says. The secret is public, and for tests. */
#define TOKEN_SECRET_DEFAULT    "the-test-secret-of-every-ojin-mock"
#define TOKEN_CANDIDATE_DEFAULT "candidate-1"
#define TOKEN_ROLE              "candidate"

enum {
    TOKEN_BYTES_MAX = 8192, /* house: a longer one is refused unread */
    TOKEN_SECRET_BYTES_MAX = 4095,
    TOKEN_NAME_BYTES_MAX = 255, /* of a candidate or an interview */
    TOKEN_SECONDS_DEFAULT = 3600
};

enum token_verdict {
    TOKEN_GOOD,
    TOKEN_MISSING,         /* there is none, or it is empty */
    TOKEN_REPEATED,        /* there is more than one; for callers that read a request */
    TOKEN_TOO_LONG,        /* above TOKEN_BYTES_MAX */
    TOKEN_MALFORMED,       /* no JWS in compact form, or claims of a wrong type */
    TOKEN_ALGORITHM,       /* not HS256, or its header demands what is not known here ("crit") */
    TOKEN_SIGNATURE,       /* not signed with the secret */
    TOKEN_EXPIRED,         /* `exp` has come */
    TOKEN_NOT_YET,         /* `nbf` has not */
    TOKEN_NO_EXPIRY,       /* without `exp` */
    TOKEN_WRONG_ROLE,      /* `role` is another than candidate, or missing */
    TOKEN_NO_SUBJECT,      /* without `sub` */
    TOKEN_WRONG_OWNER,     /* `sub` is not the candidate whose the interview is */
    TOKEN_WRONG_INTERVIEW, /* `interview_id` is that of another interview */
    TOKEN_VERDICT_COUNT
};

/* What a token is held to. */
struct token_terms {
    const char *secret;
    const char *candidate;  /* whose the interview is: the only good `sub` */
    struct bytes interview; /* what the client asks for; a token without `interview_id` is good for any */
    uint64_t now_s;         /* Unix time */
    bool role_optional;     /* a token without `role` passes */
};

enum token_verdict token_verify(struct bytes token, const struct token_terms *terms);
/* "the token has expired": static. */
const char *token_verdict_sentence(enum token_verdict verdict);

/* A token to try a service with: good, or wrong in one way. */
struct token_kind {
    const char *name; /* "valid", "expired", … */
    enum token_verdict verdict;
    const char *sentence;
};

/* Ended by a NULL name; the first is the good one. */
extern const struct token_kind TOKEN_KINDS[];
/* NULL: there is none of that name. */
const struct token_kind *token_kind_by_name(const char *name);

struct token_wish {
    const struct token_kind *kind;
    const char *secret;
    const char *candidate;
    const char *interview; /* NULL: good for any */
    uint64_t now_s;
    uint64_t seconds; /* how long it is good */
};

/* NUL-terminated in `out`. False: it does not fit, or there is no memory. */
bool token_make(const struct token_wish *wish, char *out, size_t capacity);

#endif
