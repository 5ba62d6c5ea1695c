#include "codec/rules/framing.h"

#include "codec/ws/stream.h"

static void judge_violation(struct framing_state *framing, const struct wire_event *event,
                            struct finding_book *book, size_t rule)
{
    const enum ws_violation violation = (enum ws_violation)event->code;
    const uint32_t bit = (uint32_t)1 << (event->code & 31);
    if ((framing->reported & bit) != 0)
        return;
    framing->reported |= bit;
    finding_book_broken(book, rule, event->at_us, ws_violation_sentence(violation),
                        ws_violation_name(violation));
}

void framing_event(struct framing_state *framing, const struct wire_event *event, struct finding_book *book,
                   size_t rule)
{
    if (event->direction != WIRE_FROM_CLIENT)
        return;
    switch (event->kind) {
    case WIRE_EVENT_VIOLATION:
        judge_violation(framing, event, book, rule);
        break;
    case WIRE_EVENT_TEXT:
    case WIRE_EVENT_BINARY:
    case WIRE_EVENT_PING:
    case WIRE_EVENT_PONG:
    case WIRE_EVENT_CLOSE:
        finding_book_kept(book, rule);
        break;
    case WIRE_EVENT_REQUEST:
    case WIRE_EVENT_RESPONSE:
    case WIRE_EVENT_END:
    case WIRE_EVENT_TRANSPORT:
        break;
    }
}
