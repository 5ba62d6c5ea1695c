/*
 * Whether a client's frames are masked and well-formed, whatever is in them. RFC 6455 5.1: for the rules of
 * each family. What breaks it is found by codec/ws/stream.h; each kind of breach is told once a session.
 */
#ifndef CODEC_RULES_FRAMING_H
#define CODEC_RULES_FRAMING_H

#include "codec/rules/finding_book.h"
#include "codec/wire/wire_event.h"

struct framing_state {
    uint32_t reported; /* a bit for each enum ws_violation */
};

/* Any event of the session, in order: what it shows of `rule` goes into the book. */
void framing_event(struct framing_state *framing, const struct wire_event *event, struct finding_book *book,
                   size_t rule);

#endif
