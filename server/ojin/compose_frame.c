/*
 * Frames that a script asks for: silence, speech, fade and final, with any field overridden.
 *
 * Speech carries what the session has queued, or else a soft tone that differs from frame to frame. A frame
 * is a fault when it does not decode, lies about a count or a size, or its picture is no whole JPEG.
 */
#include "server/ojin/compose.h"

enum { TONE_SAMPLES_MIN = 80, TONE_PERIODS = 41, TONE_LOUDNESS_MIN = 2000, TONE_LOUDNESSES = 1009 };

/* The smallest PNG there is: one grey pixel. */
static const uint8_t PNG[] = {0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D,
                              0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01,
                              0x08, 0x00, 0x00, 0x00, 0x00, 0x3A, 0x7E, 0x9B, 0x55, 0x00, 0x00, 0x00,
                              0x0D, 0x49, 0x44, 0x41, 0x54, 0x78, 0x01, 0x01, 0x02, 0x00, 0xFD, 0xFF,
                              0x00, 0x80, 0x00, 0x82, 0x00, 0x81, 0xC3, 0x6E, 0x25, 0xE0, 0x00, 0x00,
                              0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};

static const uint8_t OTHER_DATA = 0x5A;

/* Everything that one composed frame is made from. */
struct draft {
    struct compose_frame_options options;
    struct frame_order order;
    struct buffer other;  /* data of entries of other types */
    struct buffer padded; /* the picture with comments in it */
    const char *wrong;    /* static: why it cannot be made; NULL: no room */
};

static bool draft_fail(struct draft *draft, const char *why)
{
    draft->wrong = why;
    return false;
}

/* Period and loudness come round after 41 and 1009 frames, so no two of 41,369 frames sound alike. */
static void tone_fill(uint32_t frame_number, uint8_t audio[OJIN_FRAME_AUDIO_BYTES])
{
    const int32_t period = TONE_SAMPLES_MIN + (int32_t)(frame_number % TONE_PERIODS);
    const int32_t loudness = TONE_LOUDNESS_MIN + (int32_t)(frame_number % TONE_LOUDNESSES);
    for (size_t i = 0; i < OJIN_FRAME_SAMPLES; i++) {
        const int32_t phase = (int32_t)i % period;
        const int32_t rising = phase < period / 2 ? phase : period - phase;
        const int32_t value = loudness * (4 * rising - period) / period;
        const uint16_t bits = (uint16_t)value;
        audio[2 * i] = (uint8_t)(bits & 0xFFu);
        audio[2 * i + 1] = (uint8_t)(bits >> 8);
    }
}

static void interaction_resolve(struct session *session, const struct compose_interaction *asked,
                                enum frame_kind kind, uint8_t out[UUID_BYTES])
{
    memset(out, 0, UUID_BYTES);
    switch (asked->kind) {
    case COMPOSE_ID_DEFAULT:
        if (kind == FRAME_SPEECH && !session->in_interaction)
            ojin_interaction_begin(session);
        if (kind != FRAME_SILENCE)
            memcpy(out, session->progress.interaction, UUID_BYTES);
        break;
    case COMPOSE_ID_FRESH:
        ojin_interaction_begin(session);
        memcpy(out, session->progress.interaction, UUID_BYTES);
        break;
    case COMPOSE_ID_CURRENT:
        memcpy(out, session->progress.interaction, UUID_BYTES);
        break;
    case COMPOSE_ID_GIVEN:
        memcpy(out, asked->id, UUID_BYTES);
        break;
    case COMPOSE_ID_NIL:
        break;
    }
}

/* Fills session->audio; returns how far the mouth opens. */
static double audio_fill(struct session *session, enum frame_kind kind)
{
    struct ojin_params params = OJIN_PARAMS_DEFAULT;
    if (kind != FRAME_SPEECH) {
        memset(session->audio, 0, sizeof session->audio);
        return mouth_rest(&session->mouth, &session->idle_params);
    }
    if (!ojin_frame_take_speech(session, &params))
        tone_fill(session->frame_count, session->audio);
    return mouth_speak(&session->mouth, session->audio, &params);
}

