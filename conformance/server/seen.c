#include "conformance/server/seen.h"

#include "codec/wire/http_response.h"

enum { GROUPS_MAX = 6, WORD_SHOWN_MAX = 60 };

static struct bytes body_of(struct bytes response)
{
    for (size_t i = 0; i + 4 <= response.len; i++)
        if (memcmp(response.data + i, "\r\n\r\n", 4) == 0)
            return bytes_of(response.data + i + 4, response.len - i - 4);
    return (struct bytes){0};
}

static void response_take(const struct client_side *side, const struct wire_event *event, struct seen *out)
{
    out->kind = event->code == HTTP_SWITCHING_PROTOCOLS ? SEEN_OPEN : SEEN_REFUSAL;
    out->code = event->code;
    const struct bytes body = body_of(event->data);
    if (out->kind == SEEN_REFUSAL && body.len > 0)
        side->see_body(body, out);
}

void seen_of(const struct client_side *side, const struct profile *profile, const struct wire_event *event,
             struct seen *out, struct frame_summary *frame)
{
    *out = (struct seen){.at_us = event->at_us, .code = event->code};
    switch (event->kind) {
    case WIRE_EVENT_RESPONSE:
        response_take(side, event, out);
        break;
    case WIRE_EVENT_TEXT:
    case WIRE_EVENT_BINARY:
        side->see(profile, event, out, frame);
        break;
    case WIRE_EVENT_PING:
        out->kind = SEEN_PING;
        break;
    case WIRE_EVENT_PONG:
        out->kind = SEEN_PONG;
        seen_word_set(out, event->data);
        break;
    case WIRE_EVENT_CLOSE:
        out->kind = SEEN_CLOSE;
        seen_word_set(out, event->data);
        break;
    case WIRE_EVENT_REQUEST: /* a server sends none of these */
    case WIRE_EVENT_TRANSPORT:
    case WIRE_EVENT_VIOLATION:
        out->kind = SEEN_VIOLATION;
        seen_word_set(out, event->data);
        break;
    case WIRE_EVENT_END:
        out->kind = SEEN_END;
        break;
    }
}

const char *seen_label(const struct client_side *side, const struct seen *seen)
{
    switch (seen->kind) {
    case SEEN_OPEN:
        return "accept";
    case SEEN_REFUSAL:
        return "refusal";
    case SEEN_MESSAGE:
        return side->messages[seen->type].label;
    case SEEN_ERROR:
        return "error";
    case SEEN_PLAIN_TEXT:
        return "text";
    case SEEN_PING:
        return "ping";
    case SEEN_PONG:
        return "pong";
    case SEEN_CLOSE:
        return "close";
    case SEEN_VIOLATION:
        return "violation";
    case SEEN_END:
        return "end";
    }
    return "";
}

/* ---- matching ---- */

/* Is `word` among the codes? Any is when there are none. */
static bool code_is_wanted(const char *codes, const char *word)
{
    for (const char *at = codes; *at != '\0';) {
        size_t len = strcspn(at, ",");
        if (bytes_equal_text(bytes_of(at, len), word))
            return true;
        at += len + (at[len] == ',');
    }
    return codes[0] == '\0';
}

static bool refusal_matches(const struct seen *seen, const struct client_step *step, const char *codes)
{
    if (seen->kind == SEEN_REFUSAL)
        return (step->code == 0 || step->code == seen->code) && code_is_wanted(codes, seen->word);
    if (step->code != 0)
        return false;
    if (seen->kind == SEEN_ERROR)
        return code_is_wanted(codes, seen->word);
    return seen->kind == SEEN_PLAIN_TEXT && code_is_wanted(codes, SEEN_CODE_PLAIN_TEXT);
}

static bool close_matches(const struct seen *seen, const char *codes)
{
    char number[8];
    struct text text = text_of(number, sizeof number);
    text_add_u64(&text, seen->code);
    return seen->kind == SEEN_CLOSE && code_is_wanted(codes, number);
}

bool seen_matches(const struct client_side *side, const struct seen *seen, const struct client_step *step,
                  const char *codes)
{
    switch (step->receive) {
    case RECEIVE_OPEN:
        return seen->kind == SEEN_OPEN;
    case RECEIVE_REFUSAL:
        return refusal_matches(seen, step, codes);
    case RECEIVE_ERROR:
        return seen->kind == SEEN_ERROR && code_is_wanted(codes, seen->word);
    case RECEIVE_TEXT:
        return seen->kind == SEEN_PLAIN_TEXT;
    case RECEIVE_PING:
        return seen->kind == SEEN_PING;
    case RECEIVE_PONG:
        return seen->kind == SEEN_PONG && (!step->has_text || strcmp(seen->word, step->text) == 0);
    case RECEIVE_CLOSE:
        return close_matches(seen, codes);
    case RECEIVE_END:
        return seen->kind == SEEN_END;
    case RECEIVE_ANY:
        return seen->kind != SEEN_END;
    default: /* the number of a row */
        return seen->kind == SEEN_MESSAGE && side->matches(seen, step->receive - RECEIVE_FAMILY) &&
               code_is_wanted(codes, seen->word);
    }
}

