#include "client/net/tap_watch.h"

#include "codec/wire/text.h"

static void note_response(struct tap_seen *seen, const struct wire_event *event)
{
    if (event->code == 101)
        return;
    seen->refused_status = event->code;
    size_t head = 0;
    while (head + 4 <= event->data.len && memcmp(event->data.data + head, "\r\n\r\n", 4) != 0)
        head++;
    struct text body = text_of(seen->refused_body, sizeof seen->refused_body);
    size_t end = event->data.len;
    while (end > head + 4 && (event->data.data[end - 1] == '\n' || event->data.data[end - 1] == '\r'))
        end--; /* a text's last line break is none of the sentence */
    if (head + 4 <= end)
        text_add_bytes(&body, bytes_of(event->data.data + head + 4, end - head - 4));
}

void tap_watch(void *context, const struct wire_event *event)
{
    struct tap_seen *seen = context;
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
    case WIRE_EVENT_VIOLATION: {
        seen->violated = true;
        struct text sentence = text_of(seen->violation, sizeof seen->violation);
        text_add_bytes(&sentence, event->data);
        break;
    }
    case WIRE_EVENT_TEXT:
    case WIRE_EVENT_BINARY:
        seen->good_messages += seen->violated ? 0 : 1;
        break;
    case WIRE_EVENT_REQUEST:
    case WIRE_EVENT_PING:
    case WIRE_EVENT_PONG:
    case WIRE_EVENT_END:
        break;
    }
}
