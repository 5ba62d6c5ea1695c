/*
 * One direction of a WebSocket connection taken apart into its frames and put together again, with a hook in
 * between that may change or drop each. It takes any bits for what they are, so that a hook can mend what
 * breaks RFC 6455.
 */
#ifndef CONFORMANCE_DEFECTS_WS_FILTER_H
#define CONFORMANCE_DEFECTS_WS_FILTER_H

#include "codec/wire/buffer.h"
#include "codec/ws/frame.h"

struct ws_frame {
    bool fin;
    uint8_t reserved; /* bits 4, 2, 1: RSV1, RSV2, RSV3 */
    uint8_t opcode;
    bool masked;           /* with a key of its own when it goes on */
    bool absurd;           /* its length had the top bit set: the payload is a byte of it */
    struct buffer payload; /* without the mask; may be changed */
};

struct defect_state; /* what a hook remembers: conformance/defects/defect.h */
/* The hook for each frame; false: it is dropped. */
typedef bool ws_frame_hook(struct defect_state *state, struct ws_frame *frame);
/* The hook for the HTTP head, with its empty line. */
typedef void ws_head_hook(struct defect_state *state, struct buffer *head);

struct ws_filter {
    struct buffer pending; /* of a head or a frame that is not whole */
    struct buffer behind;  /* what a hook wants to follow the frame it was called for */
    bool open;             /* the head has passed */
    /* For hooks, so that they need no memory of their own. */
    bool within;    /* a message whose last frame has not come */
    uint8_t opcode; /* of the message */
};

void ws_filter_init(struct ws_filter *filter);
void ws_filter_free(struct ws_filter *filter);
/* What is whole in `bytes` and in what was pending, after the hooks, in place of what it held. Either hook
 * may be NULL. A further connection begins with its own head. */
void ws_filter_pass(struct ws_filter *filter, struct buffer *bytes, ws_head_hook *head, ws_frame_hook *hook,
                    struct defect_state *state);

/* Appends the frame as it goes over the wire; its payload is masked in place then. */
void ws_frame_put(struct buffer *out, struct ws_frame *frame);

/* In place of the first `from` in `text`, `to`; false when it holds none. */
bool ws_replace(struct buffer *text, const char *from, const char *to);

#endif
