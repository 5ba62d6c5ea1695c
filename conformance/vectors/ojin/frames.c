#include <stdlib.h>

#include "codec/ojin/frame.h"
#include "conformance/vectors/ojin/parts.h"

#define COUNT_OF(list) (sizeof(list) / sizeof(list)[0])
#define TIME_MS        UINT64_C(1700000000123)

enum {
    ENTRIES_MAX = 4,
    MANY_ENTRIES = 1000,
    MANY_OF_TYPE = 9,
    FRAME_ROOM = 16384,
    /* 000 InteractionResponse: struct '!B16sQIII' */
    AT_COUNT = 33,
    AT_FIRST = OJIN_FRAME_HEADER_BYTES,
    /* what stands in the place of a count or of the first entry's size that is not to lie */
    TRUE_ONE = -1,
    ONE_PAST_END = -2
};

/* What an entry holds. */
enum data { NOTHING, SOUND, ODD_SOUND, PICTURE, FEW };

struct entry {
    uint8_t type; /* 0 and NOTHING: no entry, unless `counted` */
    enum data data;
    bool counted;
};

struct frame_row {
    const char *name;
    struct entry entries[ENTRIES_MAX];
    uint8_t is_final;
    uint8_t uuid; /* its first byte; 0: the nil one */
    uint64_t timestamp_ms;
    uint32_t usage, index;
    int64_t count;        /* as the header says; TRUE_ONE */
    int64_t first_size;   /* as the first entry says; TRUE_ONE, ONE_PAST_END */
    const char *trailing; /* bytes, as text */
    size_t kept;          /* bytes of the frame that are left; 0: all */
    const char *requirement;
};

#define AUDIO                                                                                                \
    {                                                                                                        \
        OJIN_PAYLOAD_AUDIO, SOUND, true                                                                      \
    }
#define IMAGE                                                                                                \
    {                                                                                                        \
        OJIN_PAYLOAD_IMAGE, PICTURE, true                                                                    \
    }
#define USUAL       .is_final = 0, .uuid = 0x5b, .timestamp_ms = TIME_MS, .usage = 40, .index = OJIN_INDEX_SPEECH
#define TRUE_COUNTS .count = TRUE_ONE, .first_size = TRUE_ONE

