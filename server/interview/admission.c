/*
 * Who is let in: 004 Authentication, Connection Response, Rate Limiting. Who is not gets the upgrade and then
 * a close with 1008, or by profile and quirk an HTTP status in its place.
 */
#include "server/behaviour/behaviour.h"
#include "server/interview/session.h"
#include "server/token/token.h"

enum { STATUS_BAD_REQUEST = 400 };

/* What a token is not to blame for. */
enum refusal { REFUSAL_INACTIVE, REFUSAL_UNKNOWN, REFUSAL_TAKEN, REFUSAL_COUNT };

static const struct {
    const char *sentence;
    enum interview_error_code code;
} REFUSALS[REFUSAL_COUNT] = {
    [REFUSAL_INACTIVE] = {"the interview is not active", INTERVIEW_ERROR_SESSION_NOT_FOUND},
    [REFUSAL_UNKNOWN] = {"the interview is unknown", INTERVIEW_ERROR_SESSION_NOT_FOUND},
    [REFUSAL_TAKEN] = {"there is a connection to the interview already", INTERVIEW_ERROR_RATE_LIMIT_EXCEEDED},
};

static void refuse(uint16_t status, enum interview_error_code code, const char *sentence,
                   struct actions *actions)
{
    char data[2 * INTERVIEW_SENTENCE_MAX];
    struct text text = text_of(data, sizeof data);
    struct action *action = NULL;
    text_add(&text, "Content-Type: application/json\r\n\r\n{\"type\":\"error\",\"code\":");
    text_add_json_string(&text, bytes_of_text(interview_error_name(code)));
    text_add_json_text_member(&text, "message", sentence);
    text_add(&text, "}");
    uint8_t *out = actions_add(actions, ACTION_REFUSE, "refuse", text.len, &action);
    if (out == NULL)
        return;
    memcpy(out, text.data, text.len);
    action->code = status;
}

/* The segment before the path's end: a scenario's path begins otherwise than that of the document. */
bool interview_id_of(const struct http_head *head, uint8_t *out, size_t capacity, size_t *len)
{
    const struct bytes path = head->path, after = bytes_of_text(INTERVIEW_PATH_AFTER_ID);
    if (path.len <= after.len || !bytes_equal(bytes_of(path.data + path.len - after.len, after.len), after))
        return false;
    const size_t end = path.len - after.len;
    size_t begin = end;
    while (begin > 0 && path.data[begin - 1] != '/')
        begin--;
    return end - begin <= capacity && percent_decode(bytes_of(path.data + begin, end - begin), out, len) &&
           *len > 0;
}

/* ---- the token ---- */

static bool is_expected(const struct session *session, struct bytes token)
{
    return session->config.key != NULL && bytes_equal_text(token, session->config.key);
}

static enum token_verdict token_judge(const struct session *session, const struct session_event *event)
{
    struct bytes raw, second;
    uint8_t token[TOKEN_BYTES_MAX];
    size_t len = 0;
    if (event->refusal.data != NULL)
        return TOKEN_GOOD;
    if (event->head == NULL || !http_head_parameter(event->head, INTERVIEW_TOKEN_PARAMETER, 0, &raw))
        return TOKEN_MISSING;
    if (http_head_parameter(event->head, INTERVIEW_TOKEN_PARAMETER, 1, &second))
        return TOKEN_REPEATED;
    if (raw.len > sizeof token)
        return TOKEN_TOO_LONG;
    if (!percent_decode(raw, token, &len))
        return TOKEN_MALFORMED;
    if (is_expected(session, bytes_of(token, len)))
        return TOKEN_GOOD;
    const struct token_terms terms = {
        .secret = session->config.token_secret == NULL ? TOKEN_SECRET_DEFAULT : session->config.token_secret,
        .candidate = session->config.candidate == NULL ? TOKEN_CANDIDATE_DEFAULT : session->config.candidate,
        .interview = bytes_of(session->id, session->id_len),
        .now_s = (session->config.epoch_ms + event->now_us / 1000) / 1000,
        .role_optional =
            session->profile->role_optional || interview_quirk(session, INTERVIEW_QUIRK_ROLE_OPTIONAL) != 0};
    return token_verify(bytes_of(token, len), &terms);
}

