/*
 * What came from the server, in short: what a step can wait for and what people are told of it.
 */
#ifndef CONFORMANCE_SERVER_SEEN_H
#define CONFORMANCE_SERVER_SEEN_H

#include "codec/wire/text.h"
#include "codec/wire/wire_event.h"
#include "server/journal/journal.h"
#include "server/script/client_script.h"

enum seen_kind {
    SEEN_OPEN,
    SEEN_REFUSAL,
    SEEN_READY,
    SEEN_SILENCE,
    SEEN_SPEECH,
    SEEN_OTHER_FRAME, /* of an index that is neither */
    SEEN_BAD_FRAME,   /* a binary message without a whole header */
    SEEN_ERROR,
    SEEN_PLAIN_TEXT,
    SEEN_OTHER_TEXT, /* JSON of another type */
    SEEN_PING,
    SEEN_PONG,
    SEEN_CLOSE,
    SEEN_VIOLATION,
    SEEN_END
};

enum { SEEN_WORD_MAX = 128 };
#define SEEN_CODE_PLAIN_TEXT "plain-text"

struct seen {
    uint64_t at_us;
    enum seen_kind kind;
    uint16_t code; /* HTTP status, close code; END: 1 for a reset */
    bool is_final;
    char word[SEEN_WORD_MAX]; /* ERROR: its code; REFUSAL: the code in its body, or "plain-text"; texts: how
                                 they begin; PONG: its data; VIOLATION: what it is */
};

/* Of an event from the server. `frame` gets its summary where it is a frame. */
void seen_of(const struct wire_event *event, struct seen *out, struct frame_summary *frame);
/* As the journal labels it; static. */
const char *seen_label(const struct seen *seen);
/* Is it what a recv or none step looks for? */
bool seen_matches(const struct seen *seen, const struct client_step *step);
/* What a step looks for: "an errorResponse INVALID_MESSAGE". */
void seen_describe_wanted(struct text *out, const struct client_step *step);
/* The last of them for people, in order and alike ones together: "12 silence frames, errorResponse
 * RATE_LIMITED"; "nothing". */
void seen_describe(struct text *out, const struct seen *seen, size_t count);

#endif
