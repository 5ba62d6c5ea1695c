/*
 * Members of a message as they are read, each with its fault. Private to the reader.
 */
#ifndef CODEC_DUPLEX_MESSAGE_READ_PARTS_H
#define CODEC_DUPLEX_MESSAGE_READ_PARTS_H

#include "codec/duplex/messages.h"

/* Where a member is read from. */
struct member_reader {
    struct duplex_message *message;
    const struct duplex_read_options *options;
    const cJSON *object;
    const char *within; /* name of the member that `object` is; NULL: the message itself */
};

enum member_need { MEMBER_REQUIRED, MEMBER_OPTIONAL };

/* Adds a fault about the member (NULL: about the object itself); false, always. The fault is not kept when
 * there are too many. */
bool member_fail(const struct member_reader *reader, enum duplex_fault_kind kind, const char *name,
                 const char *expected, const char *found);
/* The same of a value of the wrong type, which is described. */
bool member_fail_type(const struct member_reader *reader, const char *name, const char *expected,
                      const cJSON *value);

/* Each is true, and sets *out, when the member is there and right. Null where a member is optional is as
 * though it were absent. Strings borrow from the tree. */
bool member_text(const struct member_reader *reader, const char *name, enum member_need need,
                 struct bytes *out);
bool member_bool(const struct member_reader *reader, const char *name, enum member_need need, bool *out);
bool member_integer(const struct member_reader *reader, const char *name, enum member_need need, int64_t min,
                    int64_t max, int64_t *out);
bool member_number(const struct member_reader *reader, const char *name, double *out);
/* The value is a string of base64: decodes it where it stands. */
bool member_base64(const struct member_reader *reader, const char *name, const cJSON *value,
                   struct bytes *out);
/* An object in the message, to read from; false when there is none. */
bool member_object(const struct member_reader *reader, const char *name, enum member_need need,
                   struct member_reader *out);
/* Whole, finite samples of an append or a delta. */
bool member_audio(const struct member_reader *reader, const char *name);
/* A reference voice. */
void member_wav(const struct member_reader *reader, const char *name, struct bytes *out);
/* The pictures of an append. */
void member_pictures(const struct member_reader *reader, const char *name);
/* Keeps the first member of the object that is none of `names`, which end with NULL. */
void member_note_unknown(const struct member_reader *reader, const char *const *names);

#endif
