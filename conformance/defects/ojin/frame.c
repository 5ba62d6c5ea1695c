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

/* ---- readers that ask for too much ---- */

/* Reads sizes of 16 bits; a picture of more comes out short. */
static enum defect_taking read_short_sizes(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    if (!defect_frame(state, message, &frame))
        return DEFECT_TAKE;
    frame.image.len &= 0xFFFF;
    return defect_hear_frame(state, &frame);
}

static enum defect_taking want_audio_first(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    if (!defect_frame(state, message, &frame))
        return DEFECT_TAKE;
    struct entries entries = entries_of(message, &frame);
    return defect_refuse(state,
                         entries_next(&entries) && entries.type == OJIN_PAYLOAD_IMAGE && entries.left > 0);
}

static enum defect_taking want_both(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    return defect_refuse(state, defect_frame(state, message, &frame) && frame.is_final == 0 &&
                                    (!frame.has_audio || !frame.has_image));
}

/* How many of the type an entry has, at most two, and in the first how many of none that is known. */
static void count_types(struct bytes message, const struct ojin_frame *frame, size_t counts[3])
{
    for (struct entries entries = entries_of(message, frame); entries_next(&entries);)
        counts[entries.type == OJIN_PAYLOAD_AUDIO ? 1 : entries.type == OJIN_PAYLOAD_IMAGE ? 2 : 0]++;
}

static enum defect_taking want_known_types(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    size_t counts[3] = {0};
    if (defect_frame(state, message, &frame))
        count_types(message, &frame, counts);
    return defect_refuse(state, counts[0] > 0);
}

static enum defect_taking want_one_of_each(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    size_t counts[3] = {0};
    if (defect_frame(state, message, &frame))
        count_types(message, &frame, counts);
    return defect_refuse(state, counts[1] > 1 || counts[2] > 1);
}

static enum defect_taking want_no_empty(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    return defect_refuse(
        state, defect_frame(state, message, &frame) &&
                   ((frame.has_audio && frame.audio.len == 0) || (frame.has_image && frame.image.len == 0)));
}

static enum defect_taking want_index_of_two(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    return defect_refuse(state, defect_frame(state, message, &frame) && frame.index > OJIN_INDEX_SPEECH);
}

static enum defect_taking want_signed_usage(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    return defect_refuse(state, defect_frame(state, message, &frame) && frame.usage > INT32_MAX);
}

static enum defect_taking want_signed_time(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    return defect_refuse(state, defect_frame(state, message, &frame) && frame.timestamp_ms > INT64_MAX);
}

static enum defect_taking read_half_the_time(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    if (!defect_frame(state, message, &frame))
        return DEFECT_TAKE;
    frame.timestamp_ms &= UINT32_MAX;
    return defect_hear_frame(state, &frame);
}

/* Keeps 32 bits of the latest time, and takes what seems older for late. */
static enum defect_taking want_newer(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    if (!defect_frame(state, message, &frame))
        return DEFECT_TAKE;
    const uint64_t half = frame.timestamp_ms & UINT32_MAX;
    if (half < state->count && state->count - half > UINT32_MAX / 2)
        return defect_refuse(state, true);
    state->count = half;
    return DEFECT_TAKE;
}

static enum defect_taking want_signed_index(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    return defect_refuse(state, defect_frame(state, message, &frame) && frame.index > INT32_MAX);
}

static enum defect_taking want_no_trailing_two(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    return defect_refuse(state, defect_frame(state, message, &frame) && frame.trailing.len > 1);
}

static enum defect_taking want_no_trailing_one(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    return defect_refuse(state, defect_frame(state, message, &frame) && frame.trailing.len == 1);
}

/* ---- readers that believe too much ---- */

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

/* Why it is no frame; WIRE_OK: it is one, or a text. */
static enum wire_status why_bad(const struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    return state->binary ? ojin_frame_decode(message, &frame).status : WIRE_OK;
}

/* A speech frame without anything in it is heard, if the message is `believed`. */
static enum defect_taking believe(struct defect_state *state, bool believed)
{
    const struct ojin_frame frame = {.index = OJIN_INDEX_SPEECH};
    return believed ? defect_hear_frame(state, &frame) : DEFECT_TAKE;
}