static const struct frame_row FRAMES[] = {
    {"sound before the picture", {AUDIO, IMAGE}, USUAL, TRUE_COUNTS, .requirement = "OJ-OUT-01"},
    {"the picture before the sound", {IMAGE, AUDIO}, USUAL, TRUE_COUNTS, .requirement = "OJ-OUT-02"},
    {"sound alone", {AUDIO}, USUAL, TRUE_COUNTS, .requirement = "OJ-OUT-03"},
    {"a picture alone", {IMAGE}, USUAL, TRUE_COUNTS, .requirement = "OJ-OUT-03"},
    {"no payload", {{0}}, USUAL, TRUE_COUNTS, .requirement = "OJ-OUT-03"},
    {"silence, the nil interaction",
     {AUDIO, IMAGE},
     .timestamp_ms = TIME_MS,
     TRUE_COUNTS,
     .requirement = "OJ-OUT-06"},
    {"the final frame",
     {AUDIO, IMAGE},
     .is_final = 1,
     .uuid = 0x5b,
     .timestamp_ms = TIME_MS,
     .index = 1,
     TRUE_COUNTS,
     .requirement = "OJ-OUT-16"},
    {"an index that is a number of its own",
     {AUDIO, IMAGE},
     .uuid = 1,
     .timestamp_ms = TIME_MS,
     .index = 77,
     TRUE_COUNTS,
     .requirement = "OJ-OUT-06"},
    {"every field at its largest",
     {AUDIO},
     .is_final = 255,
     .uuid = 255,
     .timestamp_ms = UINT64_MAX,
     .usage = UINT32_MAX,
     .index = UINT32_MAX,
     TRUE_COUNTS,
     .requirement = "OJ-OUT-01"},
    {"fields above the signed range",
     {AUDIO},
     .uuid = 9,
     .timestamp_ms = UINT64_C(0x8000000000000000),
     .usage = UINT32_C(0x80000000),
     .index = UINT32_C(0x80000000),
     TRUE_COUNTS,
     .requirement = "OJ-OUT-01"},
    {"fields whose bytes all differ",
     {AUDIO},
     .uuid = 9,
     .timestamp_ms = UINT64_C(0x0102030405060708),
     .usage = UINT32_C(0x090a0b0c),
     .index = UINT32_C(0x0d0e0f10),
     TRUE_COUNTS,
     .requirement = "OJ-OUT-01"},
    {"types that are not known around the known",
     {{3, FEW, true}, AUDIO, {0, FEW, true}, IMAGE},
     USUAL,
     TRUE_COUNTS,
     .requirement = "OJ-OUT-04"},
    {"types that are not known alone",
     {{3, FEW, true}, {255, NOTHING, true}},
     USUAL,
     TRUE_COUNTS,
     .requirement = "OJ-OUT-04"},
    {"sound of no bytes",
     {{OJIN_PAYLOAD_AUDIO, NOTHING, true}, IMAGE},
     USUAL,
     TRUE_COUNTS,
     .requirement = "OJ-OUT-05"},
    {"a picture of no bytes",
     {AUDIO, {OJIN_PAYLOAD_IMAGE, NOTHING, true}},
     USUAL,
     TRUE_COUNTS,
     .requirement = "OJ-OUT-05"},
    {"sound twice, the last counts",
     {AUDIO, IMAGE, {OJIN_PAYLOAD_AUDIO, FEW, true}},
     USUAL,
     TRUE_COUNTS,
     .requirement = "OJ-OUT-05"},
    {"a picture twice, the last counts",
     {IMAGE, AUDIO, {OJIN_PAYLOAD_IMAGE, FEW, true}},
     USUAL,
     TRUE_COUNTS,
     .requirement = "OJ-OUT-05"},
    {"sound that ends inside a sample",
     {{OJIN_PAYLOAD_AUDIO, ODD_SOUND, true}, IMAGE},
     USUAL,
     TRUE_COUNTS,
     .requirement = "OJ-OUT-01"},
    {"a picture that is no JPEG",
     {AUDIO, {OJIN_PAYLOAD_IMAGE, FEW, true}},
     USUAL,
     TRUE_COUNTS,
     .requirement = "OJ-OUT-15"},
    {"a byte behind the last entry",
     {AUDIO, IMAGE},
     USUAL,
     TRUE_COUNTS,
     .trailing = "\x02",
     .requirement = "OJ-FLD-01"},
    {"bytes behind the last entry that look like one",
     {AUDIO},
     USUAL,
     TRUE_COUNTS,
     .trailing = "\x01\x01\x01\x01\x01\x01",
     .requirement = "OJ-OUT-11"},
    {"more entries than are counted",
     {AUDIO, IMAGE},
     USUAL,
     .count = 1,
     .first_size = TRUE_ONE,
     .requirement = "OJ-OUT-11"},
    /* refused */
    {"cut to one byte", {AUDIO, IMAGE}, USUAL, TRUE_COUNTS, .kept = 1},
    {"cut inside the interaction id", {AUDIO, IMAGE}, USUAL, TRUE_COUNTS, .kept = 16},
    {"cut inside the timestamp", {AUDIO, IMAGE}, USUAL, TRUE_COUNTS, .kept = 24},
    {"header without its last byte", {AUDIO, IMAGE}, USUAL, TRUE_COUNTS, .kept = AT_FIRST - 1},
    {"cut behind the header", {AUDIO, IMAGE}, USUAL, TRUE_COUNTS, .kept = AT_FIRST},
    {"cut inside an entry's size", {AUDIO, IMAGE}, USUAL, TRUE_COUNTS, .kept = AT_FIRST + 3},
    {"cut before an entry's type", {AUDIO, IMAGE}, USUAL, TRUE_COUNTS, .kept = AT_FIRST + 4},
    {"cut behind an entry's header", {AUDIO, IMAGE}, USUAL, TRUE_COUNTS, .kept = AT_FIRST + 5},
    {"cut inside the sound", {AUDIO, IMAGE}, USUAL, TRUE_COUNTS, .kept = AT_FIRST + 5 + 640},
    {"cut between two entries",
     {AUDIO, IMAGE},
     USUAL,
     TRUE_COUNTS,
     .kept = AT_FIRST + 5 + OJIN_FRAME_AUDIO_BYTES},
    {"cut inside the second entry's header",
     {AUDIO, IMAGE},
     USUAL,
     TRUE_COUNTS,
     .kept = AT_FIRST + 5 + OJIN_FRAME_AUDIO_BYTES + 2},
    {"cut inside the picture",
     {AUDIO, IMAGE},
     USUAL,
     TRUE_COUNTS,
     .kept = AT_FIRST + 10 + OJIN_FRAME_AUDIO_BYTES + 20},
    {"one entry fewer than counted", {AUDIO}, USUAL, .count = 2, .first_size = TRUE_ONE},
    {"counted 4294967295, and none there",
     {{0}},
     USUAL,
     .count = UINT32_MAX,
     .first_size = TRUE_ONE,
     .requirement = "OJ-OUT-10"},
    {"counted 4294967295, and two there",
     {AUDIO, IMAGE},
     USUAL,
     .count = UINT32_MAX,
     .first_size = TRUE_ONE,
     .requirement = "OJ-OUT-10"},
    {"counted 2147483648, and one there",
     {AUDIO},
     USUAL,
     .count = INT64_C(0x80000000),
     .first_size = TRUE_ONE,
     .requirement = "OJ-OUT-10"},
    {"a size one past the end", {IMAGE}, USUAL, .count = TRUE_ONE, .first_size = ONE_PAST_END},
    {"a size of 4294967295", {AUDIO, IMAGE}, USUAL, .count = TRUE_ONE, .first_size = UINT32_MAX},
    {"a size of 2147483648", {AUDIO, IMAGE}, USUAL, .count = TRUE_ONE, .first_size = INT64_C(0x80000000)},
    {"a size that wraps round to the header",
     {AUDIO, IMAGE},
     USUAL,
     .count = TRUE_ONE,
     .first_size = INT64_C(0xffffffd6)},
    {"a size of 4294967295 of a type that is not known",
     {{7, FEW, true}},
     USUAL,
     .count = TRUE_ONE,
     .first_size = UINT32_MAX},
    {"a size that is little-endian",
     {AUDIO, IMAGE},
     USUAL,
     .count = TRUE_ONE,
     .first_size = INT64_C(0x00050000)},
    {"a size of 0, so that the sound is read as entries", {AUDIO}, USUAL, .count = 300, .first_size = 0},
};