static bool picture_make(struct session *session, struct draft *draft, struct bytes *out)
{
    struct buffer *picture = &session->picture;
    if (draft->options.image == COMPOSE_IMAGE_PNG) {
        draft->order.fault = true;
        *out = bytes_of(PNG, sizeof PNG);
        return true;
    }
    if (draft->options.image == COMPOSE_IMAGE_DAMAGED) {
        /* Its second half is gone and what is left ends in rubbish. */
        draft->order.fault = true;
        picture->len /= 2;
        if (picture->len >= 2)
            memset(picture->data + picture->len - 2, 0, 2);
    }
    uint32_t pad = draft->options.pad;
    if (draft->options.image_bytes != 0) {
        if (draft->options.image_bytes < picture->len)
            return draft_fail(draft, "image_bytes: the picture alone is larger");
        pad = draft->options.image_bytes - (uint32_t)picture->len;
    }
    if (pad == 0 || picture->len == 0) {
        *out = buffer_bytes(picture);
        return true;
    }
    if (!ojin_picture_pad(buffer_bytes(picture), pad, &draft->padded))
        return false;
    *out = buffer_bytes(&draft->padded);
    return true;
}

static uint32_t size_declared(const struct compose_size *size, size_t bytes)
{
    const uint32_t actual = (uint32_t)bytes;
    switch (size->kind) {
    case COMPOSE_SIZE_TRUE:
        break;
    case COMPOSE_SIZE_IS:
        return size->value;
    case COMPOSE_SIZE_MORE:
        return size->value > UINT32_MAX - actual ? UINT32_MAX : actual + size->value;
    case COMPOSE_SIZE_LESS:
        return size->value > actual ? 0 : actual - size->value;
    }
    return actual;
}

static struct frame_entry entry_make(const struct draft *draft, const struct session *session,
                                     struct bytes picture, const struct compose_entry *asked)
{
    struct frame_entry entry = {.type = asked->type};
    const struct compose_size actual = {.kind = COMPOSE_SIZE_TRUE};
    const struct compose_size *size = &actual;
    if (asked->content == COMPOSE_AUDIO) {
        entry.data = bytes_of(session->audio, sizeof session->audio);
        size = &draft->options.size_audio;
    } else if (asked->content == COMPOSE_IMAGE) {
        entry.data = picture;
        size = &draft->options.size_image;
    } else {
        entry.data = bytes_of(draft->other.data, asked->bytes);
    }
    entry.declared_bytes = size_declared(size, entry.data.len);
    return entry;
}

/* One block that the longest entry of another type borrows from. */
static bool other_fill(struct draft *draft)
{
    size_t longest = 0;
    for (size_t i = 0; i < draft->options.entry_count; i++) {
        if (draft->options.entries[i].bytes > longest)
            longest = draft->options.entries[i].bytes;
    }
    if (longest == 0)
        return true;
    uint8_t *room = buffer_reserve(&draft->other, longest);
    if (room == NULL)
        return false;
    memset(room, OTHER_DATA, longest);
    draft->other.len += longest;
    return true;
}

static bool entries_make(struct session *session, struct draft *draft)
{
    static const struct compose_entry usual[] = {{.content = COMPOSE_AUDIO, .type = OJIN_PAYLOAD_AUDIO},
                                                 {.content = COMPOSE_IMAGE, .type = OJIN_PAYLOAD_IMAGE}};
    const struct compose_frame_options *options = &draft->options;
    struct bytes picture = {0};
    if (!other_fill(draft) || !picture_make(session, draft, &picture))
        return false;
    const struct compose_entry *asked = options->has_payloads ? options->entries : usual;
    size_t count = options->has_payloads ? options->entry_count : draft->order.entry_count;
    for (size_t i = 0; i < count; i++) {
        draft->order.entries[i] = entry_make(draft, session, picture, &asked[i]);
        if (draft->order.entries[i].declared_bytes != draft->order.entries[i].data.len)
            draft->order.fault = true;
    }
    draft->order.entry_count = count;
    draft->order.header.payload_count = (uint32_t)count;
    return true;
}