static bool is_bad_and_short(const struct defect_state *state, struct bytes message)
{
    return why_bad(state, message) != WIRE_OK && is_short(message) && claimed_count(message) <= COUNT_ABSURD;
}

static enum defect_taking believe_short(struct defect_state *state, struct bytes message)
{
    return believe(state, is_bad_and_short(state, message));
}

static bool hide_short(struct defect_state *state, struct bytes message)
{
    return is_bad_and_short(state, message);
}

static bool runs_past_end(const struct defect_state *state, struct bytes message)
{
    return why_bad(state, message) == WIRE_SIZE_PAST_END && claimed_count(message) <= COUNT_ABSURD;
}

static enum defect_taking believe_size(struct defect_state *state, struct bytes message)
{
    return believe(state, runs_past_end(state, message));
}

/* As reading past the end ends at best. */
static enum defect_taking read_past_end(struct defect_state *state, struct bytes message)
{
    if (runs_past_end(state, message))
        abort();
    return DEFECT_TAKE;
}

/* The frame is of the interaction that the message names, behind the final flag. */
static enum defect_taking believe_count(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame = {.index = OJIN_INDEX_SPEECH};
    if (why_bad(state, message) == WIRE_OK || claimed_count(message) <= COUNT_ABSURD)
        return DEFECT_TAKE;
    memcpy(frame.interaction, message.data + 1, UUID_BYTES); /* it has a whole header, as it has a count */
    return defect_hear_frame(state, &frame);
}

/* Asks for room for that many entries, and does not look whether it got it. */
static enum defect_taking read_all_claimed(struct defect_state *state, struct bytes message)
{
    if (state->binary && claimed_count(message) > COUNT_ABSURD)
        abort();
    return DEFECT_TAKE;
}

/* A byte for each, as far as memory goes; it is given back. */
static enum defect_taking take_room(struct defect_state *state, struct bytes message)
{
    const size_t claimed = state->binary ? claimed_count(message) : 0;
    const size_t room = claimed > ROOM_BYTES ? ROOM_BYTES : claimed;
    volatile uint8_t *bytes = room > COUNT_ABSURD ? malloc(room) : NULL;
    for (size_t i = 0; bytes != NULL && i < room; i += PAGE_BYTES)
        bytes[i] = 1;
    free((void *)(uintptr_t)bytes);
    return DEFECT_TAKE;
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

static bool show_small_pictures(struct defect_state *state, struct client_action *action)
{
    return !defect_is_played(action) || picture_width(action->data) < 400;
}

static bool show_first_size(struct defect_state *state, struct client_action *action)
{
    const unsigned width = defect_is_played(action) ? picture_width(action->data) : 0;
    if (state->count == 0)
        state->count = width;
    return width == 0 || width == state->count;
}

static bool show_until_damaged(struct defect_state *state, struct client_action *action)
{
    const struct bytes picture = action->data;
    if (!defect_is_played(action))
        return true;
    state->seen = state->seen || (picture.len > 1 && (picture.data[0] != 0xFF || picture.data[1] != 0xD8 ||
                                                      picture.data[picture.len - 2] != 0xFF ||
                                                      picture.data[picture.len - 1] != 0xD9));
    return !state->seen;
}

/* ---- messages ---- */

static bool hide_large(struct defect_state *state, struct bytes message)
{
    return state->binary && message.len > LARGE_BYTES;
}

/* Each fragment is a message to it. */
static bool take_fragment_for_message(struct defect_state *state, struct ws_frame *frame)
{
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
static bool swap_behind_text(struct defect_state *state, struct ws_frame *frame)
{
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

/* ---- the final frame ---- */

/* It is to the core one as any other, and is told of as what it is. */
static enum defect_taking overlook_final(struct defect_state *state, struct bytes message)
{
    struct ojin_frame frame;
    state->seen = defect_frame(state, message, &frame) && frame.is_final == 1;
    if (!state->seen)
        return DEFECT_TAKE;
    frame.is_final = 0;
    return defect_hear_frame(state, &frame);
}

static bool tell_final(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_FRAME)
        observation->is_final = state->seen;
    return true;
}

/* ---- what is told ---- */

/* Frames as they come, and as they are shown, each for themselves. */
static bool keep_interaction(struct defect_state *state, struct observation *observation)
{
    struct observation *before = &state->kept[observation->kind == OBSERVED_PLAYED ? 1 : 0];
    if (!observation->has_interaction)
        return true;
    if (observation->index == OJIN_INDEX_SPEECH && before->index == OJIN_INDEX_SPEECH)
        memcpy(observation->interaction, before->interaction, UUID_BYTES);
    *before = *observation;
    return true;
}

static bool hide_last_picture(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_PLAYED && observation->is_final)
        observation->has_image = false;
    return true;
}

static bool hide_pictures(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_PLAYED)
        observation->has_image = false;
    return true;
}

