/*
 * The bytes that a full-duplex client sends, right or wrong on purpose: each member as it ought to be, or the
 * JSON that a step gives for it. 002 session.update, input_audio_buffer.append, session.close.
 */
#include "codec/duplex/constants.h"
#include "codec/duplex/profile.h"
#include "codec/wire/base64.h"
#include "codec/wire/float32.h"
#include "codec/wire/http_head.h"
#include "conformance/script/duplex/client_side.h"
#include "conformance/script/step_json.h"

static const char INSTRUCTIONS[] = "\"You are a helpful English assistant.\"";
static const char USER_STOP[] = "\"user_stop\"";

enum { SAMPLES_PER_MS = DUPLEX_INPUT_RATE / 1000, PCM_BYTES = 2 };

/* ---- the request ---- */

bool duplex_client_target(const struct client_target *target, const struct profile *profile,
                          const struct client_step *step, struct text *out)
{
    const struct client_value *mode = client_option(step, "mode");
    const bool none = mode->set && !mode->is_string && strcmp(mode->text, "none") == 0;
    text_add(out, target->path);
    if (mode->set && mode->is_string) {
        text_add(out, "?" DUPLEX_MODE_PARAMETER "=");
        percent_encode(out, mode->text);
    } else if (!none) {
        text_add(out, "?");
        text_add(out, profile->query);
    }
    if (target->query[0] != '\0') {
        text_add(out, none ? "?" : "&");
        text_add(out, target->query);
    }
    return !out->cut;
}

/* ---- what is written ---- */

struct writing {
    struct step_json json;
    const struct client_writing *with;
    const struct duplex_dialect *dialect;
};

/* ---- session.update ---- */

static void put_instructions(struct writing *writing)
{
    static const char WORDS[] = "Answer kindly. ";
    const struct client_value *length = client_option(writing->json.step, "length");
    if (!length->set) {
        step_json_member(&writing->json, writing->dialect->instructions, "instructions", INSTRUCTIONS);
        return;
    }
    if (!step_json_spelled(&writing->json, writing->dialect->instructions, "instructions"))
        return;
    step_json_put(&writing->json, "\"");
    for (uint64_t left = length->number; left > 0 && writing->json.fits;) {
        const size_t len = left < sizeof WORDS - 1 ? (size_t)left : sizeof WORDS - 1;
        writing->json.fits = buffer_append(writing->json.out, bytes_of(WORDS, len));
        left -= len;
    }
    step_json_put(&writing->json, "\"");
}

static void put_update(struct writing *writing)
{
    const struct client_value *whole = client_option(writing->json.step, "session");
    step_json_begin_type(&writing->json, writing->dialect->update);
    if (whole->set) {
        step_json_member(&writing->json, writing->dialect->update_object, "session", NULL);
    } else if (step_json_spelled(&writing->json, writing->dialect->update_object, "session")) {
        step_json_begin(&writing->json);
        put_instructions(writing);
        step_json_member(&writing->json, "max_slice_nums", "max_slice_nums", NULL);
        step_json_member(&writing->json, "ref_audio", "ref_audio", NULL);
        step_json_member(&writing->json, "tts_ref_audio", "tts_ref_audio", NULL);
        step_json_put(&writing->json, "}");
    }
    step_json_put(&writing->json, "}");
}

/* ---- append ---- */

static float sample_of(struct bytes pcm, uint64_t n)
{
    if (n >= pcm.len / PCM_BYTES)
        return 0;
    const uint8_t *at = pcm.data + n * PCM_BYTES;
    const uint16_t bits = (uint16_t)(at[0] | at[1] << 8);
    return (float)(int16_t)bits / 32768.0F;
}

/* What the step asks for in the middle. */
static uint32_t strange_bits(const char *word)
{
    static const uint32_t NOT_A_NUMBER = 0x7fc00000, INFINITE = 0x7f800000, HUNDRED = 0x42c80000;
    return strcmp(word, "nan") == 0 ? NOT_A_NUMBER : strcmp(word, "inf") == 0 ? INFINITE : HUNDRED;
}