static void header_override(struct draft *draft)
{
    const struct compose_frame_options *options = &draft->options;
    struct ojin_frame *header = &draft->order.header;
    if (options->has_index)
        header->index = options->index;
    if (options->has_usage)
        header->usage = options->usage;
    if (options->has_timestamp)
        header->timestamp_ms = options->timestamp;
    if (options->has_final)
        header->is_final = options->final;
    if (options->has_payload_count && options->payload_count != header->payload_count) {
        header->payload_count = options->payload_count;
        draft->order.fault = true;
    }
    if (options->trailing_len > 0)
        draft->order.trailing = bytes_of(options->trailing, options->trailing_len);
    draft->order.bytes_max = options->truncate;
}

/* Audio of another length than a frame's is a fault as well, however it was asked for. */
static bool action_is_sound(const struct actions *actions)
{
    struct ojin_frame frame;
    const struct action *action = &actions->list[actions->count - 1];
    if (ojin_frame_decode(actions_bytes(actions, action), &frame).status != WIRE_OK)
        return false;
    return !frame.has_audio || frame.audio.len == OJIN_FRAME_AUDIO_BYTES;
}

static bool draft_send(const struct compose_call *call, struct draft *draft, enum frame_kind kind, bool final)
{
    struct session *session = call->session;
    uint8_t interaction[UUID_BYTES];
    interaction_resolve(session, &draft->options.interaction, kind, interaction);
    const double mouth = audio_fill(session, kind);
    if (!ojin_frame_draw(session, mouth, interaction, session->position))
        return false;
    ojin_frame_order(session, call->now_us, kind, interaction, &draft->order);
    draft->order.header.is_final = final ? 1 : 0;
    if (!entries_make(session, draft))
        return false;
    header_override(draft);
    if (draft->order.header.is_final != 0)
        draft->order.label = "final";
    if (!ojin_frame_send(session, &draft->order, call->actions))
        return false;
    if (!action_is_sound(call->actions))
        call->actions->list[call->actions->count - 1].fault = true;
    return true;
}

static void draft_account(const struct compose_call *call, enum frame_kind kind, bool final)
{
    struct session *session = call->session;
    if (kind == FRAME_SPEECH)
        session->position += OJIN_FRAME_SAMPLES;
    else if (kind == FRAME_SILENCE && session->phase != OJIN_PHASE_SPEECH)
        session->in_interaction = false;
    /* A script's final frame settles an endInteraction that came before it. */
    if (final && session->ending)
        ojin_stream_finish(session, call->now_us);
}

static enum frame_kind kind_of(const struct compose_call *call, bool *final)
{
    *final = strcmp(call->kind, "final") == 0;
    if (strcmp(call->kind, "speech") == 0)
        return FRAME_SPEECH;
    if (strcmp(call->kind, "fade") == 0)
        return FRAME_FADE;
    /* A final frame carries speech that is still due, else it is a silence frame. */
    if (*final && speech_queue_samples(&call->session->speech) > 0)
        return FRAME_SPEECH;
    return FRAME_SILENCE;
}

bool compose_frame(const struct compose_call *call)
{
    struct draft draft = {0};
    if (!compose_frame_options(call->options, call->option_count, &draft.options, call->error))
        return false;
    if (call->actions == NULL)
        return true;
    bool final = false;
    const enum frame_kind kind = kind_of(call, &final);
    buffer_init(&draft.other, COMPOSE_ENTRY_BYTES_MAX);
    buffer_init(&draft.padded, (size_t)OJIN_PICTURE_BYTES_MAX + COMPOSE_PAD_MAX);
    const bool sent = draft_send(call, &draft, kind, final);
    buffer_free(&draft.other);
    buffer_free(&draft.padded);
    if (!sent) {
        struct text text = text_of(call->error, COMPOSE_ERROR_MAX);
        text_add(&text, draft.wrong != NULL ? draft.wrong : "no room for the frame");
        return false;
    }
    draft_account(call, kind, final);
    return true;
}
