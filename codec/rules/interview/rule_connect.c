/* The request: IV-CON-01. 004 Authentication, Endpoints. */
#include "codec/interview/path.h"
#include "codec/rules/interview/rule_set.h"
#include "codec/rules/query_value.h"
#include "codec/wire/http_head.h"
#include "codec/wire/uuid.h"

static const char EXPECTED[] =
    "a request for /api/v1/interviews/{uuid}/realtime/connect with a JWT in token, "
    "once and percent-encoded";
enum { SHOWN_MAX = 80, TOKEN_SEGMENTS = 3 };

/* RFC 7515 7.1: three segments of base64url without padding, a period between them, none empty. */
static bool is_compact(struct bytes token)
{
    size_t segments = 1, len = 0;
    for (size_t i = 0; i < token.len; i++) {
        const uint8_t c = token.data[i];
        const bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                           c == '-' || c == '_';
        if (!plain && (c != '.' || len == 0))
            return false;
        segments += c == '.';
        len = c == '.' ? 0 : len + 1;
    }
    return segments == TOKEN_SEGMENTS && len > 0;
}

/* What is wrong with the path; NULL: nothing. */
static const char *path_fault(const struct rule_set *rules, struct bytes path)
{
    uint8_t uuid[UUID_BYTES];
    const struct bytes given = rules->context.config;
    struct bytes id;
    if (!interview_path_id(rule_path(&rules->context, path), &id))
        return "the path is ";
    /* One that was given may be no UUID, on purpose. */
    if (given.len == 0)
        return uuid_parse(id, uuid) ? NULL : "the interview id in the path is no UUID: ";
    return query_value_fault(id, given, "") == NULL
               ? NULL
               : "the interview id in the path is not the one that was given: ";
}

/* What is wrong with the token, without a word of it; NULL: nothing. Its alphabet needs no escapes, so what
 * stands in the query is what it is. */
static const char *token_fault(const struct rule_set *rules, const struct http_head *head)
{
    struct bytes token, second;
    if (!http_head_parameter(head, INTERVIEW_TOKEN_PARAMETER, 0, &token))
        return "there is no token in the query";
    if (http_head_parameter(head, INTERVIEW_TOKEN_PARAMETER, 1, &second))
        return "token stands in the query more than once";
    if (token.len == 0)
        return "token is empty";
    const char *fault = query_value_fault(token, rules->context.key, "not the token that was given");
    if (fault != NULL)
        return fault;
    /* One that was given may be wrong on purpose. */
    return rules->context.key.len == 0 && !is_compact(token)
               ? "token is no JWT: three segments of base64url with periods between them"
               : NULL;
}

void interview_rule_request(struct rule_set *rules, enum interview_rule rule,
                            const struct interview_seen *seen)
{
    struct http_head head;
    if (seen->event->kind != WIRE_EVENT_REQUEST || !http_head_parse(seen->event->data, &head) ||
        !http_head_asks_for_websocket(&head))
        return;
    const char *path = path_fault(rules, head.path);
    const char *token = token_fault(rules, &head);
    if (path != NULL) {
        struct finding_draft draft;
        finding_begin_with(&draft, EXPECTED, path);
        text_add_printable(&draft.actual, head.path, SHOWN_MAX);
        finding_book_end(&rules->book, rule, &draft, seen->event->at_us, false);
    } else if (token != NULL) {
        finding_book_broken(&rules->book, rule, seen->event->at_us, EXPECTED, token);
    } else {
        finding_book_kept(&rules->book, rule);
    }
}
