#include "client/media/avi.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/media/avi_header.h"
#include "codec/media/jpeg.h"
#include "codec/media/sound.h"
#include "codec/wire/buffer.h"

enum { INDEX_ENTRY_BYTES = 16, INDEX_KEY_FRAME = 0x10, SAMPLES_AT_A_TIME = 1024 };

struct avi_writer {
    FILE *file;
    char *path; /* for what goes wrong later */
    uint32_t bytes_max;
    bool broken; /* a write failed; what was whole before it can still be closed */
    struct avi_facts facts;
    struct buffer index; /* entries so far */
};

static bool fail(char error[AVI_ERROR_MAX], const char *path, const char *why)
{
    snprintf(error, AVI_ERROR_MAX, "cannot write video file '%.240s': %s", path, why);
    return false;
}

static bool put(struct avi_writer *writer, const void *data, size_t len)
{
    return fwrite(data, 1, len, writer->file) == len;
}

static bool header_put(struct avi_writer *writer)
{
    uint8_t header[AVI_HEADER_BYTES];
    avi_header_write(&writer->facts, header);
    return put(writer, header, sizeof header);
}

static void writer_free(struct avi_writer *writer)
{
    if (writer->file != NULL) {
        fclose(writer->file);
    }
    buffer_free(&writer->index);
    free(writer->path);
    free(writer);
}

struct avi_writer *avi_writer_open(const char *path, unsigned frames_per_second, unsigned sample_rate,
                                   char error[AVI_ERROR_MAX])
{
    struct avi_writer *writer = calloc(1, sizeof *writer);
    char *path_copy = strdup(path);
    assert(frames_per_second > 0);
    if (writer == NULL || path_copy == NULL) {
        fail(error, path, strerror(ENOMEM));
        free(path_copy);
        free(writer);
        return NULL;
    }
    writer->path = path_copy;
    writer->bytes_max = AVI_BYTES_MAX;
    writer->facts = (struct avi_facts){.frames_per_second = frames_per_second, .sample_rate = sample_rate};
    buffer_init(&writer->index, AVI_BYTES_MAX);
    writer->file = fopen(path, "wb");
    if (writer->file == NULL || !header_put(writer)) {
        fail(error, path, strerror(errno));
        writer_free(writer);
        return NULL;
    }
    return writer;
}

void avi_writer_limit(struct avi_writer *writer, uint32_t bytes_max)
{
    assert(bytes_max <= AVI_BYTES_MAX);
    writer->bytes_max = bytes_max;
}

/* A chunk with its header and its padding to an even length. */
static uint64_t chunk_bytes(uint64_t len)
{
    return AVI_CHUNK_BYTES + len + len % 2;
}

static bool frame_fits(const struct avi_writer *writer, struct bytes jpeg, size_t sample_count)
{
    const uint64_t file_bytes =
        (uint64_t)AVI_HEADER_BYTES + writer->facts.movi_bytes + AVI_CHUNK_BYTES + writer->index.len;
    if (jpeg.len > AVI_BYTES_MAX || sample_count > AVI_BYTES_MAX) {
        return false;
    }
    const uint64_t more = chunk_bytes(jpeg.len) + chunk_bytes(sample_count * 2) + 2 * INDEX_ENTRY_BYTES;
    return more <= writer->bytes_max && file_bytes <= writer->bytes_max - more;
}

/* Notes the chunk that is about to be written, then writes its header. */
static bool chunk_begin(struct avi_writer *writer, const char letters[5], size_t len)
{
    uint8_t entry[INDEX_ENTRY_BYTES];
    uint8_t header[AVI_CHUNK_BYTES];
    const uint32_t size = (uint32_t)len;
    memcpy(entry, letters, 4);
    avi_u32_write(INDEX_KEY_FRAME, entry + 4);
    avi_u32_write(4 + writer->facts.movi_bytes, entry + 8);
    avi_u32_write(size, entry + 12);
    avi_chunk_write(letters, size, header);
    return buffer_append(&writer->index, bytes_of(entry, sizeof entry)) && put(writer, header, sizeof header);
}

