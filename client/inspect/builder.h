/* Reads the members of a message's description, and latches the first thing wrong as a sentence. Private to
 * client/inspect. */
#ifndef CLIENT_INSPECT_BUILDER_H
#define CLIENT_INSPECT_BUILDER_H

#include "codec/wire/buffer.h"
#include "codec/wire/json.h"
#include "codec/wire/text.h"

struct builder {
    struct buffer *out;  /* the message */
    struct buffer *data; /* room to work in: no function here expects anything of it */
    struct text error;
    bool failed;
};

/* "WHERE.NAME: expected EXPECTED", unless something was wrong before. */
void builder_fail(struct builder *builder, const char *where, const char *name, const char *expected);
/* To the message. */
void builder_append(struct builder *builder, struct bytes bytes);
/* A whole number up to `max`, also as a string of digits; `absent` when there is no such member. */
uint64_t builder_number(struct builder *builder, const cJSON *object, const char *name, uint64_t absent,
                        uint64_t max);
/* Appends what an object's "base64" or "hex" stand for. False when it has neither. */
bool builder_span(struct builder *builder, const cJSON *object, const char *where, struct buffer *out);
/* Appends what a member that is a span stands for; nothing when it is absent. */
void builder_span_member(struct builder *builder, const cJSON *object, const char *name, struct buffer *out);
/* Appends a string member, else a JSON member as compact text, else nothing: false. */
bool builder_text_or_json(struct builder *builder, const cJSON *object, const char *text_name,
                          const char *json_name, struct buffer *out);

#endif