/* ---- the interview ---- */

/* Any that has an id, unless there is only one. */
static bool interview_is_known(const struct session *session)
{
    uint8_t uuid[UUID_BYTES];
    const struct bytes id = bytes_of(session->id, session->id_len);
    if (session->config.config_id != NULL)
        return bytes_equal_text_ignoring_case(id, session->config.config_id);
    return uuid_parse(id, uuid) || card_is(id);
}

static void refuse_by(struct session *session, enum refusal refusal)
{
    session->refusal = REFUSALS[refusal].sentence;
    session->refused_by = REFUSALS[refusal].code;
}

static void interview_judge(struct session *session)
{
    const struct bytes id = bytes_of(session->id, session->id_len);
    const uint64_t there = interview_quirk(session, INTERVIEW_QUIRK_NO_INTERVIEW);
    const bool replaces =
        session->profile->newer_replaces || interview_quirk(session, INTERVIEW_QUIRK_NEWEST_WINS) != 0;
    if (there == INTERVIEW_IS_INACTIVE)
        refuse_by(session, REFUSAL_INACTIVE);
    else if (there == INTERVIEW_IS_UNKNOWN || !interview_is_known(session))
        refuse_by(session, REFUSAL_UNKNOWN);
    else if (interview_quirk(session, INTERVIEW_QUIRK_SHARED) != 0)
        return;
    else if (!replaces && room_is_taken(session->config.rooms, id))
        refuse_by(session, REFUSAL_TAKEN);
    else
        room_take(&session->seat, session->config.rooms, id);
}

bool interview_is_lost(const struct session *session)
{
    return session->seat.lost;
}

/* ---- both ---- */

static void judge(struct session *session, const struct session_event *event)
{
    const bool any_token = interview_quirk(session, INTERVIEW_QUIRK_ANY_TOKEN) != 0;
    const enum token_verdict verdict = any_token ? TOKEN_GOOD : token_judge(session, event);
    if (verdict != TOKEN_GOOD)
        session->refusal = token_verdict_sentence(verdict);
    else
        interview_judge(session);
}

/* As it was in the session that is replayed. */
static void judge_again(struct session *session, struct bytes sentence)
{
    for (int verdict = TOKEN_GOOD + 1; verdict < TOKEN_VERDICT_COUNT; verdict++)
        if (bytes_equal_text(sentence, token_verdict_sentence((enum token_verdict)verdict)))
            session->refusal = token_verdict_sentence((enum token_verdict)verdict);
    for (int refusal = 0; refusal < REFUSAL_COUNT; refusal++)
        if (bytes_equal_text(sentence, REFUSALS[refusal].sentence))
            refuse_by(session, (enum refusal)refusal);
}

void interview_admit(struct session *session, const struct session_event *event, struct actions *actions)
{
    uint64_t status = interview_quirk(session, INTERVIEW_QUIRK_REFUSE_UPGRADE);
    if (status == 0)
        status = session->profile->refusal_status;
    if (session->config.config_fault != NULL) {
        refuse(STATUS_BAD_REQUEST, INTERVIEW_ERROR_SESSION_NOT_FOUND, session->config.config_fault, actions);
        return;
    }
    if (event->head == NULL ||
        !interview_id_of(event->head, session->id, sizeof session->id, &session->id_len))
        session->id_len = 0;
    if (event->refusal.len > 0)
        judge_again(session, event->refusal);
    else
        judge(session, event);
    if (session->refusal != NULL && status != 0) {
        refuse((uint16_t)status, INTERVIEW_ERROR_SESSION_NOT_FOUND, session->refusal, actions);
        return;
    }
    session->stage = INTERVIEW_STAGE_ADMITTED;
    (void)actions_add(actions, ACTION_ACCEPT, "accept", 0, NULL);
}