static bool chunk_end(struct avi_writer *writer, size_t len)
{
    writer->facts.movi_bytes += (uint32_t)chunk_bytes(len);
    return len % 2 == 0 || put(writer, "", 1);
}

static bool picture_put(struct avi_writer *writer, struct bytes jpeg)
{
    struct avi_facts *facts = &writer->facts;
    if (facts->width == 0 && !jpeg_probe(jpeg, &facts->width, &facts->height)) {
        facts->width = 0; /* a damaged one: the next tells */
    }
    if (jpeg.len > facts->picture_bytes_max) {
        facts->picture_bytes_max = (uint32_t)jpeg.len;
    }
    return chunk_begin(writer, "00dc", jpeg.len) && (jpeg.len == 0 || put(writer, jpeg.data, jpeg.len)) &&
           chunk_end(writer, jpeg.len);
}

static bool sound_put(struct avi_writer *writer, const int16_t *samples, size_t sample_count)
{
    const size_t len = sample_count * 2;
    bool ok = chunk_begin(writer, "01wb", len);
    for (size_t at = 0; ok && at < sample_count;) {
        uint8_t bytes[SAMPLES_AT_A_TIME * 2];
        const size_t count = sample_count - at < SAMPLES_AT_A_TIME ? sample_count - at : SAMPLES_AT_A_TIME;
        pcm_write_le(samples + at, bytes, count);
        ok = put(writer, bytes, count * 2);
        at += count;
    }
    writer->facts.sample_count += (uint32_t)sample_count;
    if (len > writer->facts.sound_bytes_max) {
        writer->facts.sound_bytes_max = (uint32_t)len;
    }
    return ok && chunk_end(writer, len);
}

bool avi_writer_frame(struct avi_writer *writer, struct bytes jpeg, const int16_t *samples,
                      size_t sample_count, char error[AVI_ERROR_MAX])
{
    if (writer->broken) {
        return fail(error, writer->path, "an earlier write failed");
    }
    if (!frame_fits(writer, jpeg, sample_count)) {
        return fail(error, writer->path,
                    writer->bytes_max == AVI_BYTES_MAX ? "an AVI file holds at most 2 GiB"
                                                       : "it has reached its limit of bytes");
    }
    const struct avi_facts facts_before = writer->facts;
    const size_t index_before = writer->index.len;
    if (!picture_put(writer, jpeg) || (sample_count > 0 && !sound_put(writer, samples, sample_count))) {
        writer->broken = true;
        writer->facts = facts_before; /* so that the file ends after its last whole frame */
        writer->index.len = index_before;
        return fail(error, writer->path, strerror(errno));
    }
    writer->facts.frame_count++;
    return true;
}

static bool writer_finish(struct avi_writer *writer)
{
    uint8_t header[AVI_CHUNK_BYTES];
    writer->facts.index_bytes = (uint32_t)writer->index.len;
    avi_chunk_write("idx1", writer->facts.index_bytes, header);
    /* Not where the file stands: a write may have failed half-way. */
    return fseeko(writer->file, (off_t)(AVI_HEADER_BYTES + (uint64_t)writer->facts.movi_bytes), SEEK_SET) ==
               0 &&
           put(writer, header, sizeof header) &&
           (writer->index.len == 0 || put(writer, writer->index.data, writer->index.len)) &&
           fseeko(writer->file, 0, SEEK_SET) == 0 && header_put(writer) && fflush(writer->file) == 0;
}

bool avi_writer_close(struct avi_writer *writer, char error[AVI_ERROR_MAX])
{
    const bool finished = writer_finish(writer);
    const int finish_reason = errno;
    FILE *file = writer->file;
    writer->file = NULL;
    const bool closed = fclose(file) == 0;
    if (!finished || !closed) {
        fail(error, writer->path, strerror(finished ? errno : finish_reason));
    }
    writer_free(writer);
    return finished && closed;
}
