/*
 * The bytes that a client sends, right or wrong on purpose: the upgrade request, masked frames, messages.
 */
#ifndef CONFORMANCE_SERVER_CLIENT_BYTES_H
#define CONFORMANCE_SERVER_CLIENT_BYTES_H

#include "codec/wire/buffer.h"
#include "codec/wire/ws_frame.h"
#include "server/script/client_script.h"

/* Where the server is and who asks. Strings are borrowed. */
struct client_target {
    const char *authority; /* for the Host header */
    const char *path;      /* "/realtime" */
    const char *query;     /* further members of the query, "a=b&c=d"; empty: none */
    const char *key;       /* the right API key */
    const char *config;    /* a config that the server knows */
};

/* A key and a config that no server knows. */
#define CLIENT_WRONG_KEY      "ojin-conform-wrong-key"
#define CLIENT_UNKNOWN_CONFIG "ojin-conform-no-such-config"

/* Appends the upgrade request as a connect step has it. `nonce` is for Sec-WebSocket-Key. False when it does
 * not fit. */
bool client_request_write(const struct client_target *target, const struct client_step *step,
                          const uint8_t nonce[16], struct buffer *out);
/* Appends one whole frame, masked. False when it does not fit. */
bool client_frame_write(enum ws_opcode opcode, struct bytes payload, const uint8_t mask[4],
                        struct buffer *out);
/*
 * Appends the message that a send step asks for. `pcm` is the whole speech of SEND speech, little-endian.
 * False when it does not fit.
 */
bool client_message_write(const struct client_step *step, uint64_t now_ms, struct bytes pcm,
                          struct buffer *out);
enum ws_opcode client_message_opcode(enum step_send send);

#endif
