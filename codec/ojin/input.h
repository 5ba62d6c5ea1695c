/*
 * InteractionInput (client to server, binary): 000 InteractionInput, 001 Optional parameters.
 *
 * Payload type 1, big-endian timestamp and params size, params as UTF-8 JSON, then 16-bit little-endian PCM.
 */
#ifndef CODEC_OJIN_INPUT_H
#define CODEC_OJIN_INPUT_H

#include "codec/ojin/constants.h"
#include "codec/wire/bytes.h"
#include "codec/wire/wire_status.h"
#include "codec/wire/writer.h"

struct ojin_input {
    uint8_t payload_type;
    uint64_t timestamp_ms; /* milliseconds since the Unix epoch */
    struct bytes params;   /* JSON text, empty without params; checked by ojin_params_read, not here */
    struct bytes audio;    /* may have an odd length: the caller decides what that means */
};

/* 000 InteractionInputMessage params; defaults from 001 Optional parameters. */
struct ojin_params {
    double speech_filter_amount;
    double idle_filter_amount;
    double idle_mouth_opening_scale;
    double speech_mouth_opening_scale;
    int64_t client_frame_index; /* from -2^53 to 2^53; what is not above 0 says nothing */
};

extern const struct ojin_params OJIN_PARAMS_DEFAULT;

/* Statuses: WIRE_OK, WIRE_TRUNCATED, WIRE_SIZE_PAST_END. The payload type is returned as sent, not judged;
 * when it is not 1 the rest is read all the same. *out only on success. */
struct wire_error ojin_input_decode(struct bytes message, struct ojin_input *out);
/* The 13 header bytes, params and audio. */
void ojin_input_write(struct writer *writer, const struct ojin_input *input);

/* Overrides `*params` by the members present. Statuses: WIRE_OK, WIRE_NOT_JSON, WIRE_UNREADABLE_JSON,
 * WIRE_NOT_AN_OBJECT, WIRE_WRONG_MEMBER_TYPE and, for a number too large for a double, WIRE_OUT_OF_RANGE
 * (field: the member), with *params then unchanged. Unknown members are ignored; an empty `json` is
 * WIRE_NOT_JSON. */
struct wire_error ojin_params_read(struct bytes json, struct ojin_params *params);

#endif
