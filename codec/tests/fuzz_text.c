/* Any bytes as a text message: the result is whole, and an error or control message without fault can be
 * written and read again. */
#include <stdlib.h>

#include "codec/ojin/messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* Every byte of the three texts may become six characters. */
enum { OUT_MAX = 3 * 6 * OJIN_TEXT_FIELD_MAX + 256 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_whole(const struct ojin_message *message)
{
    check(memchr(message->trace_id, '\0', sizeof message->trace_id) != NULL);
    check(memchr(message->code, '\0', sizeof message->code) != NULL);
    check(memchr(message->message, '\0', sizeof message->message) != NULL);
    check(memchr(message->interaction_id, '\0', sizeof message->interaction_id) != NULL);
    check((message->error.status == WIRE_OK) == (message->error.field == NULL));
    check(message->type < OJIN_MESSAGE_OTHER || message->error.status != WIRE_OK);
    check(message->load >= 0 && message->load <= 1);
}

static void check_written(const struct ojin_message *message)
{
    char out[OUT_MAX];
    struct text text = text_of(out, sizeof out);
    struct ojin_message again;
    uint64_t at_ms = message->timestamp_ms < 0 ? 0 : (uint64_t)message->timestamp_ms;
    ojin_write_error_response(&text, message->code, message->message, message->interaction_id, at_ms);
    check(!text.cut);
    ojin_message_read(bytes_of_text(out), &again);
    check(again.type == OJIN_MESSAGE_ERROR_RESPONSE && again.error.status == WIRE_OK);
    check(strcmp(again.code, message->code) == 0 && strcmp(again.message, message->message) == 0);
    check(strcmp(again.interaction_id, message->interaction_id) == 0);
    check(again.has_timestamp && (uint64_t)again.timestamp_ms == at_ms);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct ojin_message message;
    ojin_message_read(bytes_of(data, len), &message);
    check_whole(&message);
    check(message.error.offset <= len);
    if (message.type < OJIN_MESSAGE_OTHER && message.error.status == WIRE_OK)
        check_written(&message);
    return 0;
}
