/*
 * A message that is JSON as it is read: the text to an object, then its members one by one, each with its
 * fault (json_fault.h). For the readers of messages alone; what a message says is theirs.
 */
#ifndef CODEC_WIRE_JSON_MEMBERS_H
#define CODEC_WIRE_JSON_MEMBERS_H

#include "codec/wire/json.h"
#include "codec/wire/json_fault.h"

/* Where members are read from. */
struct json_reader {
    struct json_faults *faults;
    const cJSON *object;
    const char *within; /* name of the member that `object` is; NULL: the message itself */
};

enum json_need { JSON_REQUIRED, JSON_OPTIONAL };

enum json_form {
    JSON_FORM_OBJECT,
    JSON_FORM_NO_OBJECT,  /* JSON, but no object */
    JSON_FORM_UNREADABLE, /* legal JSON that is not read here; above JSON_MESSAGE_BYTES_MAX too */
    JSON_FORM_NOT_JSON
};

/* Reads the text of a message into a tree of the caller's (cJSON_Delete; NULL where there is none) that
 * `reader` is then of. All but an object is a fault in `faults`, and not to be read from. */
enum json_form json_message_parse(struct bytes text, struct json_faults *faults, cJSON **tree,
                                  struct json_reader *reader);

/* Adds a fault about the member (NULL: about the object itself); false, always. The fault is not kept when
 * there are too many. */
bool json_fail(const struct json_reader *reader, enum json_fault_kind kind, const char *name,
               const char *expected, const char *found);
/* ... with a number in what was found: "3999 samples". */
bool json_fail_count(const struct json_reader *reader, enum json_fault_kind kind, const char *name,
                     const char *expected, uint64_t count, const char *unit);
/* ... with a word of the peer's, in quotes. */
bool json_fail_word(const struct json_reader *reader, enum json_fault_kind kind, const char *name,
                    const char *expected, struct bytes word);
/* ... of a value of the wrong type, which is described. */
bool json_fail_type(const struct json_reader *reader, const char *name, const char *expected,
                    const cJSON *value);
/* What it is, in words: "a string", "null", "true"; "nothing" for NULL. Static. */
const char *json_value_description(const cJSON *value);
/* Sets the offset of the fault just added, where it was kept. */
void json_fail_at(const struct json_reader *reader, size_t offset);

/* The member, or NULL when it is absent or null: many write null for what they do not send. */
const cJSON *json_optional(const struct json_reader *reader, const char *name);

/* Each is true, and sets *out, when the member is there and right. Null where a member is optional is as
 * though it were absent. Strings borrow from the tree. */
bool json_read_text(const struct json_reader *reader, const char *name, enum json_need need,
                    struct bytes *out);
bool json_read_bool(const struct json_reader *reader, const char *name, enum json_need need, bool *out);
/* `expected`: what the range is, "an integer from 1 to 9". */
bool json_read_integer(const struct json_reader *reader, const char *name, enum json_need need, int64_t min,
                       int64_t max, const char *expected, int64_t *out);
bool json_read_number(const struct json_reader *reader, const char *name, double *out);
/* An object in the message, to read from; false when there is none. */
bool json_read_object(const struct json_reader *reader, const char *name, enum json_need need,
                      struct json_reader *out);
/* The value is a string of base64: decodes it where it stands, in the memory of the tree. */
bool json_read_base64(const struct json_reader *reader, const char *name, const cJSON *value,
                      struct bytes *out);
/* Base64 of samples of `sample_bytes` each. A fault: the member is missing, or its last sample is cut, which
 * is then left out. */
bool json_read_samples(const struct json_reader *reader, const char *name, size_t sample_bytes,
                       const char *expected, struct bytes *out);
/* Keeps the first member of the object that is none of `names`, which end with NULL. */
void json_note_unknown(const struct json_reader *reader, const char *const *names);

#endif
