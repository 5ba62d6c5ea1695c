#include "client/net/tap_watch.h"

#include "codec/wire/http_head.h"
#include "codec/wire/http_response.h"
#include "codec/wire/text.h"
#include "codec/ws/stream.h"

static void note_response(struct tap_seen *seen, const struct wire_event *event)
{
    struct bytes asked;
    struct bytes body;
    if (event->code == HTTP_SWITCHING_PROTOCOLS)
        return;
    seen->refused_status = event->code;
    if (!http_response_split(event->data, &asked, &body))
        return;
    struct text text = text_of(seen->retry_after, sizeof seen->retry_after);
    text_add_bytes(&text, asked);
    while (body.len > 0 && (body.data[body.len - 1] == '\n' || body.data[body.len - 1] == '\r'))
        body.len--; /* a text's last line break is none of the sentence */
    text = text_of(seen->refused_body, sizeof seen->refused_body);
    text_add_bytes(&text, body);
}

static enum tap_fail fail_code(enum ws_violation violation)
{
    if (violation == WS_VIOLATION_TEXT_NOT_UTF8)
        return TAP_FAIL_NOT_UTF8;
    return violation == WS_VIOLATION_DEFLATE_TOO_MUCH ? TAP_FAIL_TOO_BIG : TAP_FAIL_PROTOCOL;
}

void tap_watch_violation(struct tap_seen *seen, enum tap_fail code, struct bytes sentence)
{
    if (seen->violated)
        return;
    seen->violated = true;
    seen->fail_code = (uint16_t)code;
    struct text text = text_of(seen->violation, sizeof seen->violation);
    text_add_bytes(&text, sentence);
}

void tap_watch(struct tap_seen *seen, const struct wire_event *event)
{
    switch (event->kind) {
    case WIRE_EVENT_RESPONSE:
        note_response(seen, event);
        break;
    case WIRE_EVENT_CLOSE: {
        seen->closed = true;
        seen->close_code = event->code;
        struct text reason = text_of(seen->close_reason, sizeof seen->close_reason);
        text_add_bytes(&reason, event->data);
        break;
    }
    case WIRE_EVENT_VIOLATION:
        tap_watch_violation(seen, fail_code((enum ws_violation)event->code), event->data);
        break;
    case WIRE_EVENT_TEXT:
    case WIRE_EVENT_BINARY:
        seen->good_messages += seen->violated ? 0 : 1;
        break;
    case WIRE_EVENT_PING:
        seen->pings++;
        seen->ping_bytes = event->data.len < TAP_PING_MAX ? event->data.len : TAP_PING_MAX;
        if (seen->ping_bytes > 0)
            memcpy(seen->ping, event->data.data, seen->ping_bytes);
        break;
    case WIRE_EVENT_REQUEST:
    case WIRE_EVENT_PONG:
    case WIRE_EVENT_END:
    case WIRE_EVENT_TRANSPORT:
        break;
    }
}
