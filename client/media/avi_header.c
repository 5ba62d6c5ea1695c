#include "client/media/avi_header.h"

#include <assert.h>
#include <string.h>

enum {
    MAIN_BYTES = 56,
    STREAM_BYTES = 56,
    PICTURE_FORMAT_BYTES = 40,
    SOUND_FORMAT_BYTES = 16,
    LIST_BYTES = 12, /* LIST, size, four letters */
    PICTURE_LIST_BYTES = 4 + AVI_CHUNK_BYTES + STREAM_BYTES + AVI_CHUNK_BYTES + PICTURE_FORMAT_BYTES,
    SOUND_LIST_BYTES = 4 + AVI_CHUNK_BYTES + STREAM_BYTES + AVI_CHUNK_BYTES + SOUND_FORMAT_BYTES,
    HEADER_LIST_BYTES = 4 + AVI_CHUNK_BYTES + MAIN_BYTES + AVI_CHUNK_BYTES + PICTURE_LIST_BYTES +
                        AVI_CHUNK_BYTES + SOUND_LIST_BYTES,
    HAS_INDEX = 0x10,
    IS_INTERLEAVED = 0x100,
    SAMPLE_BYTES = 2,
    FORMAT_PCM = 1
};

static_assert(AVI_HEADER_BYTES == LIST_BYTES + AVI_CHUNK_BYTES + HEADER_LIST_BYTES + LIST_BYTES,
              "the header's parts make up its length");

/* Where the next field goes. */
struct cursor {
    uint8_t *at;
};

static void put_u16(struct cursor *cursor, unsigned value)
{
    *cursor->at++ = (uint8_t)value;
    *cursor->at++ = (uint8_t)(value >> 8);
}

void avi_u32_write(uint32_t value, uint8_t out[4])
{
    for (int i = 0; i < 4; i++) {
        out[i] = (uint8_t)(value >> (8 * i));
    }
}

static void put_u32(struct cursor *cursor, uint32_t value)
{
    avi_u32_write(value, cursor->at);
    cursor->at += 4;
}

static void put_letters(struct cursor *cursor, const char letters[5])
{
    memcpy(cursor->at, letters, 4);
    cursor->at += 4;
}

static void put_chunk(struct cursor *cursor, const char letters[5], uint32_t size)
{
    put_letters(cursor, letters);
    put_u32(cursor, size);
}

static void put_list(struct cursor *cursor, const char list[5], uint32_t size, const char kind[5])
{
    put_chunk(cursor, list, size);
    put_letters(cursor, kind);
}

void avi_chunk_write(const char letters[5], uint32_t size, uint8_t out[AVI_CHUNK_BYTES])
{
    struct cursor cursor = {out};
    put_chunk(&cursor, letters, size);
}

static void put_main(struct cursor *cursor, const struct avi_facts *facts)
{
    const uint64_t most = (uint64_t)facts->picture_bytes_max * facts->frames_per_second +
                          (uint64_t)facts->sample_rate * SAMPLE_BYTES;
    put_chunk(cursor, "avih", MAIN_BYTES);
    put_u32(cursor, 1000000 / facts->frames_per_second);              /* microseconds a frame */
    put_u32(cursor, most > UINT32_MAX ? UINT32_MAX : (uint32_t)most); /* bytes a second at most */
    put_u32(cursor, 0);                                               /* padding */
    put_u32(cursor, HAS_INDEX | IS_INTERLEAVED);
    put_u32(cursor, facts->frame_count);
    put_u32(cursor, 0); /* frames before the first */
    put_u32(cursor, 2); /* streams */
    put_u32(cursor, facts->picture_bytes_max);
    put_u32(cursor, facts->width);
    put_u32(cursor, facts->height);
    for (int i = 0; i < 4; i++) {
        put_u32(cursor, 0);
    }
}

