/*
 * Messages of the Ojin protocol as JSON objects, and back to the same bytes.
 *
 *   input  {"kind":"input", "bytes", "payload_type", "timestamp_ms", "params", "params_text", "audio":{…}}
 *   frame  {"kind":"frame", "bytes", "is_final", "interaction", "timestamp_ms", "usage", "index",
 *           "payload_count", "payloads":[{"type", "name", …, "picture":{"width","height"},
 *           "code":{"frame_number","interaction","sample_position"}}], "trailing":{…}}
 *   text   {"kind":"text", "bytes", "type", "json", "text"}
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

/* What a message most likely is: valid UTF-8 without control characters is text, else it is what it decodes
 * as. Never INSPECT_AUTO. */
enum inspect_kind inspect_guess(struct bytes message);

/* The caller owns the object (cJSON_Delete); NULL when memory runs out. Without `with_data` there is no
 * "base64". `*good` tells whether nothing is wrong with the message. */
cJSON *inspect_describe(struct bytes message, enum inspect_kind kind, bool with_data, bool *good);

/* Is this text a journal (server/journal/journal.h), or lines of one? */
bool inspect_is_journal(struct bytes text);
enum { INSPECT_FAMILY_MAX = 32 };
/* The family that the header of the journal names, in which each entry is that names none itself; "ojin" when
 * there is no header. */
void inspect_journal_family(struct bytes journal, char family[INSPECT_FAMILY_MAX]);
/*
 * One line of a journal: its message as above, with "n", "at_us", "connection" and "from" in front. A journal
 * keeps only the head of most frames: their payloads have no data, and "whole" is false. `*out` is NULL for a
 * line without a message. False when memory runs out. A line that is none is "kind":"line" with an "error".
 *
 * `family` is that of entries that name none. A message of another family than Ojin's is described as it
 * stands, and judged only as JSON: {"family", "kind":"text", "bytes", "type", "json", "text"}. Without
 * `with_data` there is no "text", and a string of "json" longer than INSPECT_BRIEF_MAX, such as sound in
 * base64, is {"characters":N} in its place.
 */
enum { INSPECT_BRIEF_MAX = 256 };
bool inspect_journal_line(struct bytes line, const char *family, bool with_data, cJSON **out, bool *good);

/* Appends the bytes of the message that `json` (one object) describes. False, with nothing appended, and a
 * sentence in `error` that names the member. */
bool inspect_build(struct bytes json, struct buffer *out, char error[INSPECT_ERROR_MAX]);

/* Appends what pairs of hex digits stand for, with white space between them or not; false, with nothing
 * appended, when they are none or do not fit. */
bool inspect_hex_decode(const char *text, struct buffer *out);

#endif
