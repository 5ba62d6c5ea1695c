/*
 * Any bytes as a message of the full-duplex protocol, in the dialect and mode that the first byte says: what
 * is read is whole, and what has no fault is written and reads the same.
 */
#include <stdlib.h>

#include "codec/duplex/messages.h"
#include "codec/duplex/wav.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { OUT_MAX = 64 * 1024 * 1024 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* One that even says so of what is no JPEG, so that the fuzzer gets past it. */
static bool any_picture(void *context, struct bytes jpeg, unsigned *width, unsigned *height)
{
    (void)context;
    *width = 1;
    *height = 1;
    return jpeg.len > 0 && jpeg.data[0] != 0;
}

static void check_whole(const struct duplex_message *message, size_t len)
{
    check(message->picture_count <= DUPLEX_PICTURES_MAX);
    check(message->audio.len % FLOAT32_BYTES == 0 && message->audio.len <= len);
    for (size_t i = 0; i < message->faults.count && i < JSON_FAULTS_MAX; i++) {
        const struct json_fault *fault = &message->faults.list[i];
        char told[512];
        struct text text = text_of(told, sizeof told);
        json_fault_write(&text, fault);
        check(fault->expected != NULL && fault->member[0] != '\0' && fault->offset <= len);
        check(duplex_fault_error(fault) < DUPLEX_ERROR_COUNT);
    }
    check(message->type < DUPLEX_MESSAGE_OTHER || message->faults.count > 0);
}

static void check_same(const struct duplex_message *a, const struct duplex_message *b)
{
    check(a->type == b->type && b->faults.count == 0 && b->faults.unknown_member.len == 0);
    check(a->has_audio == b->has_audio && bytes_equal(a->audio, b->audio));
    check(a->picture_count == b->picture_count && a->has_pictures == b->has_pictures);
    for (size_t i = 0; i < a->picture_count; i++)
        check(bytes_equal(a->pictures[i].jpeg, b->pictures[i].jpeg));
    check(bytes_equal(a->instructions, b->instructions) && bytes_equal(a->text, b->text));
    check(bytes_equal(a->reason, b->reason) && bytes_equal(a->code, b->code));
    check(bytes_equal(a->ref_audio, b->ref_audio) && bytes_equal(a->tts_ref_audio, b->tts_ref_audio));
    check(a->max_slices == b->max_slices && a->kv_cache_length == b->kv_cache_length);
    check(a->force_listen == b->force_listen && a->end_of_turn == b->end_of_turn);
    check(a->position == b->position && a->queue_length == b->queue_length);
    check(a->prompt_length == b->prompt_length && bytes_equal(a->session_id, b->session_id));
}

static void check_written(const struct duplex_message *message, const struct duplex_read_options *options)
{
    struct buffer out;
    struct duplex_message again;
    buffer_init(&out, OUT_MAX);
    check(duplex_message_write(options->profile, message, &out));
    duplex_message_read(buffer_bytes(&out), options, &again);
    check_same(message, &again);
    duplex_message_free(&again);
    buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const struct duplex_profile *profile = &DUPLEX_PROFILES[len == 0 ? 0 : data[0] % DUPLEX_PROFILE_COUNT];
    const struct duplex_read_options options = {.profile = profile, .picture_size = any_picture};
    const struct bytes text = bytes_of(len == 0 ? data : data + 1, len == 0 ? 0 : len - 1);
    struct duplex_message message;
    struct wav wav;
    const char *expected;
    duplex_message_read(text, &options, &message);
    check_whole(&message, text.len);
    if (message.faults.count == 0)
        check_written(&message, &options);
    duplex_message_free(&message);
    if (wav_read(text, &wav, &expected))
        check(wav.channels > 0 && wav.rate > 0 && wav.data.len <= text.len);
    return 0;
}
