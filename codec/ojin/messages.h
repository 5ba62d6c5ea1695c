/*
 * The JSON text messages of the Ojin protocol: sessionReady and errorResponse (server to client),
 * endInteraction and cancelInteraction (client to server). 000 Messages Reference; direction as 003 and the
 * message definitions have it.
 */
#ifndef CODEC_OJIN_MESSAGES_H
#define CODEC_OJIN_MESSAGES_H

#include "codec/ojin/constants.h"
#include "codec/wire/bytes.h"
#include "codec/wire/text.h"
#include "codec/wire/uuid.h"
#include "codec/wire/wire_status.h"

enum ojin_error_code {
#define OJIN_ERROR(enumerator, wire_name, description) OJIN_ERROR_##enumerator,
#include "codec/ojin/error_code.def"
#undef OJIN_ERROR
    OJIN_ERROR_COUNT
};

/* Static strings. */
const char *ojin_error_name(enum ojin_error_code code);
const char *ojin_error_description(enum ojin_error_code code);
/* False for a name that is none of the 12. */
bool ojin_error_by_name(struct bytes name, enum ojin_error_code *out);

enum { OJIN_PROFILE_NAME_MAX = 32 };
enum { OJIN_TEXT_FIELD_MAX = 512 }; /* bytes of a code, message or id that are kept, with the terminator */

enum ojin_message_type {
    OJIN_MESSAGE_SESSION_READY,
    OJIN_MESSAGE_ERROR_RESPONSE,
    OJIN_MESSAGE_END_INTERACTION,
    OJIN_MESSAGE_CANCEL_INTERACTION,
    OJIN_MESSAGE_OTHER,      /* a JSON object whose type is missing, no string or none of these */
    OJIN_MESSAGE_NO_OBJECT,  /* JSON, but no object */
    OJIN_MESSAGE_UNREADABLE, /* legal JSON that is not read here (WIRE_UNREADABLE_JSON), so it may be any */
    OJIN_MESSAGE_PLAIN_TEXT  /* no JSON */
};

/* As the vectors and ojin-client decode name it: "sessionReady", "no-object" …; static. */
const char *ojin_message_type_name(enum ojin_message_type type);

/* One struct for all: only the members of its type are set, the others are zero. Text is cut at the field's
 * size. */
struct ojin_message {
    enum ojin_message_type type;
    /* What is wrong with the message's payload; WIRE_OK when nothing is. `type` is set all the same. */
    struct wire_error error;
    bool has_timestamp;
    int64_t timestamp_ms;
    /* sessionReady */
    char trace_id[OJIN_TEXT_FIELD_MAX];
    double load;
    bool has_parameters;                 /* parameters is an object with at least one member */
    char profile[OJIN_PROFILE_NAME_MAX]; /* parameters.profile, where it is a string that fits; else empty */
    /* errorResponse */
    char code[OJIN_TEXT_FIELD_MAX];
    char message[OJIN_TEXT_FIELD_MAX];
    char interaction_id[OJIN_TEXT_FIELD_MAX];
};

/*
 * Reads any text message. Never fails: what is wrong is in `type` and `error`. What is required:
 *  sessionReady       payload.trace_id string, status "success", load number 0..1
 *  errorResponse      payload.code and message strings (timestamp may be absent for a reader)
 *  endInteraction     payload.timestamp integral number                                    (OJ-END-01)
 *  cancelInteraction  payload object; timestamp absent, null or integral                   (OJ-CAN-01)
 * Optional members (timestamp, parameters, interaction_id, details) may be absent or null; of another type
 * than theirs they are WIRE_WRONG_MEMBER_TYPE too. Only the first thing wrong is told, as "payload.load" and
 * the like; the members that are right are set all the same. Integers beyond 2^53 are no integral numbers.
 *
 * The types without a payload to judge have an error as well: OTHER (WIRE_MISSING_MEMBER,
 * WIRE_WRONG_MEMBER_TYPE or WIRE_UNKNOWN_TYPE, "type"), NO_OBJECT (WIRE_NOT_AN_OBJECT), PLAIN_TEXT
 * (WIRE_NOT_JSON as json_check has it), UNREADABLE (WIRE_UNREADABLE_JSON, the same, but for a
 * repeated member: the last one of its name stands).
 */
void ojin_message_read(struct bytes text, struct ojin_message *out);

/* Writers append one JSON object. Optional strings (parameters_json, interaction_id) may be NULL; the load is
 * rounded to six decimals; parameters_json is taken as it is. */
void ojin_write_session_ready(struct text *out, const uint8_t trace_id[UUID_BYTES], double load,
                              uint64_t now_ms, const char *parameters_json);
void ojin_write_error_response(struct text *out, const char *code, const char *message,
                               const char *interaction_id, uint64_t now_ms);
void ojin_write_end_interaction(struct text *out, uint64_t now_ms);
void ojin_write_cancel_interaction(struct text *out, uint64_t now_ms);

#endif
