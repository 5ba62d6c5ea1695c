/* Defects of reading frames: OJ-OUT, OJ-FLD-01. */
#include <stdlib.h>

#include "conformance/defects/ojin/tables.h"

enum {
    COUNT_ABSURD = 1000,
    LARGE_BYTES = 900000,
    ROOM_BYTES = 800000000,
    PAGE_BYTES = 4096,
    ENTRY_BYTES = OJIN_ENTRY_HEADER_BYTES
};

static const struct wire_error GOOD = {.status = WIRE_OK};

static struct wire_error refuse(const char *field)
{
    return (struct wire_error){.status = WIRE_TRUNCATED, .field = field};
}

/* ---- payload entries, as they stand in a message that decodes well ---- */

struct entries {
    struct bytes message;
    size_t at;
    uint32_t left;
    uint8_t type;
    size_t size;
};

static struct entries entries_of(struct bytes message, const struct ojin_frame *frame)
{
    return (struct entries){.message = message, .at = OJIN_FRAME_HEADER_BYTES, .left = frame->payload_count};
}

static bool entries_next(struct entries *entries)
{
    const uint8_t *data = entries->message.data + entries->at;
    if (entries->left == 0 || entries->message.len - entries->at < ENTRY_BYTES)
        return false;
    entries->left--;
    entries->size = (size_t)data[0] << 24 | (size_t)data[1] << 16 | (size_t)data[2] << 8 | data[3];
    entries->type = data[4];
    entries->at += ENTRY_BYTES + entries->size;
    return true;
}

/* ---- decoders that ask for too much ---- */

/* Reads sizes of 16 bits; a picture of more comes out short. */
static struct wire_error decode_short_sizes(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    if (error.status == WIRE_OK)
        out->image.len &= 0xFFFF;
    return error;
}

static struct wire_error decode_audio_first(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    if (error.status != WIRE_OK)
        return error;
    struct entries entries = entries_of(message, out);
    return entries_next(&entries) && entries.type == OJIN_PAYLOAD_IMAGE && entries.left > 0 ? refuse("type")
                                                                                            : GOOD;
}

static struct wire_error decode_both(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    const bool lacks = error.status == WIRE_OK && out->is_final == 0 && (!out->has_audio || !out->has_image);
    return lacks ? refuse("payload count") : error;
}

static struct wire_error decode_known_types(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    if (error.status != WIRE_OK)
        return error;
    for (struct entries entries = entries_of(message, out); entries_next(&entries);)
        if (entries.type != OJIN_PAYLOAD_AUDIO && entries.type != OJIN_PAYLOAD_IMAGE)
            return refuse("type");
    return GOOD;
}

static struct wire_error decode_no_empty(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    const bool empty = error.status == WIRE_OK &&
                       ((out->has_audio && out->audio.len == 0) || (out->has_image && out->image.len == 0));
    return empty ? refuse("size") : error;
}

static struct wire_error decode_one_of_each(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    size_t counts[2] = {0, 0};
    const struct wire_error error = ojin_frame_decode(message, out);
    if (error.status != WIRE_OK)
        return error;
    for (struct entries entries = entries_of(message, out); entries_next(&entries);)
        if (entries.type == OJIN_PAYLOAD_AUDIO || entries.type == OJIN_PAYLOAD_IMAGE)
            counts[entries.type - OJIN_PAYLOAD_AUDIO]++;
    return counts[0] > 1 || counts[1] > 1 ? refuse("type") : GOOD;
}

static struct wire_error decode_index_of_two(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    return error.status == WIRE_OK && out->index > OJIN_INDEX_SPEECH ? refuse("index") : error;
}

static struct wire_error decode_signed_usage(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    return error.status == WIRE_OK && out->usage > INT32_MAX ? refuse("usage") : error;
}

static struct wire_error decode_signed_time(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    return error.status == WIRE_OK && out->timestamp_ms > INT64_MAX ? refuse("timestamp") : error;
}

static struct wire_error decode_half_the_time(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    if (error.status == WIRE_OK)
        out->timestamp_ms &= UINT32_MAX;
    return error;
}

/* Keeps 32 bits of the latest time, and takes what seems older for late. */
static struct wire_error decode_newer(void *context, struct bytes message, struct ojin_frame *out)
{
    struct defect_state *state = context;
    const struct wire_error error = ojin_frame_decode(message, out);
    if (error.status != WIRE_OK)
        return error;
    const uint64_t half = out->timestamp_ms & UINT32_MAX;
    if (half < state->count && state->count - half > UINT32_MAX / 2)
        return refuse("timestamp");
    state->count = half;
    return error;
}

static struct wire_error decode_signed_index(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    return error.status == WIRE_OK && out->index > INT32_MAX ? refuse("index") : error;
}

