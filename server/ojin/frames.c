/*
 * Putting one InteractionResponse together: 640 samples of audio, then the picture with its block code.
 * 000 InteractionResponse.
 */
#include <assert.h>

#include "server/ojin/session.h"
#include "server/persona/persona.h"

static const char *const LABELS[] = {
    [FRAME_SILENCE] = "silence", [FRAME_SPEECH] = "speech", [FRAME_FADE] = "fade"};

static const uint8_t SILENCE[OJIN_FRAME_AUDIO_BYTES];

static const enum ojin_frame_type TYPES[] = {[FRAME_SILENCE] = OJIN_FRAME_TYPE_IDLE,
                                             [FRAME_SPEECH] = OJIN_FRAME_TYPE_SPEECH,
                                             [FRAME_FADE] = OJIN_FRAME_TYPE_FADE};

uint64_t ojin_now_ms(const struct session *session, uint64_t now_us)
{
    if (ojin_quirk(session, OJIN_QUIRK_SESSION_CLOCK) != 0)
        return (now_us - session->opened_us) / 1000;
    return session->config.epoch_ms + now_us / 1000;
}

void ojin_interaction_begin(struct session *session)
{
    uuid_generate(&session->interaction_seed, session->progress.interaction);
    session->in_interaction = true;
    session->position = 0;
}

bool ojin_frame_take_speech(struct session *session, struct ojin_params *params)
{
    return speech_queue_pop(&session->speech, session->audio, params) > 0;
}

/* The block code's interaction: the first four bytes of the id. */
static uint32_t interaction_code(const uint8_t id[UUID_BYTES])
{
    return (uint32_t)id[0] << 24 | (uint32_t)id[1] << 16 | (uint32_t)id[2] << 8 | id[3];
}

static bool picture_draw(const struct frame_drawing *drawing, struct buffer *out)
{
    return persona_picture(drawing->persona, drawing->tick, drawing->mouth, &drawing->code, out);
}

bool ojin_frame_draw_late(struct session *session, double mouth, const uint8_t interaction[UUID_BYTES],
                          uint32_t position)
{
    struct frame_drawing *drawing = &session->drawing;
    *drawing = (struct frame_drawing){.persona = session->config.persona,
                                      .tick = session->frame_count + session->pose_shift,
                                      .mouth = mouth,
                                      .code = {.frame_number = session->frame_count,
                                               .interaction = interaction_code(interaction),
                                               .sample_position = position}};
    buffer_clear(&session->picture);
    if (drawing->persona == NULL)
        return true;
    if (ojin_quirk(session, OJIN_QUIRK_WRONG_SIZE) != 0)
        drawing->persona = persona_half(drawing->persona);
    drawing->due = ojin_quirk(session, OJIN_QUIRK_BIG_FRAMES) == 0 &&
                   ojin_quirk(session, OJIN_QUIRK_EXTRA_PAYLOADS) == 0;
    return drawing->due || picture_draw(drawing, &session->picture);
}

bool ojin_frame_draw(struct session *session, double mouth, const uint8_t interaction[UUID_BYTES],
                     uint32_t position)
{
    if (!ojin_frame_draw_late(session, mouth, interaction, position))
        return false;
    const bool due = session->drawing.due;
    session->drawing.due = false;
    return !due || picture_draw(&session->drawing, &session->picture);
}

static void order_add_entry(struct frame_order *order, uint8_t type, struct bytes data)
{
    order->entries[order->entry_count++] =
        (struct frame_entry){.type = type, .declared_bytes = (uint32_t)data.len, .data = data};
}

