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

/* ---- members ---- */

struct writing {
    const struct client_step *step;
    const struct client_writing *with;
    const struct duplex_dialect *dialect;
    struct buffer *out;
    bool fits;
    bool first; /* nothing in the object yet */
};

static void put(struct writing *writing, const char *text)
{
    writing->fits = writing->fits && buffer_append(writing->out, bytes_of_text(text));
}

/* Is it among the names with commas between them? */
static bool is_left_out(const struct client_step *step, const char *name)
{
    const struct client_value *without = client_option(step, "without");
    for (const char *at = without->set ? without->text : ""; *at != '\0';) {
        const size_t len = strcspn(at, ",");
        if (bytes_equal_text(bytes_of(at, len), name))
            return true;
        at += len + (at[len] == ',');
    }
    return false;
}

/* In the dialect's spelling; `documented` is the document's. False: it is left out. */
static bool put_spelled(struct writing *writing, const char *name, const char *documented)
{
    if (is_left_out(writing->step, name) || is_left_out(writing->step, documented))
        return false;
    put(writing, writing->first ? "\"" : ",\"");
    put(writing, name);
    put(writing, "\":");
    writing->first = false;
    return true;
}

static bool put_name(struct writing *writing, const char *name)
{
    return put_spelled(writing, name, name);
}

/* As the step's option of the document's name gives it, or else `right`; NULL: not at all. */
static void put_member(struct writing *writing, const char *name, const char *documented, const char *right)
{
    const struct client_value *given = client_option(writing->step, documented);
    const char *value = given->set ? given->text : right;
    if (value != NULL && put_spelled(writing, name, documented))
        put(writing, value);
}

static void object_begin(struct writing *writing)
{
    put(writing, "{");
    writing->first = true;
}

static void put_type(struct writing *writing, const char *type)
{
    object_begin(writing);
    if (!put_name(writing, "type"))
        return;
    put(writing, "\"");
    put(writing, type);
    put(writing, "\"");
}

/* ---- session.update ---- */

static void put_instructions(struct writing *writing)
{
    static const char WORDS[] = "Answer kindly. ";
    const struct client_value *length = client_option(writing->step, "length");
    if (!length->set) {
        put_member(writing, writing->dialect->instructions, "instructions", INSTRUCTIONS);
        return;
    }
    if (!put_spelled(writing, writing->dialect->instructions, "instructions"))
        return;
    put(writing, "\"");
    for (uint64_t left = length->number; left > 0 && writing->fits;) {
        const size_t len = left < sizeof WORDS - 1 ? (size_t)left : sizeof WORDS - 1;
        writing->fits = buffer_append(writing->out, bytes_of(WORDS, len));
        left -= len;
    }
    put(writing, "\"");
}

static void put_update(struct writing *writing)
{
    const struct client_value *whole = client_option(writing->step, "session");
    put_type(writing, writing->dialect->update);
    if (whole->set) {
        put_member(writing, writing->dialect->update_object, "session", NULL);
    } else if (put_spelled(writing, writing->dialect->update_object, "session")) {
        object_begin(writing);
        put_instructions(writing);
        put_member(writing, "max_slice_nums", "max_slice_nums", NULL);
        put_member(writing, "ref_audio", "ref_audio", NULL);
        put_member(writing, "tts_ref_audio", "tts_ref_audio", NULL);
        put(writing, "}");
    }
    put(writing, "}");
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
    const struct client_step *step = writing->step;
    const struct client_value *samples = client_option(step, "samples");
    const struct client_value *value = client_option(step, "value");
    const size_t count = samples->set ? (size_t)samples->number : DUPLEX_APPEND_SAMPLES;
    const size_t odd = (size_t)client_option(step, "odd")->number;
    const uint64_t from =
        client_option(step, "from")->number / 1000 * SAMPLES_PER_MS + writing->with->number * count;
    uint8_t *to = buffer_reserve(raw, count * FLOAT32_BYTES + odd);
    if (to == NULL) {
        writing->fits = false;
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
    writing->fits = writing->fits && base64_encode(buffer_bytes(raw), writing->out);
}

static void put_audio(struct writing *writing)
{
    struct buffer raw;
    if (client_option(writing->step, "audio")->set) {
        put_member(writing, "audio", "audio", NULL);
        return;
    }
    if (!put_name(writing, "audio"))
        return;
    buffer_init(&raw, DUPLEX_MESSAGE_BYTES_MAX);
    put(writing, "\"");
    put_sound(writing, &raw);
    put(writing, "\"");
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
    const struct client_value *cut = client_option(writing->step, "cut");
    const uint64_t count = duplex_client_pictures(writing->step, writing->with->profile);
    struct bytes jpeg = writing->with->picture;
    if (client_option(writing->step, "video_frames")->set) {
        put_member(writing, "video_frames", "video_frames", NULL);
        return;
    }
    if ((count == 0 && !client_option(writing->step, "pictures")->set) || !put_name(writing, "video_frames"))
        return;
    if (cut->set && cut->number < jpeg.len)
        jpeg.len = (size_t)cut->number;
    put(writing, "[");
    for (uint64_t i = 0; i < count && writing->fits; i++) {
        put(writing, i == 0 ? "\"" : ",\"");
        writing->fits = writing->fits && base64_encode(jpeg, writing->out);
        put(writing, "\"");
    }
    put(writing, "]");
}

static void put_append(struct writing *writing)
{
    const char *object = writing->dialect->append_object;
    put_type(writing, writing->dialect->append);
    if (object != NULL && put_name(writing, object))
        object_begin(writing);
    put_audio(writing);
    put_pictures(writing);
    put_member(writing, "force_listen", "force_listen", NULL);
    put_member(writing, "max_slice_nums", "max_slice_nums", NULL);
    put(writing, object != NULL && !is_left_out(writing->step, object) ? "}}" : "}");
}

/* ---- a message ---- */

bool duplex_client_write(const struct client_step *step, const struct client_writing *with,
                         struct buffer *out)
{
    struct writing writing = {.step = step,
                              .with = with,
                              .dialect = duplex_profile_of(with->profile)->dialect,
                              .out = out,
                              .fits = true};
    switch ((enum duplex_client_send)step->send) {
    case DUPLEX_SEND_UPDATE:
        put_update(&writing);
        break;
    case DUPLEX_SEND_APPEND:
        put_append(&writing);
        break;
    case DUPLEX_SEND_CLOSE:
        put_type(&writing, "session.close");
        put_member(&writing, "reason", "reason", USER_STOP);
        put(&writing, "}");
        break;
    }
    return writing.fits;
}
