/* OJ-CON-11: frames are well-formed, audio is binary and control is text. RFC 6455 5.1; 000 Message Format.
 */
#include <string.h>

#include "codec/rules/ojin/rule_set.h"

/* Not JSON, and with a byte that no text has: audio in a text message. */
static bool looks_binary(struct bytes data)
{
    for (size_t i = 0; i < data.len; i++) {
        uint8_t c = data.data[i];
        if (c < ' ' && c != '\t' && c != '\r' && c != '\n')
            return true;
    }
    return false;
}

/* In a text message: this many characters of base64 or hex without another between them, or of a list of
 * numbers, are data. No token, id or sentence is that long; nearly 10 ms of sound are, and so is a frame of
 * it. */
enum { DATA_RUN_CHARS = 400 };

static bool is_of_base64(uint8_t c)
{
    /* With line ends and the escapes that JSON has for them and for the slash. */
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("+/-_=\\\r\n", c) != NULL);
}

static bool is_of_numbers(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c != '\0' && strchr("+-.,eE[]\": \t\r\n", c) != NULL);
}

static bool has_run(struct bytes data, bool (*is_of)(uint8_t c))
{
    size_t run = 0;
    for (size_t i = 0; i < data.len && run < DATA_RUN_CHARS; i++)
        run = is_of(data.data[i]) ? run + 1 : 0;
    return run >= DATA_RUN_CHARS;
}

/* Sound as a text: of a client that speaks to other services in JSON, with base64 or numbers in it. */
static bool holds_data(struct bytes data)
{
    return has_run(data, is_of_base64) || has_run(data, is_of_numbers);
}

/* What the misplaced message held is missing elsewhere: that is not held against the client again. */
static void judge_misplaced(struct rule_set *rules, enum rule rule, const struct wire_event *event,
                            const char *expected, const char *actual)
{
    rules->speech.lost = true;
    rules->opening.decided = true;
    if (!rules->misplaced_reported)
        rule_broken(rules, rule, event->at_us, expected, actual);
    rules->misplaced_reported = true;
}

void rule_framing(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    const struct wire_event *event = seen->event;
    framing_event(&rules->framing, event, &rules->book, rule);
    if (event->direction != WIRE_FROM_CLIENT)
        return;
    if (event->kind == WIRE_EVENT_TEXT) {
        if (seen->is_text && seen->message.type == OJIN_MESSAGE_PLAIN_TEXT && looks_binary(event->data))
            judge_misplaced(rules, rule, event, "audio in a binary message",
                            "a text message with binary content");
        else if (holds_data(event->data))
            judge_misplaced(rules, rule, event, "audio in a binary message",
                            "a text message with data in it, as base64, hex or numbers");
    } else if (event->kind == WIRE_EVENT_BINARY && seen->is_json) {
        judge_misplaced(rules, rule, event, "a control message in a text message",
                        "a binary message that is a JSON object");
    }
}
