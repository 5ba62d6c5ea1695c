#include "conformance/server/seen.h"

#include "codec/ojin/messages.h"
#include "codec/rules/ojin/frame_view.h"
#include "codec/wire/http_response.h"
#include "server/ojin/messages.h"

enum { GROUPS_MAX = 6 };

static void word_set(struct seen *out, struct bytes bytes)
{
    struct text text = text_of(out->word, sizeof out->word);
    text_add_printable(&text, bytes, sizeof out->word - 8);
}

static struct bytes body_of(struct bytes response)
{
    for (size_t i = 0; i + 4 <= response.len; i++)
        if (memcmp(response.data + i, "\r\n\r\n", 4) == 0)
            return bytes_of(response.data + i + 4, response.len - i - 4);
    return (struct bytes){0};
}

static void response_take(const struct wire_event *event, struct seen *out)
{
    out->kind = event->code == HTTP_SWITCHING_PROTOCOLS ? SEEN_OPEN : SEEN_REFUSAL;
    out->code = event->code;
    struct bytes body = body_of(event->data);
    struct ojin_message message;
    if (out->kind == SEEN_OPEN || body.len == 0)
        return;
    ojin_message_read(body, &message);
    if (message.type == OJIN_MESSAGE_ERROR_RESPONSE)
        word_set(out, bytes_of_text(message.code));
    else if (message.type == OJIN_MESSAGE_PLAIN_TEXT)
        word_set(out, bytes_of_text(SEEN_CODE_PLAIN_TEXT));
}

static void text_take(struct bytes data, struct seen *out)
{
    struct ojin_message message;
    ojin_message_read(data, &message);
    word_set(out, data);
    switch (message.type) {
    case OJIN_MESSAGE_SESSION_READY:
        out->kind = SEEN_READY;
        break;
    case OJIN_MESSAGE_ERROR_RESPONSE:
        out->kind = SEEN_ERROR;
        word_set(out, bytes_of_text(message.code));
        break;
    case OJIN_MESSAGE_PLAIN_TEXT:
        out->kind = SEEN_PLAIN_TEXT;
        break;
    case OJIN_MESSAGE_END_INTERACTION:
    case OJIN_MESSAGE_CANCEL_INTERACTION:
    case OJIN_MESSAGE_OTHER:
    case OJIN_MESSAGE_NO_OBJECT:
    case OJIN_MESSAGE_UNREADABLE:
        out->kind = SEEN_OTHER_TEXT;
        break;
    }
}

/* What its header says counts, whatever is wrong behind it: that is for the rules to say. */
static void frame_take(const struct wire_event *event, struct seen *out, struct frame_summary *summary)
{
    struct frame_view view;
    ojin_frame_summarise(event->data, false, summary);
    frame_view_read(event, &view);
    out->is_final = frame_view_has_header(&view) && view.header.is_final == 1;
    if (!frame_view_has_header(&view))
        out->kind = SEEN_BAD_FRAME;
    else if (view.header.index == OJIN_INDEX_SILENCE)
        out->kind = SEEN_SILENCE;
    else
        out->kind = view.header.index == OJIN_INDEX_SPEECH ? SEEN_SPEECH : SEEN_OTHER_FRAME;
}

void seen_of(const struct wire_event *event, struct seen *out, struct frame_summary *frame)
{
    *out = (struct seen){.at_us = event->at_us, .code = event->code};
    switch (event->kind) {
    case WIRE_EVENT_RESPONSE:
        response_take(event, out);
        break;
    case WIRE_EVENT_TEXT:
        text_take(event->data, out);
        break;
    case WIRE_EVENT_BINARY:
        frame_take(event, out, frame);
        break;
    case WIRE_EVENT_PING:
        out->kind = SEEN_PING;
        break;
    case WIRE_EVENT_PONG:
        out->kind = SEEN_PONG;
        word_set(out, event->data);
        break;
    case WIRE_EVENT_CLOSE:
        out->kind = SEEN_CLOSE;
        word_set(out, event->data);
        break;
    case WIRE_EVENT_REQUEST: /* a server sends none */
    case WIRE_EVENT_VIOLATION:
        out->kind = SEEN_VIOLATION;
        word_set(out, event->data);
        break;
    case WIRE_EVENT_END:
        out->kind = SEEN_END;
        break;
    }
}