static struct bytes data_of(enum data data)
{
    static const uint8_t SOME[] = {1, 2, 3, 4, 5, 6};
    static uint8_t sound[OJIN_FRAME_AUDIO_BYTES];
    vector_fill_pcm16(sound, OJIN_FRAME_SAMPLES);
    switch (data) {
    case NOTHING:
        break;
    case SOUND:
        return bytes_of(sound, sizeof sound);
    case ODD_SOUND:
        return bytes_of(sound, sizeof sound - 1);
    case PICTURE:
        return VECTOR_JPEG;
    case FEW:
        return bytes_of(SOME, sizeof SOME);
    }
    return bytes_of(NULL, 0);
}

static void put_u32(uint8_t *at, int64_t value)
{
    struct writer writer = writer_of(at, 4);
    writer_u32(&writer, (uint32_t)value);
}

static size_t build(const struct frame_row *row, uint8_t *out, size_t room)
{
    struct writer writer = writer_of(out, room);
    struct ojin_frame frame = {.is_final = row->is_final,
                               .timestamp_ms = row->timestamp_ms,
                               .usage = row->usage,
                               .index = row->index};
    if (row->uuid != 0)
        for (size_t i = 0; i < UUID_BYTES; i++)
            frame.interaction[i] = (uint8_t)(row->uuid + 17 * i);
    for (size_t i = 0; i < ENTRIES_MAX; i++)
        frame.payload_count += row->entries[i].counted;
    ojin_frame_write_header(&writer, &frame);
    for (size_t i = 0; i < ENTRIES_MAX; i++)
        if (row->entries[i].counted)
            ojin_frame_write_entry(&writer, row->entries[i].type, data_of(row->entries[i].data));
    if (row->trailing != NULL)
        writer_bytes(&writer, bytes_of_text(row->trailing));
    if (row->count != TRUE_ONE)
        put_u32(out + AT_COUNT, row->count);
    if (row->first_size == ONE_PAST_END)
        put_u32(out + AT_FIRST, (int64_t)(writer.len - AT_FIRST - OJIN_ENTRY_HEADER_BYTES + 1));
    else if (row->first_size != TRUE_ONE)
        put_u32(out + AT_FIRST, row->first_size);
    return row->kept > 0 ? row->kept : writer.len;
}

