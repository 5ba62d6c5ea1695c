/* Messages of the families whose messages are all JSON text. Private to client/inspect. */
#ifndef CLIENT_INSPECT_JSON_MESSAGE_H
#define CLIENT_INSPECT_JSON_MESSAGE_H

#include "client/inspect/inspect_class.h"
#include "codec/wire/json_fault.h"

/* Adds what the family makes of a text that is JSON; NULL: nothing. */
typedef void json_message_judge(struct description *description, struct bytes text);

/*
 * Adds the members of a message: "family", "kind", "bytes", "type" (when it is a string), "error" (when it is
 * no JSON), what `judge` adds, "json", and "text"; "base64" in its place for what is no JSON. Without data
 * there is no "text", and a string of "json" longer than INSPECT_BRIEF_MAX is {"characters":N}. Of a message
 * that was kept in part there is "whole" false in place of all that follows "bytes".
 */
void json_message_describe(struct description *description, const char *family,
                           const struct inspect_entry *entry, json_message_judge *judge);
/* For judges: "audio", as samples of `sample_bytes` each … */
void json_message_describe_audio(struct description *description, struct bytes audio, size_t sample_bytes);
/* … and "faults", a sentence each, with which the message is wrong. */
void json_message_describe_faults(struct description *description, const struct json_faults *faults);
/* How well a message fits a family that has its type or not, and found these faults. */
enum inspect_fit json_message_fit(bool has_type, const struct json_faults *faults);
/* Such a family has no other kind than text. */
bool json_message_has_kind(enum inspect_kind kind);
/* A message by itself, as an entry of a journal holds it. */
struct inspect_entry json_message_entry(struct bytes message);

#endif