/* Of a frame whose picture came before. */
static bool show_late(struct defect_state *state, struct observation *observation)
{
    struct observation *before = &state->kept[1];
    if (observation->kind != OBSERVED_PLAYED || !observation->has_image)
        return true;
    const uint32_t crc = observation->image_crc;
    observation->image_crc = before->has_image ? before->image_crc : crc;
    *before = *observation;
    before->image_crc = crc;
    return true;
}

static bool hide_silent_pictures(struct defect_state *state, struct observation *observation)
{
    if (observation->kind == OBSERVED_PLAYED && observation->index == OJIN_INDEX_SILENCE)
        observation->has_image = false;
    return true;
}

/* The frame that came last, if any, moves up to where its time belongs; those before it stand in order. */
static void sort_by_time(struct defect_state *state)
{
    struct frame_buffer *buffer = &defect_client(state)->buffer;
    struct held_frame *newest = buffer->last;
    struct held_frame **place = &buffer->first;
    while (*place != newest && (*place)->frame.timestamp_ms <= newest->frame.timestamp_ms)
        place = &(*place)->next;
    if (*place == newest)
        return;
    struct held_frame *before = *place;
    while (before->next != newest)
        before = before->next;
    before->next = NULL;
    buffer->last = before;
    newest->next = *place;
    *place = newest;
}