static void put_sound(struct writing *writing, struct buffer *raw)
{
    const struct client_step *step = writing->json.step;
    const struct client_value *samples = client_option(step, "samples");
    const struct client_value *value = client_option(step, "value");
    const size_t count = samples->set ? (size_t)samples->number : DUPLEX_APPEND_SAMPLES;
    const size_t odd = (size_t)client_option(step, "odd")->number;
    const uint64_t from =
        client_option(step, "from")->number / 1000 * SAMPLES_PER_MS + writing->with->number * count;
    uint8_t *to = buffer_reserve(raw, count * FLOAT32_BYTES + odd);
    if (to == NULL) {
        writing->json.fits = false;
        return;
    }
    for (size_t i = 0; i < count; i++)
        float32_put(to + i * FLOAT32_BYTES, sample_of(writing->with->pcm, from + i));
    if (value->set && count > 0) {
        const uint32_t bits = strange_bits(value->text);
        for (size_t i = 0; i < FLOAT32_BYTES; i++)
            to[count / 2 * FLOAT32_BYTES + i] = (uint8_t)(bits >> 8 * i);
    }
    memset(to + count * FLOAT32_BYTES, 0, odd);
    raw->len += count * FLOAT32_BYTES + odd;
    writing->json.fits = writing->json.fits && base64_encode(buffer_bytes(raw), writing->json.out);
}

static void put_audio(struct writing *writing)
{
    struct buffer raw;
    if (client_option(writing->json.step, "audio")->set) {
        step_json_member(&writing->json, "audio", "audio", NULL);
        return;
    }
    if (!step_json_name(&writing->json, "audio"))
        return;
    buffer_init(&raw, DUPLEX_MESSAGE_BYTES_MAX);
    step_json_put(&writing->json, "\"");
    put_sound(writing, &raw);
    step_json_put(&writing->json, "\"");
    buffer_free(&raw);
}

uint64_t duplex_client_pictures(const struct client_step *step, const struct profile *profile)
{
    const struct client_value *pictures = client_option(step, "pictures");
    if (pictures->set)
        return pictures->number;
    return duplex_profile_of(profile)->pictures && !client_option(step, "video_frames")->set ? 1 : 0;
}

static void put_pictures(struct writing *writing)
{
    const struct client_value *cut = client_option(writing->json.step, "cut");
    const uint64_t count = duplex_client_pictures(writing->json.step, writing->with->profile);
    struct bytes jpeg = writing->with->picture;
    if (client_option(writing->json.step, "video_frames")->set) {
        step_json_member(&writing->json, "video_frames", "video_frames", NULL);
        return;
    }
    if ((count == 0 && !client_option(writing->json.step, "pictures")->set) ||
        !step_json_name(&writing->json, "video_frames"))
        return;
    if (cut->set && cut->number < jpeg.len)
        jpeg.len = (size_t)cut->number;
    step_json_put(&writing->json, "[");
    for (uint64_t i = 0; i < count && writing->json.fits; i++) {
        step_json_put(&writing->json, i == 0 ? "\"" : ",\"");
        writing->json.fits = writing->json.fits && base64_encode(jpeg, writing->json.out);
        step_json_put(&writing->json, "\"");
    }
    step_json_put(&writing->json, "]");
}

static void put_append(struct writing *writing)
{
    const char *object = writing->dialect->append_object;
    step_json_begin_type(&writing->json, writing->dialect->append);
    if (object != NULL && step_json_name(&writing->json, object))
        step_json_begin(&writing->json);
    put_audio(writing);
    put_pictures(writing);
    step_json_member(&writing->json, "force_listen", "force_listen", NULL);
    step_json_member(&writing->json, "max_slice_nums", "max_slice_nums", NULL);
    step_json_put(&writing->json,
                  object != NULL && !step_leaves_out(writing->json.step, object) ? "}}" : "}");
}

/* ---- a message ---- */

bool duplex_client_write(const struct client_step *step, const struct client_writing *with,
                         struct buffer *out)
{
    struct writing writing = {.json = {.step = step, .out = out, .fits = true},
                              .with = with,
                              .dialect = duplex_profile_of(with->profile)->dialect};
    switch ((enum duplex_client_send)step->send) {
    case DUPLEX_SEND_UPDATE:
        put_update(&writing);
        break;
    case DUPLEX_SEND_APPEND:
        put_append(&writing);
        break;
    case DUPLEX_SEND_CLOSE:
        step_json_begin_type(&writing.json, "session.close");
        step_json_member(&writing.json, "reason", "reason", USER_STOP);
        step_json_put(&writing.json, "}");
        break;
    }
    return writing.json.fits;
}
