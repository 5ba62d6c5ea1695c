/*
 * What is wrong with a message that is JSON, as a list: for the protocols whose messages are.
 *
 * Reading such a message never fails. What is wrong is a list of faults, each with the member, what was
 * expected and what was found; what is right is set all the same. So a server can refuse what a strict one
 * would, a client can go on with what it can use, and a judge can lay each fault at its own door.
 */
#ifndef CODEC_WIRE_JSON_FAULT_H
#define CODEC_WIRE_JSON_FAULT_H

#include "codec/wire/text.h"

/* Of all protocols; each has some of them. */
enum json_fault_kind {
    JSON_FAULT_NOT_JSON,     /* `offset` in the message */
    JSON_FAULT_UNREADABLE,   /* legal JSON that is not read here; `offset` in the message */
    JSON_FAULT_NOT_OBJECT,   /* the message is no object */
    JSON_FAULT_UNKNOWN_TYPE, /* of a message, or kind of one */
    JSON_FAULT_MISSING,      /* a required member is not there */
    JSON_FAULT_WRONG_TYPE,   /* a member is of another type than its own */
    JSON_FAULT_RANGE,        /* a value outside its range, or too many of them */
    JSON_FAULT_BASE64,       /* `offset` in the member's text; a data: prefix too */
    JSON_FAULT_ODD_AUDIO,    /* sound that ends inside a sample */
    JSON_FAULT_NOT_FINITE,   /* `offset` is the number of the sample */
    JSON_FAULT_TOO_SHORT,    /* too little sound in a message */
    JSON_FAULT_TOO_LONG,     /* too much of it */
    JSON_FAULT_NO_PICTURE,   /* no JPEG, or a damaged one */
    JSON_FAULT_NO_WAV,       /* no WAV, or one of another rate */
    JSON_FAULT_NO_MEMORY     /* nothing is known of it: our own memory ran out. It is the only fault then */
};

enum { JSON_FAULT_MEMBER_MAX = 48, JSON_FAULT_FOUND_MAX = 64, JSON_FAULTS_MAX = 8 };

struct json_fault {
    enum json_fault_kind kind;
    size_t offset;
    char member[JSON_FAULT_MEMBER_MAX]; /* with its object: "session.instructions", "video_frames[1]"; else
                                           "message" */
    const char *expected;               /* static: "a string" */
    char found[JSON_FAULT_FOUND_MAX];   /* "a number" */
};

struct json_faults {
    size_t count; /* all of them; only the first JSON_FAULTS_MAX are kept */
    struct json_fault list[JSON_FAULTS_MAX];
    /* The first member that its type does not have; empty: none. Strict servers refuse it. */
    struct bytes unknown_member;
};

/* Could it not be read for want of memory? Then nobody is to be blamed for what is in it. */
static inline bool json_faults_no_memory(const struct json_faults *faults)
{
    return faults->count > 0 && faults->list[0].kind == JSON_FAULT_NO_MEMORY;
}

/* "audio: expected a character of the base64 alphabet, found '-' at character 12" */
void json_fault_write(struct text *out, const struct json_fault *fault);
/* The first fault of a member, by its name ("audio", "session.instructions", with any index); NULL: none. */
const struct json_fault *json_fault_of(const struct json_faults *faults, const char *member);

#endif
