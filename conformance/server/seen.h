/*
 * What came from the server, in short: what a step can wait for and what people are told of it. What is of
 * one family its client_side says.
 */
#ifndef CONFORMANCE_SERVER_SEEN_H
#define CONFORMANCE_SERVER_SEEN_H

#include "conformance/script/client_side.h"

/* Of an event from the server. `frame` gets its summary where it is a frame of sound and pictures. */
void seen_of(const struct client_side *side, const struct profile *profile, const struct wire_event *event,
             struct seen *out, struct frame_summary *frame);
/* As the journal labels it; static. */
const char *seen_label(const struct client_side *side, const struct seen *seen);
/* Is it what a recv or none step looks for, with one of `codes` (with commas between them; empty: any)? */
bool seen_matches(const struct client_side *side, const struct seen *seen, const struct client_step *step,
                  const char *codes);
/* What a step looks for: "an errorResponse INVALID_MESSAGE". */
void seen_describe_wanted(const struct client_side *side, struct text *out, const struct client_step *step);
/* The last of them for people, in order and alike ones together: "12 silence frames, errorResponse
 * RATE_LIMITED"; "nothing". */
void seen_describe(const struct client_side *side, struct text *out, const struct seen *seen, size_t count);

#endif