/* ---- for people ---- */

static const char *wanted_phrase(const struct client_side *side, int receive)
{
    switch (receive) {
    case RECEIVE_OPEN:
        return "the upgrade answered with HTTP 101";
    case RECEIVE_REFUSAL:
        return "a refusal";
    case RECEIVE_ERROR:
        return side->error_phrase;
    case RECEIVE_TEXT:
        return "a plain text";
    case RECEIVE_PING:
        return "a ping";
    case RECEIVE_PONG:
        return "a pong";
    case RECEIVE_CLOSE:
        return "a close frame";
    case RECEIVE_END:
        return "the end of the connection";
    case RECEIVE_ANY:
        return "anything at all";
    default:
        return side->receives[receive - RECEIVE_FAMILY].phrase;
    }
}

void seen_describe_wanted(const struct client_side *side, struct text *out, const struct client_step *step)
{
    text_add(out, wanted_phrase(side, step->receive));
    if (step->code != 0) {
        text_add(out, " with HTTP ");
        text_add_u64(out, step->code);
    }
    for (const char *at = step->codes; *at != '\0';) {
        size_t len = strcspn(at, ",");
        text_add(out, at == step->codes ? " " : " or ");
        text_add_bytes(out, bytes_of(at, len));
        at += len + (at[len] == ',');
    }
    if (step->receive == RECEIVE_PONG && step->has_text) {
        text_add(out, " with ");
        text_add_json_string(out, bytes_of_text(step->text));
    }
    if (step->count > 1) {
        text_add(out, ", ");
        text_add_u64(out, step->count);
        text_add(out, " times");
    }
}

static const char *noun_of(const struct client_side *side, const struct seen *seen)
{
    switch (seen->kind) {
    case SEEN_OPEN:
    case SEEN_REFUSAL:
        return "HTTP";
    case SEEN_MESSAGE:
        return side->messages[seen->type].noun;
    case SEEN_ERROR:
        return side->error_noun;
    case SEEN_PLAIN_TEXT:
        return "plain text";
    case SEEN_PING:
        return "ping";
    case SEEN_PONG:
        return "pong";
    case SEEN_CLOSE:
        return "close";
    case SEEN_VIOLATION:
        return "RFC 6455 violation";
    case SEEN_END:
        return seen->code == 0 ? "the end of the connection" : "a reset of the connection";
    }
    return "";
}

static bool seen_alike(const struct seen *a, const struct seen *b)
{
    return a->kind == b->kind && a->type == b->type && a->code == b->code && a->is_final == b->is_final &&
           strcmp(a->word, b->word) == 0;
}

static void word_describe(const struct client_side *side, struct text *out, const struct seen *seen)
{
    const bool is_message = seen->kind == SEEN_MESSAGE;
    if (seen->word[0] == '\0' || (is_message && !side->messages[seen->type].shows_word))
        return;
    const bool quoted = seen->kind != SEEN_ERROR && seen->kind != SEEN_REFUSAL;
    text_add(out, quoted ? " \"" : " ");
    text_add_bytes(out, bytes_of(seen->word, strnlen(seen->word, WORD_SHOWN_MAX)));
    text_add(out, quoted ? "\"" : "");
}

static void group_describe(const struct client_side *side, struct text *out, const struct seen *seen,
                           size_t count)
{
    if (count > 1) {
        text_add_u64(out, count);
        text_add_char(out, ' ');
    }
    text_add(out, seen->kind == SEEN_MESSAGE && seen->is_final ? "final " : "");
    text_add(out, noun_of(side, seen));
    if (count > 1)
        text_add_char(out, 's');
    if (seen->kind == SEEN_OPEN || seen->kind == SEEN_REFUSAL || seen->kind == SEEN_CLOSE) {
        text_add_char(out, ' ');
        text_add_u64(out, seen->code);
    }
    word_describe(side, out, seen);
}

void seen_describe(const struct client_side *side, struct text *out, const struct seen *seen, size_t count)
{
    size_t from = count;
    size_t groups = 0;
    while (from > 0 && groups < GROUPS_MAX) {
        from--;
        if (from == 0 || !seen_alike(&seen[from - 1], &seen[from]))
            groups++;
    }
    text_add(out, from > 0 ? "… " : "");
    if (count == 0)
        text_add(out, "nothing");
    for (size_t i = from; i < count;) {
        size_t end = i + 1;
        while (end < count && seen_alike(&seen[i], &seen[end]))
            end++;
        text_add(out, i == from ? "" : ", ");
        group_describe(side, out, &seen[i], end - i);
        i = end;
    }
}
