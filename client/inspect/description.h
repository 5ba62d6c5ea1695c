/* A JSON object under construction that remembers when memory ran out. Private to client/inspect. */
#ifndef CLIENT_INSPECT_DESCRIPTION_H
#define CLIENT_INSPECT_DESCRIPTION_H

#include "codec/wire/json.h"

struct description {
    cJSON *object;
    bool failed;
    bool with_data;
    bool good; /* no error was added */
};

struct description description_new(bool with_data);
/* The object, or NULL when memory ran out. */
cJSON *description_end(struct description *description);

void describe_item(struct description *description, const char *name, cJSON *item);
void describe_u64(struct description *description, const char *name, uint64_t value);
void describe_string(struct description *description, const char *name, const char *value);
void describe_bool(struct description *description, const char *name, bool value);
void describe_uuid(struct description *description, const char *name, const uint8_t uuid[16]);
/* Text that is UTF-8 and holds no NUL. */
void describe_text(struct description *description, const char *name, struct bytes text);
void describe_base64(struct description *description, const char *name, struct bytes data);
void describe_crc32(struct description *description, const char *name, uint32_t crc);
/* "bytes", "crc32" and, with data, "base64". */
void describe_span(struct description *description, struct bytes data);
/* Adds `part` as a member, whole. */
void describe_part(struct description *description, const char *name, struct description *part);
/* "error", unless there is one already or nothing is wrong. */
void describe_error(struct description *description, struct wire_error error);

/* What it is made from: a member that is a whole number from 0 up. */
bool describe_read_number(const cJSON *object, const char *name, uint64_t *out);
/* Can JSON hold it as a string that every reader reads back? */
bool describe_is_plain(struct bytes text);
/* Adds the value of a JSON text, unless as a member it would pass a limit that json_check has for a whole
 * text: who calls adds its own text as well. */
void describe_json(struct description *description, const char *name, struct bytes text);

#endif