const char *seen_label(const struct seen *seen)
{
    switch (seen->kind) {
    case SEEN_OPEN:
        return "accept";
    case SEEN_REFUSAL:
        return "refusal";
    case SEEN_READY:
        return "ready";
    case SEEN_SILENCE:
        return "silence";
    case SEEN_SPEECH:
        return "speech";
    case SEEN_OTHER_FRAME:
        return "frame";
    case SEEN_BAD_FRAME:
        return "binary";
    case SEEN_ERROR:
        return "error";
    case SEEN_PLAIN_TEXT:
    case SEEN_OTHER_TEXT:
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

static bool is_frame(const struct seen *seen)
{
    return seen->kind == SEEN_SILENCE || seen->kind == SEEN_SPEECH || seen->kind == SEEN_OTHER_FRAME;
}

static bool refusal_matches(const struct seen *seen, const struct client_step *step)
{
    if (seen->kind == SEEN_REFUSAL)
        return (step->code == 0 || step->code == seen->code) && code_is_wanted(step->codes, seen->word);
    if (step->code != 0)
        return false;
    if (seen->kind == SEEN_ERROR)
        return code_is_wanted(step->codes, seen->word);
    return seen->kind == SEEN_PLAIN_TEXT && code_is_wanted(step->codes, SEEN_CODE_PLAIN_TEXT);
}

static bool close_matches(const struct seen *seen, const struct client_step *step)
{
    char number[8];
    struct text text = text_of(number, sizeof number);
    text_add_u64(&text, seen->code);
    return seen->kind == SEEN_CLOSE && code_is_wanted(step->codes, number);
}

bool seen_matches(const struct seen *seen, const struct client_step *step)
{
    switch (step->receive) {
    case RECEIVE_OPEN:
        return seen->kind == SEEN_OPEN;
    case RECEIVE_REFUSAL:
        return refusal_matches(seen, step);
    case RECEIVE_READY:
        return seen->kind == SEEN_READY;
    case RECEIVE_SILENCE:
        return seen->kind == SEEN_SILENCE;
    case RECEIVE_SPEECH:
        return seen->kind == SEEN_SPEECH;
    case RECEIVE_FRAME:
        return is_frame(seen);
    case RECEIVE_FINAL:
        return is_frame(seen) && seen->is_final;
    case RECEIVE_ERROR:
        return seen->kind == SEEN_ERROR && code_is_wanted(step->codes, seen->word);
    case RECEIVE_TEXT:
        return seen->kind == SEEN_PLAIN_TEXT;
    case RECEIVE_PING:
        return seen->kind == SEEN_PING;
    case RECEIVE_PONG:
        return seen->kind == SEEN_PONG && (!step->has_text || strcmp(seen->word, step->text) == 0);
    case RECEIVE_CLOSE:
        return close_matches(seen, step);
    case RECEIVE_END:
        return seen->kind == SEEN_END;
    case RECEIVE_ANY:
        return seen->kind != SEEN_END;
    }
    return false;
}

/* ---- for people ---- */

static const char *wanted_phrase(enum step_receive receive)
{
    switch (receive) {
    case RECEIVE_OPEN:
        return "the upgrade answered with HTTP 101";
    case RECEIVE_REFUSAL:
        return "a refusal";
    case RECEIVE_READY:
        return "sessionReady";
    case RECEIVE_SILENCE:
        return "a silence frame";
    case RECEIVE_SPEECH:
        return "a speech frame";
    case RECEIVE_FRAME:
        return "a frame";
    case RECEIVE_FINAL:
        return "a frame with is_final";
    case RECEIVE_ERROR:
        return "an errorResponse";
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
    }
    return "";
}

void seen_describe_wanted(struct text *out, const struct client_step *step)
{
    text_add(out, wanted_phrase(step->receive));
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

static const char *noun_of(const struct seen *seen)
{
    switch (seen->kind) {
    case SEEN_OPEN:
        return "HTTP";
    case SEEN_REFUSAL:
        return "HTTP";
    case SEEN_READY:
        return "sessionReady";
    case SEEN_SILENCE:
        return seen->is_final ? "final silence frame" : "silence frame";
    case SEEN_SPEECH:
        return seen->is_final ? "final speech frame" : "speech frame";
    case SEEN_OTHER_FRAME:
        return seen->is_final ? "final wrong-index frame" : "wrong-index frame";
    case SEEN_BAD_FRAME:
        return "unreadable binary message";
    case SEEN_ERROR:
        return "errorResponse";
    case SEEN_PLAIN_TEXT:
        return "plain text";
    case SEEN_OTHER_TEXT:
        return "text";
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
    return a->kind == b->kind && a->code == b->code && a->is_final == b->is_final &&
           strcmp(a->word, b->word) == 0;
}

static void group_describe(struct text *out, const struct seen *seen, size_t count)
{
    if (count > 1) {
        text_add_u64(out, count);
        text_add_char(out, ' ');
    }
    text_add(out, noun_of(seen));
    if (count > 1)
        text_add_char(out, 's');
    if (seen->kind == SEEN_OPEN || seen->kind == SEEN_REFUSAL || seen->kind == SEEN_CLOSE) {
        text_add_char(out, ' ');
        text_add_u64(out, seen->code);
    }
    if (seen->word[0] == '\0' || seen->kind == SEEN_READY)
        return;
    const bool quoted = seen->kind != SEEN_ERROR && seen->kind != SEEN_REFUSAL;
    text_add(out, quoted ? " \"" : " ");
    text_add_bytes(out, bytes_of(seen->word, strlen(seen->word) < 60 ? strlen(seen->word) : 60));
    text_add(out, quoted ? "\"" : "");
}

void seen_describe(struct text *out, const struct seen *seen, size_t count)
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
        group_describe(out, &seen[i], end - i);
        i = end;
    }
}