void ojin_frame_order(struct session *session, uint64_t now_us, enum frame_kind kind,
                      const uint8_t interaction[UUID_BYTES], struct frame_order *order)
{
    const uint64_t usage = session->progress.speech_frames + (kind == FRAME_SPEECH ? 1 : 0);
    *order = (struct frame_order){.label = LABELS[kind], .kind = kind, .bytes_max = SIZE_MAX};
    order->header.timestamp_ms = ojin_now_ms(session, now_us);
    order->header.usage = (uint32_t)usage;
    order->header.index = kind == FRAME_SPEECH ? OJIN_INDEX_SPEECH : OJIN_INDEX_SILENCE;
    if (ojin_quirk(session, OJIN_QUIRK_RUNNING_INDEX) != 0)
        order->header.index = session->frame_count;
    if (ojin_quirk(session, OJIN_QUIRK_FRAME_TYPE_BYTE) != 0)
        ojin_dress_type(order, TYPES[kind]);
    memcpy(order->header.interaction, interaction, UUID_BYTES);
    const uint8_t *audio = kind == FRAME_SILENCE ? SILENCE : session->audio;
    order_add_entry(order, OJIN_PAYLOAD_AUDIO, bytes_of(audio, OJIN_FRAME_AUDIO_BYTES));
    if (session->config.persona != NULL)
        order_add_entry(order, OJIN_PAYLOAD_IMAGE, buffer_bytes(&session->picture));
    order->header.payload_count = (uint32_t)order->entry_count;
}

static size_t order_bytes(const struct frame_order *order)
{
    size_t bytes = OJIN_FRAME_HEADER_BYTES + order->trailing.len;
    for (size_t i = 0; i < order->entry_count; i++)
        bytes += OJIN_ENTRY_HEADER_BYTES + order->entries[i].data.len;
    return bytes;
}

static void write_size(struct writer *writer, uint32_t size, bool little_endian)
{
    if (!little_endian) {
        writer_u32(writer, size);
        return;
    }
    for (unsigned shift = 0; shift < 32; shift += 8)
        writer_u8(writer, (uint8_t)(size >> shift & 0xFFu));
}

/* The size of the last entry is that of its picture, which ends the message; then comes what trails. */
static bool picture_append(struct session *session, const struct frame_order *order, struct actions *actions)
{
    struct buffer *out = actions_tail(actions);
    const size_t begin = out->len;
    const struct frame_drawing *drawing = &session->drawing;
    struct bytes face[PERSONA_SPANS_MAX];
    size_t count;
    static_assert((int)PERSONA_SPANS_MAX <= (int)ACTIONS_BORROWED_MAX, "a face can be borrowed");
    if (!persona_face(drawing->persona, drawing->tick, drawing->mouth, face, &count) ||
        !persona_begin(drawing->persona, out) || !actions_borrow(actions, face, count) ||
        !persona_end(drawing->persona, &drawing->code, out))
        return false;
    struct writer writer = writer_of(out->data + begin - OJIN_ENTRY_HEADER_BYTES, OJIN_ENTRY_HEADER_BYTES);
    write_size(&writer, (uint32_t)(out->len - begin), order->sizes_little_endian);
    if (!buffer_append(out, order->trailing))
        return false;
    actions_grown(actions);
    return true;
}

static void order_write(const struct frame_order *order, uint8_t *out, size_t len)
{
    struct writer writer = writer_of(out, len);
    ojin_frame_write_header(&writer, &order->header);
    for (size_t i = 0; i < order->entry_count; i++) {
        write_size(&writer, order->entries[i].declared_bytes, order->sizes_little_endian);
        writer_u8(&writer, order->entries[i].type);
        writer_bytes(&writer, order->entries[i].data);
    }
    if (writer.len < len)
        writer_bytes(&writer, order->trailing);
}

static void frame_count(struct session *session, const struct frame_order *order)
{
    session->frame_count++;
    if (order->kind == FRAME_SPEECH)
        session->progress.speech_frames++;
    if (order->kind == FRAME_SILENCE)
        session->progress.silence_frames++;
    if (order->header.is_final != 0)
        session->progress.finals++;
}

bool ojin_frame_send(struct session *session, const struct frame_order *order, struct actions *actions)
{
    const bool draws = session->drawing.due;
    const size_t bytes = order_bytes(order) - (draws ? order->trailing.len : 0);
    struct action *action = NULL;
    session->drawing.due = false;
    uint8_t *out = actions_add(actions, ACTION_SEND_BINARY, order->label, bytes, &action);
    if (out == NULL)
        return false;
    order_write(order, out, bytes);
    if (draws && !picture_append(session, order, actions)) {
        actions_take_back(actions);
        return false;
    }
    if (order->bytes_max < bytes) {
        action->len = order->bytes_max;
        action->borrowed_count = 0;
    }
    action->fault = order->fault;
    action->has_interaction = true;
    memcpy(action->interaction, order->header.interaction, UUID_BYTES);
    frame_count(session, order);
    return true;
}