static struct wire_error decode_no_trailing_two(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    return error.status == WIRE_OK && out->trailing.len > 1 ? refuse("trailing bytes") : error;
}

static struct wire_error decode_no_trailing_one(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    return error.status == WIRE_OK && out->trailing.len == 1 ? refuse("trailing bytes") : error;
}

/* ---- decoders that believe too much ---- */

static bool is_short(struct bytes message)
{
    return message.len < OJIN_FRAME_HEADER_BYTES + ENTRY_BYTES;
}

/* The number of payloads that the header claims; 0 when there is no header. */
static uint32_t claimed_count(struct bytes message)
{
    if (message.len < OJIN_FRAME_HEADER_BYTES)
        return 0;
    const uint8_t *count = message.data + OJIN_FRAME_HEADER_BYTES - 4;
    return (uint32_t)count[0] << 24 | (uint32_t)count[1] << 16 | (uint32_t)count[2] << 8 | count[3];
}

static struct wire_error decode_short(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    if (error.status == WIRE_OK || !is_short(message) || claimed_count(message) > COUNT_ABSURD)
        return error;
    *out = (struct ojin_frame){.index = OJIN_INDEX_SPEECH};
    return GOOD;
}

static enum client_taking hide_short(void *context, bool *binary, struct bytes message)
{
    struct ojin_frame frame;
    (void)context;
    const bool bad = *binary && is_short(message) && claimed_count(message) <= COUNT_ABSURD &&
                     ojin_frame_decode(message, &frame).status != WIRE_OK;
    return bad ? CLIENT_HIDE : CLIENT_TAKE;
}

static struct wire_error decode_lying_size(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    if (error.status != WIRE_SIZE_PAST_END || claimed_count(message) > COUNT_ABSURD)
        return error;
    *out = (struct ojin_frame){.index = OJIN_INDEX_SPEECH};
    return GOOD;
}

/* As reading past the end ends at best. */
static struct wire_error decode_past_end(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    if (error.status == WIRE_SIZE_PAST_END && claimed_count(message) <= COUNT_ABSURD)
        abort();
    return error;
}

static struct wire_error decode_claimed_count(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const struct wire_error error = ojin_frame_decode(message, out);
    if (error.status == WIRE_OK || claimed_count(message) <= COUNT_ABSURD)
        return error;
    *out = (struct ojin_frame){.index = OJIN_INDEX_SPEECH};
    return GOOD;
}

/* Asks for room for that many entries, and does not look whether it got it. */
static struct wire_error decode_all_claimed(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    if (claimed_count(message) > COUNT_ABSURD)
        abort();
    return ojin_frame_decode(message, out);
}

/* A byte for each, as far as memory goes; it is given back. */
static struct wire_error decode_with_room(void *context, struct bytes message, struct ojin_frame *out)
{
    (void)context;
    const size_t claimed = claimed_count(message);
    const size_t room = claimed > ROOM_BYTES ? ROOM_BYTES : claimed;
    volatile uint8_t *bytes = room > COUNT_ABSURD ? malloc(room) : NULL;
    for (size_t i = 0; bytes != NULL && i < room; i += PAGE_BYTES)
        bytes[i] = 1;
    free((void *)(uintptr_t)bytes);
    return ojin_frame_decode(message, out);
}

/* ---- pictures ---- */

/* The width in the picture's frame header; 0 when it has none. */
static unsigned picture_width(struct bytes picture)
{
    for (size_t i = 2; i + 9 < picture.len; i++)
        if (picture.data[i] == 0xFF && picture.data[i + 1] == 0xC0)
            return (unsigned)picture.data[i + 7] << 8 | picture.data[i + 8];
    return 0;
}

static bool hold_small_pictures(void *context, const struct ojin_frame *frame)
{
    (void)context;
    return picture_width(frame->image) < 400;
}

static bool hold_first_size(void *context, const struct ojin_frame *frame)
{
    struct defect_state *state = context;
    const unsigned width = picture_width(frame->image);
    if (state->count == 0)
        state->count = width;
    return width == 0 || width == state->count;
}

static bool hold_until_damaged(void *context, const struct ojin_frame *frame)
{
    struct defect_state *state = context;
    const struct bytes picture = frame->image;
    if (picture.len > 1 && (picture.data[0] != 0xFF || picture.data[1] != 0xD8))
        state->seen = true;
    if (picture.len > 1 && (picture.data[picture.len - 2] != 0xFF || picture.data[picture.len - 1] != 0xD9))
        state->seen = true;
    return !state->seen;
}

/* ---- messages ---- */

