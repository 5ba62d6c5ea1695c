/*
 * Members of a message that only this protocol has, as they are read. Private to the reader.
 */
#ifndef CODEC_DUPLEX_MESSAGE_READ_PARTS_H
#define CODEC_DUPLEX_MESSAGE_READ_PARTS_H

#include "codec/duplex/messages.h"
#include "codec/wire/json_members.h"

/* Where a member is read from, and for what. */
struct member_reader {
    struct json_reader json;
    struct duplex_message *message;
    const struct duplex_read_options *options;
};

/* An object in the message, to read from; false when there is none. */
bool member_object(const struct member_reader *reader, const char *name, enum json_need need,
                   struct member_reader *out);
/* Whole, finite samples of an append or a delta. */
bool member_audio(const struct member_reader *reader, const char *name);
/* A reference voice. */
void member_wav(const struct member_reader *reader, const char *name, struct bytes *out);
/* The pictures of an append. */
void member_pictures(const struct member_reader *reader, const char *name);

#endif