static const struct defect ROWS[] = {
    {.name = "sizes-of-16-bits",
     .requirement = "OJ-OUT-01",
     .wrong = "reads the low 16 bits of a size",
     .hear = read_short_sizes},
    {.name = "audio-before-image",
     .requirement = "OJ-OUT-02",
     .wrong = "takes no frame whose image comes first",
     .hear = want_audio_first},
    {.name = "both-payloads",
     .requirement = "OJ-OUT-03",
     .wrong = "takes no frame without sound or picture",
     .hear = want_both},
    {.name = "known-types-only",
     .requirement = "OJ-OUT-04",
     .wrong = "takes no frame with a payload type it does not know",
     .hear = want_known_types},
    {.name = "no-empty-payload",
     .requirement = "OJ-OUT-05",
     .wrong = "takes no frame with an empty payload",
     .hear = want_no_empty},
    {.name = "one-of-each-type",
     .requirement = "OJ-OUT-05",
     .wrong = "takes no frame with two payloads of a type",
     .hear = want_one_of_each},
    {.name = "index-of-two-values",
     .requirement = "OJ-OUT-06",
     .wrong = "takes no frame with an index other than 0 and 1",
     .hear = want_index_of_two},
    {.name = "usage-signed",
     .requirement = "OJ-OUT-07",
     .wrong = "reads usage as a signed number",
     .hear = want_signed_usage},
    {.name = "half-the-timestamp",
     .requirement = "OJ-OUT-07",
     .wrong = "reads the low half of a timestamp only",
     .cases = "ojin/frame/timestamps",
     .hear = read_half_the_time},
    {.name = "half-a-clock",
     .requirement = "OJ-OUT-07",
     .wrong = "drops frames as late when the low half of the timestamp begins anew",
     .cases = "ojin/frame/timestamps",
     .hear = want_newer},
    {.name = "index-signed",
     .requirement = "OJ-OUT-07",
     .wrong = "reads the index as a signed number",
     .hear = want_signed_index},
    {.name = "timestamp-signed",
     .requirement = "OJ-OUT-07",
     .wrong = "reads the timestamp as a signed number",
     .hear = want_signed_time},
    {.name = "short-is-a-frame",
     .requirement = "OJ-OUT-08",
     .wrong = "takes a message that is too short for a frame",
     .hear = believe_short},
    {.name = "short-is-nothing",
     .requirement = "OJ-OUT-08",
     .wrong = "passes over a message that is too short, and says nothing",
     .hides = hide_short},
    {.name = "believes-size",
     .requirement = "OJ-OUT-09",
     .wrong = "takes a frame whose size runs past its end",
     .hear = believe_size},
    {.name = "reads-past-end",
     .requirement = "OJ-OUT-09",
     .wrong = "reads past the end of a frame, and crashes",
     .ends_badly = true,
     .crashes = true,
     .hear = read_past_end},
    {.name = "believes-count",
     .requirement = "OJ-OUT-10",
     .wrong = "takes a frame that claims more payloads than it has",
     .hear = believe_count},
    {.name = "room-for-count",
     .requirement = "OJ-OUT-10",
     .wrong = "wants memory for every payload that is claimed, and crashes",
     .ends_badly = true,
     .crashes = true,
     .hear = read_all_claimed},
    {.name = "takes-room-for-count",
     .requirement = "OJ-OUT-10",
     .wrong = "takes memory for every payload that is claimed, as much as it can get",
     .cases = "ojin/frame/count-*",
     .crashes = true,
     .hear = take_room},
    {.name = "no-two-trailing-bytes",
     .requirement = "OJ-OUT-11",
     .wrong = "takes no frame with two bytes behind the last payload",
     .hear = want_no_trailing_two},
    {.name = "fragment-is-message",
     .requirement = "OJ-OUT-12",
     .wrong = "takes every fragment for a message",
     .implies = {"OJ-ERR-05", "OJ-CLS-03"},
     .down = take_fragment_for_message},
    {.name = "small-pictures-only",
     .requirement = "OJ-OUT-13",
     .wrong = "shows no picture wider than 400",
     .act = show_small_pictures},
    {.name = "out-of-order",
     .requirement = "OJ-OUT-14",
     .wrong = "delivers the frame behind a text message late",
     .implies = {"OJ-CLS-03"},
     .down = swap_behind_text},
    {.name = "plays-by-timestamp",
     .requirement = "OJ-OUT-14",
     .wrong = "plays the frames it holds in the order of their timestamps",
     .cases = "ojin/frame/timestamps",
     .after = sort_by_time},
    {.name = "stops-at-damaged-picture",
     .requirement = "OJ-OUT-15",
     .wrong = "shows nothing any more after a damaged picture",
     .act = show_until_damaged},
    {.name = "ignores-final",
     .requirement = "OJ-OUT-16",
     .wrong = "waits on after the final frame",
     .hear = overlook_final,
     .tell = tell_final},
    {.name = "joins-interactions",
     .requirement = "OJ-OUT-17",
     .wrong = "takes speech that follows on speech for the same interaction",
     .tell = keep_interaction},
    {.name = "last-picture-not-shown",
     .requirement = "OJ-OUT-18",
     .wrong = "does not show the picture of the final frame",
     .tell = hide_last_picture},
    {.name = "shows-no-pictures",
     .requirement = "OJ-OUT-18",
     .wrong = "plays the sound of the frames, and shows no picture of any",
     .tell = hide_pictures},
    {.name = "pictures-a-frame-late",
     .requirement = "OJ-OUT-18",
     .wrong = "shows each picture with the frame behind its own",
     .tell = show_late},
    {.name = "silence-has-no-picture",
     .requirement = "OJ-OUT-18",
     .wrong = "shows no picture with silence",
     .tell = hide_silent_pictures},
    {.name = "under-a-megabyte",
     .requirement = "OJ-OUT-19",
     .wrong = "drops large messages without a word",
     .hides = hide_large},
    {.name = "one-resolution",
     .requirement = "OJ-OUT-20",
     .wrong = "shows no picture of another size than the first",
     .act = show_first_size},
    {.name = "no-frame-type-byte",
     .requirement = "OJ-FLD-01",
     .wrong = "takes no frame with a byte behind the last payload",
     .hear = want_no_trailing_one},
};

const struct defect_table OJIN_DEFECTS_FRAME = DEFECT_TABLE(ROWS);