static enum client_taking hide_large(void *context, bool *binary, struct bytes message)
{
    (void)context;
    return *binary && message.len > LARGE_BYTES ? CLIENT_HIDE : CLIENT_TAKE;
}

/* Each fragment is a message to it. */
static bool take_fragment_for_message(void *context, struct ws_frame *frame)
{
    struct defect_state *state = context;
    if (frame->opcode >= WS_OPCODE_CLOSE)
        return true;
    if (frame->opcode != WS_OPCODE_CONTINUATION)
        state->down.opcode = frame->opcode;
    frame->opcode = state->down.opcode;
    frame->fin = true;
    return true;
}

static bool is_session_ping(const struct ws_frame *frame)
{
    static const char TYPE[] = "\"sessionPing\"";
    for (size_t i = 0; i + sizeof TYPE - 1 <= frame->payload.len; i++)
        if (memcmp(frame->payload.data + i, TYPE, sizeof TYPE - 1) == 0)
            return true;
    return false;
}

/* The first frame behind a text message comes behind the next one. */
static bool swap_behind_text(void *context, struct ws_frame *frame)
{
    struct defect_state *state = context;
    if (frame->opcode == WS_OPCODE_TEXT && is_session_ping(frame) && state->bytes.len == 0)
        state->seen = true;
    if (frame->opcode != WS_OPCODE_BINARY)
        return true;
    if (state->seen) {
        state->seen = false;
        ws_frame_put(&state->bytes, frame);
        return false;
    }
    (void)buffer_append(&state->down.behind, buffer_bytes(&state->bytes));
    buffer_clear(&state->bytes);
    return true;
}

/* ---- what is told ---- */

/* Frames as they come, and as they are shown, each for themselves. */
static bool keep_interaction(void *context, struct observation *observation)
{
    struct defect_state *state = context;
    struct observation *before = &state->kept[observation->kind == OBSERVED_PLAYED ? 1 : 0];
    if (!observation->has_interaction)
        return true;
    if (observation->index == OJIN_INDEX_SPEECH && before->index == OJIN_INDEX_SPEECH)
        memcpy(observation->interaction, before->interaction, UUID_BYTES);
    *before = *observation;
    return true;
}

static bool hide_last_picture(void *context, struct observation *observation)
{
    (void)context;
    if (observation->kind == OBSERVED_PLAYED && observation->is_final)
        observation->has_image = false;
    return true;
}

static bool hide_pictures(void *context, struct observation *observation)
{
    (void)context;
    if (observation->kind == OBSERVED_PLAYED)
        observation->has_image = false;
    return true;
}

static bool hide_silent_pictures(void *context, struct observation *observation)
{
    (void)context;
    if (observation->kind == OBSERVED_PLAYED && observation->index == OJIN_INDEX_SILENCE)
        observation->has_image = false;
    return true;
}