static void add_many(struct vector_maker *maker, uint8_t *out, size_t room)
{
    struct writer writer = writer_of(out, room);
    const struct ojin_frame frame = {.timestamp_ms = TIME_MS, .payload_count = MANY_ENTRIES + 1};
    ojin_frame_write_header(&writer, &frame);
    for (size_t i = 0; i < MANY_ENTRIES; i++)
        ojin_frame_write_entry(&writer, MANY_OF_TYPE, bytes_of(NULL, 0));
    ojin_frame_write_entry(&writer, OJIN_PAYLOAD_AUDIO, data_of(FEW));
    vectors_add(maker, "frame, a thousand entries of no bytes before the sound", "frame", NULL, false,
                bytes_of(out, writer.len), "OJ-OUT-04");
}

void ojin_vectors_add_frames(struct vector_maker *maker)
{
    uint8_t *out = malloc(FRAME_ROOM);
    vectors_add(maker, "frame, no bytes", "frame", NULL, false, bytes_of(NULL, 0), NULL);
    for (size_t i = 0; out != NULL && i < COUNT_OF(FRAMES); i++) {
        char name[VECTOR_NAME_MAX];
        struct text text = text_of(name, sizeof name);
        text_add(&text, "frame, ");
        text_add(&text, FRAMES[i].name);
        const size_t len = build(&FRAMES[i], out, FRAME_ROOM);
        vectors_add(maker, name, "frame", NULL, false, bytes_of(out, len), FRAMES[i].requirement);
    }
    if (out != NULL)
        add_many(maker, out, FRAME_ROOM);
    free(out);
}

void ojin_vectors_judge_frame(struct vector *vector)
{
    struct ojin_frame frame;
    const struct wire_error error = ojin_frame_decode(vector->message, &frame);
    char uuid[UUID_TEXT_BYTES + 1];
    struct text text = text_of(uuid, sizeof uuid);
    if (error.status != WIRE_OK) {
        ojin_vectors_set_error(vector, error);
        if (vector->requirement == NULL)
            vector->requirement = error.status == WIRE_SIZE_PAST_END ? "OJ-OUT-09" : "OJ-OUT-08";
        return;
    }
    text_add_uuid(&text, frame.interaction);
    if (vector->requirement == NULL)
        vector->requirement = "OJ-OUT-01";
    vector_put_number(vector, "is_final", frame.is_final);
    vector_put_text(vector, "interaction", bytes_of_text(uuid));
    vector_put_u64(vector, "timestamp_ms", frame.timestamp_ms);
    vector_put_number(vector, "usage", frame.usage);
    vector_put_number(vector, "index", frame.index);
    vector_put_number(vector, "payload_count", frame.payload_count);
    if (frame.has_audio)
        vector_put_span(vector, "audio", frame.audio, OJIN_SAMPLE_BYTES);
    else
        vector_put_null(vector, "audio");
    if (frame.has_image)
        vector_put_span(vector, "image", frame.image, 0);
    else
        vector_put_null(vector, "image");
    vector_put_span(vector, "trailing", frame.trailing, 0);
}
