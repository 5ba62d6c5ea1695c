/*
 * Any bytes as a message of the interview protocol, in the dialect that the first byte says: what is read is
 * whole, and what has no fault is written and reads the same.
 */
#include <stdlib.h>

#include "codec/interview/messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { OUT_MAX = 64 * 1024 * 1024 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_whole(const struct interview_message *message, size_t len)
{
    check(message->audio.len % INTERVIEW_SAMPLE_BYTES == 0 && message->audio.len <= len);
    check(message->result.len <= len && message->details.len <= len);
    for (size_t i = 0; i < message->faults.count && i < JSON_FAULTS_MAX; i++) {
        const struct json_fault *fault = &message->faults.list[i];
        char told[512];
        struct text text = text_of(told, sizeof told);
        json_fault_write(&text, fault);
        check(fault->expected != NULL && fault->member[0] != '\0' && fault->offset <= len);
        check(interview_fault_error(fault) < INTERVIEW_ERROR_COUNT);
    }
    check(message->type < INTERVIEW_MESSAGE_OTHER || message->faults.count > 0);
}

static void check_same(const struct interview_message *a, const struct interview_message *b)
{
    check(a->type == b->type && b->faults.count == 0 && b->faults.unknown_member.len == 0);
    check(a->has_audio == b->has_audio && bytes_equal(a->audio, b->audio));
    check(a->timestamp == b->timestamp && a->is_final == b->is_final);
    check(a->has_text == b->has_text && bytes_equal(a->text, b->text));
    check(a->speaker == b->speaker && a->status == b->status);
    check(bytes_equal(a->function_name, b->function_name) && bytes_equal(a->result, b->result));
    check(bytes_equal(a->code, b->code) && bytes_equal(a->message, b->message));
    check(a->has_details == b->has_details && bytes_equal(a->details, b->details));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const struct interview_dialect *dialect =
        INTERVIEW_PROFILES[len == 0 ? 0 : data[0] % INTERVIEW_PROFILE_COUNT].dialect;
    const struct bytes text = bytes_of(len == 0 ? data : data + 1, len == 0 ? 0 : len - 1);
    struct interview_message message, again;
    struct buffer out;
    interview_message_read(text, dialect, &message);
    check_whole(&message, text.len);
    if (message.faults.count == 0) {
        buffer_init(&out, OUT_MAX);
        check(interview_message_write(dialect, &message, &out));
        interview_message_read(buffer_bytes(&out), dialect, &again);
        check_same(&message, &again);
        interview_message_free(&again);
        buffer_free(&out);
    }
    interview_message_free(&message);
    return 0;
}