static const struct defect ROWS[] = {
    {.name = "sizes-of-16-bits",
     .requirement = "OJ-OUT-01",
     .wrong = "reads the low 16 bits of a size",
     .seams.ojin.decode = decode_short_sizes},
    {.name = "audio-before-image",
     .requirement = "OJ-OUT-02",
     .wrong = "takes no frame whose image comes first",
     .seams.ojin.decode = decode_audio_first},
    {.name = "both-payloads",
     .requirement = "OJ-OUT-03",
     .wrong = "takes no frame without sound or picture",
     .seams.ojin.decode = decode_both},
    {.name = "known-types-only",
     .requirement = "OJ-OUT-04",
     .wrong = "takes no frame with a payload type it does not know",
     .seams.ojin.decode = decode_known_types},
    {.name = "no-empty-payload",
     .requirement = "OJ-OUT-05",
     .wrong = "takes no frame with an empty payload",
     .seams.ojin.decode = decode_no_empty},
    {.name = "one-of-each-type",
     .requirement = "OJ-OUT-05",
     .wrong = "takes no frame with two payloads of a type",
     .seams.ojin.decode = decode_one_of_each},
    {.name = "index-of-two-values",
     .requirement = "OJ-OUT-06",
     .wrong = "takes no frame with an index other than 0 and 1",
     .seams.ojin.decode = decode_index_of_two},
    {.name = "usage-signed",
     .requirement = "OJ-OUT-07",
     .wrong = "reads usage as a signed number",
     .seams.ojin.decode = decode_signed_usage},
    {.name = "half-the-timestamp",
     .requirement = "OJ-OUT-07",
     .wrong = "reads the low half of a timestamp only",
     .cases = "ojin/frame/timestamps",
     .seams.ojin.decode = decode_half_the_time},
    {.name = "half-a-clock",
     .requirement = "OJ-OUT-07",
     .wrong = "drops frames as late when the low half of the timestamp begins anew",
     .cases = "ojin/frame/timestamps",
     .seams.ojin.decode = decode_newer},
    {.name = "index-signed",
     .requirement = "OJ-OUT-07",
     .wrong = "reads the index as a signed number",
     .seams.ojin.decode = decode_signed_index},
    {.name = "timestamp-signed",
     .requirement = "OJ-OUT-07",
     .wrong = "reads the timestamp as a signed number",
     .seams.ojin.decode = decode_signed_time},
    {.name = "short-is-a-frame",
     .requirement = "OJ-OUT-08",
     .wrong = "takes a message that is too short for a frame",
     .seams.ojin.decode = decode_short},
    {.name = "short-is-nothing",
     .requirement = "OJ-OUT-08",
     .wrong = "passes over a message that is too short, and says nothing",
     .seams.ojin.incoming = hide_short},
    {.name = "believes-size",
     .requirement = "OJ-OUT-09",
     .wrong = "takes a frame whose size runs past its end",
     .seams.ojin.decode = decode_lying_size},
    {.name = "reads-past-end",
     .requirement = "OJ-OUT-09",
     .wrong = "reads past the end of a frame, and crashes",
     .ends_badly = true,
     .crashes = true,
     .seams.ojin.decode = decode_past_end},
    {.name = "believes-count",
     .requirement = "OJ-OUT-10",
     .wrong = "takes a frame that claims more payloads than it has",
     .seams.ojin.decode = decode_claimed_count},
    {.name = "room-for-count",
     .requirement = "OJ-OUT-10",
     .wrong = "wants memory for every payload that is claimed, and crashes",
     .ends_badly = true,
     .crashes = true,
     .seams.ojin.decode = decode_all_claimed},
    {.name = "takes-room-for-count",
     .requirement = "OJ-OUT-10",
     .wrong = "takes memory for every payload that is claimed, as much as it can get",
     .cases = "ojin/frame/count-*",
     .crashes = true,
     .seams.ojin.decode = decode_with_room},
    {.name = "no-two-trailing-bytes",
     .requirement = "OJ-OUT-11",
     .wrong = "takes no frame with two bytes behind the last payload",
     .seams.ojin.decode = decode_no_trailing_two},
    {.name = "fragment-is-message",
     .requirement = "OJ-OUT-12",
     .wrong = "takes every fragment for a message",
     .implies = {"OJ-ERR-05", "OJ-CLS-03"},
     .down = take_fragment_for_message},
    {.name = "small-pictures-only",
     .requirement = "OJ-OUT-13",
     .wrong = "shows no picture wider than 400",
     .seams.ojin.hold = hold_small_pictures},
    {.name = "out-of-order",
     .requirement = "OJ-OUT-14",
     .wrong = "delivers the frame behind a text message late",
     .implies = {"OJ-CLS-03"},
     .down = swap_behind_text},
    {.name = "stops-at-damaged-picture",
     .requirement = "OJ-OUT-15",
     .wrong = "shows nothing any more after a damaged picture",
     .seams.ojin.hold = hold_until_damaged},
    {.name = "ignores-final",
     .requirement = "OJ-OUT-16",
     .wrong = "waits on after the final frame",
     .seams.ojin.ignore_final = true},
    {.name = "joins-interactions",
     .requirement = "OJ-OUT-17",
     .wrong = "takes speech that follows on speech for the same interaction",
     .seams.ojin.life.observe = keep_interaction},
    {.name = "last-picture-not-shown",
     .requirement = "OJ-OUT-18",
     .wrong = "does not show the picture of the final frame",
     .seams.ojin.life.observe = hide_last_picture},
    {.name = "shows-no-pictures",
     .requirement = "OJ-OUT-18",
     .wrong = "plays the sound of the frames, and shows no picture of any",
     .seams.ojin.life.observe = hide_pictures},
    {.name = "silence-has-no-picture",
     .requirement = "OJ-OUT-18",
     .wrong = "shows no picture with silence",
     .seams.ojin.life.observe = hide_silent_pictures},
    {.name = "under-a-megabyte",
     .requirement = "OJ-OUT-19",
     .wrong = "drops large messages without a word",
     .seams.ojin.incoming = hide_large},
    {.name = "one-resolution",
     .requirement = "OJ-OUT-20",
     .wrong = "shows no picture of another size than the first",
     .seams.ojin.hold = hold_first_size},
    {.name = "no-frame-type-byte",
     .requirement = "OJ-FLD-01",
     .wrong = "takes no frame with a byte behind the last payload",
     .seams.ojin.decode = decode_no_trailing_one},
};

const struct defect_table OJIN_DEFECTS_FRAME = DEFECT_TABLE(ROWS);