/* What differs between the two streams; `rate` over `scale` is units a second. */
struct stream {
    const char *kind;
    const char *handler;
    uint32_t scale;
    uint32_t rate;
    uint32_t length; /* units */
    uint32_t bytes_max;
    uint32_t unit_bytes; /* 0 when units differ in size */
    unsigned width;
    unsigned height;
};

static void put_stream(struct cursor *cursor, const struct stream *stream)
{
    put_chunk(cursor, "strh", STREAM_BYTES);
    put_letters(cursor, stream->kind);
    put_letters(cursor, stream->handler);
    put_u32(cursor, 0); /* flags */
    put_u32(cursor, 0); /* priority, language */
    put_u32(cursor, 0); /* frames before the first */
    put_u32(cursor, stream->scale);
    put_u32(cursor, stream->rate);
    put_u32(cursor, 0); /* start */
    put_u32(cursor, stream->length);
    put_u32(cursor, stream->bytes_max);
    put_u32(cursor, UINT32_MAX); /* quality: as it comes */
    put_u32(cursor, stream->unit_bytes);
    put_u16(cursor, 0); /* left, top, right, bottom */
    put_u16(cursor, 0);
    put_u16(cursor, stream->width);
    put_u16(cursor, stream->height);
}

static void put_picture_stream(struct cursor *cursor, const struct avi_facts *facts)
{
    const struct stream stream = {
        .kind = "vids",
        .handler = "MJPG",
        .scale = 1,
        .rate = facts->frames_per_second,
        .length = facts->frame_count,
        .bytes_max = facts->picture_bytes_max,
        .width = facts->width,
        .height = facts->height,
    };
    put_list(cursor, "LIST", PICTURE_LIST_BYTES, "strl");
    put_stream(cursor, &stream);
    put_chunk(cursor, "strf", PICTURE_FORMAT_BYTES);
    put_u32(cursor, PICTURE_FORMAT_BYTES);
    put_u32(cursor, facts->width);
    put_u32(cursor, facts->height);
    put_u16(cursor, 1);  /* planes */
    put_u16(cursor, 24); /* bits a pixel */
    put_letters(cursor, "MJPG");
    put_u32(cursor, facts->width * facts->height * 3);
    for (int i = 0; i < 4; i++) {
        put_u32(cursor, 0); /* pixels a metre, palette */
    }
}

static void put_sound_stream(struct cursor *cursor, const struct avi_facts *facts)
{
    const struct stream stream = {
        .kind = "auds",
        .handler = "\0\0\0",
        .scale = SAMPLE_BYTES,
        .rate = facts->sample_rate * SAMPLE_BYTES,
        .length = facts->sample_count,
        .bytes_max = facts->sound_bytes_max,
        .unit_bytes = SAMPLE_BYTES,
    };
    put_list(cursor, "LIST", SOUND_LIST_BYTES, "strl");
    put_stream(cursor, &stream);
    put_chunk(cursor, "strf", SOUND_FORMAT_BYTES);
    put_u16(cursor, FORMAT_PCM);
    put_u16(cursor, 1); /* channels */
    put_u32(cursor, facts->sample_rate);
    put_u32(cursor, facts->sample_rate * SAMPLE_BYTES);
    put_u16(cursor, SAMPLE_BYTES);
    put_u16(cursor, SAMPLE_BYTES * 8);
}

void avi_header_write(const struct avi_facts *facts, uint8_t out[AVI_HEADER_BYTES])
{
    struct cursor cursor = {out};
    const uint32_t file_bytes = AVI_HEADER_BYTES + facts->movi_bytes + AVI_CHUNK_BYTES + facts->index_bytes;
    put_list(&cursor, "RIFF", file_bytes - AVI_CHUNK_BYTES, "AVI ");
    put_list(&cursor, "LIST", HEADER_LIST_BYTES, "hdrl");
    put_main(&cursor, facts);
    put_picture_stream(&cursor, facts);
    put_sound_stream(&cursor, facts);
    put_list(&cursor, "LIST", 4 + facts->movi_bytes, "movi");
    assert(cursor.at == out + AVI_HEADER_BYTES);
}
