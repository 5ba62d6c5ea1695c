/*
 * Messages of any family as JSON objects, and back to the same bytes. Those of Ojin:
 *
 *   input  {"kind":"input", "bytes", "payload_type", "timestamp_ms", "params", "params_text", "audio":{…}}
 *   frame  {"kind":"frame", "bytes", "is_final", "interaction", "timestamp_ms", "usage", "index",
 *           "payload_count", "payloads":[{"type", "name", …, "picture":{"width","height"},
 *           "code":{"frame_number","interaction","sample_position"}}], "trailing":{…}}
 *   text   {"kind":"text", "bytes", "type", "json", "text"}
 *
 * Those of a family whose messages are all JSON have its name:
 *
 *   text   {"family", "kind":"text", "bytes", "type", "audio":{"samples", …}, "faults":[sentences], "json",
 * "text"}
 *
 * A span of bytes is {"bytes", "crc32" (eight hex digits), "base64"}. A whole number above 2^53 is a string
 * of digits. What is wrong is in "error":{"status","offset","field","sentence"} (statuses of
 * wire_status.def); a message that cannot be taken apart is whole in "base64".
 *
 * Building reads what bytes are made of ("kind", header fields, "text", else "json", "params_text", else
 * "params", and "base64" or "hex" of spans; "base64" or "hex" of the whole message before all else) and not
 * what follows from it ("bytes", "crc32", "picture" …). What is missing is 0, nil or empty; payload_type is
 * then 1 and payload_count the number of payloads. So a message can be changed by hand, also to a wrong one.
 */
#ifndef CLIENT_INSPECT_INSPECT_H
#define CLIENT_INSPECT_INSPECT_H

#include "codec/wire/buffer.h"
#include "codec/wire/json.h"

enum inspect_kind { INSPECT_AUTO, INSPECT_INPUT, INSPECT_FRAME, INSPECT_TEXT };

enum {
    INSPECT_MESSAGE_BYTES_MAX = 16 * 1024 * 1024,
    INSPECT_JSON_BYTES_MAX = 64 * 1024 * 1024,
    INSPECT_PAYLOADS_MAX = 4096, /* of a frame that is taken apart */
    INSPECT_ERROR_MAX = 200
};

/* The n-th family (from 0), in the order of codec/families.def; NULL when there are fewer. */
const char *inspect_family_at(size_t n);
/* Has a family of that name messages of that kind? INSPECT_AUTO: is there such a family? */
bool inspect_family_has_kind(const char *family, enum inspect_kind kind);
/* Of the families that have messages of that kind the one that a message fits: the first that finds nothing
 * wrong with it, else the first that has messages of its type, else the first of all. Static. */
const char *inspect_family_of(struct bytes message, enum inspect_kind kind);

/* `family`: a name of those above; `kind` is one of its own, or INSPECT_AUTO: valid UTF-8 without control
 * characters is text, else it is what it decodes as. The caller owns the object (cJSON_Delete); NULL when
 * memory runs out. Without `with_data` there is no "base64", no "text" beside "json", and a string of "json"
 * longer than INSPECT_BRIEF_MAX, such as sound in base64, is {"characters":N} in its place. `*good` tells
 * whether nothing is wrong with the message. */
enum { INSPECT_BRIEF_MAX = 256 };
cJSON *inspect_describe(const char *family, struct bytes message, enum inspect_kind kind, bool with_data,
                        bool *good);

/* Is this text a journal (server/journal/journal.h), or lines of one? */
bool inspect_is_journal(struct bytes text);
enum { INSPECT_FAMILY_MAX = 32 };
/* The family that the header of the journal names, in which each entry is that names none itself; the first
 * of all when there is no header. */
void inspect_journal_family(struct bytes journal, char family[INSPECT_FAMILY_MAX]);
/*
 * One line of a journal: its message as above, with "n", "at_us", "connection" and "from" in front. A journal
 * keeps only the head of most frames: their payloads have no data, and "whole" is false. `*out` is NULL for a
 * line without a message. False when memory runs out. A line that is none is "kind":"line" with an "error".
 *
 * `family` is that of entries that name none. A message of a family that is not known is described as JSON.
 */
bool inspect_journal_line(struct bytes line, const char *family, bool with_data, cJSON **out, bool *good);

/* Appends the bytes of the message that `json` (one object) describes. False, with nothing appended, and a
 * sentence in `error` that names the member. */
bool inspect_build(struct bytes json, struct buffer *out, char error[INSPECT_ERROR_MAX]);

/* Appends what pairs of hex digits stand for, with white space between them or not; false, with nothing
 * appended, when they are none or do not fit. */
bool inspect_hex_decode(const char *text, struct buffer *out);

#endif
