/*
 * The bytes that a client sends, right or wrong on purpose: the upgrade request, masked frames, messages.
 * What is of one family its client_side says.
 */
#ifndef CONFORMANCE_SERVER_CLIENT_BYTES_H
#define CONFORMANCE_SERVER_CLIENT_BYTES_H

#include "conformance/script/client_side.h"

/* Appends the upgrade request as a connect step has it. `nonce` is for Sec-WebSocket-Key. False when it does
 * not fit. */
bool client_request_write(const struct client_side *side, const struct client_target *target,
                          const struct profile *profile, const struct client_step *step,
                          const uint8_t nonce[16], struct buffer *out);
/* Appends one whole frame, masked. False when it does not fit. */
bool client_frame_write(enum ws_opcode opcode, struct bytes payload, const uint8_t mask[4],
                        struct buffer *out);
/* Appends the message that a send step asks for. False when it does not fit. */
bool client_message_write(const struct client_side *side, const struct client_step *step,
                          const struct client_writing *with, struct buffer *out);
enum ws_opcode client_message_opcode(const struct client_side *side, const struct client_step *step);

#endif
