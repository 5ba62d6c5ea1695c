#include "client/media/conversation_file.h"

#include <stdlib.h>

#include <sndfile.h>

#include "codec/wire/text.h"

enum { SIDES = 2, SAMPLE_BYTES = 2, PATH_SHOWN_MAX = 240 };

/* Frames from `written` to `written + pending_max` are pending; the place of a frame there is its number
 * modulo that. */
struct conversation_file {
    SNDFILE *out;
    unsigned rate_hz;
    uint64_t written; /* frames */
    uint64_t ends[SIDES];
    size_t pending_max;
    int16_t *pending;
    char path[PATH_SHOWN_MAX + 1];
};

static bool fail(const char *path, const char *why, char error[CONVERSATION_FILE_ERROR_MAX])
{
    struct text text = text_of(error, CONVERSATION_FILE_ERROR_MAX);
    text_add(&text, "cannot write '");
    text_add(&text, path);
    text_add(&text, "': ");
    text_add(&text, why);
    return false;
}

struct conversation_file *conversation_file_open(const char *path, unsigned rate_hz,
                                                 char error[CONVERSATION_FILE_ERROR_MAX])
{
    SF_INFO info = {
        .samplerate = (int)rate_hz, .channels = SIDES, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
    struct conversation_file *file = calloc(1, sizeof *file);
    const size_t pending_max =
        (size_t)rate_hz * (CONVERSATION_FILE_BEHIND_SECONDS + CONVERSATION_FILE_PIECE_SECONDS_MAX);
    int16_t *pending = calloc(pending_max * SIDES, sizeof *pending);
    if (file == NULL || pending == NULL) {
        free(file);
        free(pending);
        fail(path, "no memory", error);
        return NULL;
    }
    *file = (struct conversation_file){.rate_hz = rate_hz, .pending_max = pending_max, .pending = pending};
    struct text shown = text_of(file->path, sizeof file->path);
    text_add(&shown, path);
    file->out = sf_open(path, SFM_WRITE, &info);
    if (file->out == NULL) {
        fail(path, sf_strerror(NULL), error);
        free(pending);
        free(file);
        return NULL;
    }
    sf_command(file->out, SFC_SET_UPDATE_HEADER_AUTO, NULL, SF_TRUE);
    return file;
}

/* All frames before `to`. */
static bool flush(struct conversation_file *file, uint64_t to, char error[CONVERSATION_FILE_ERROR_MAX])
{
    while (file->written < to) {
        const size_t at = (size_t)(file->written % file->pending_max);
        const uint64_t left = to - file->written;
        const size_t room = file->pending_max - at;
        const size_t count = left < room ? (size_t)left : room;
        int16_t *frames = file->pending + at * SIDES;
        if (sf_writef_short(file->out, frames, (sf_count_t)count) != (sf_count_t)count)
            return fail(file->path, sf_strerror(file->out), error);
        memset(frames, 0, count * SIDES * sizeof *frames);
        file->written += count;
    }
    return true;
}

bool conversation_file_write(struct conversation_file *file, enum conversation_side side, uint64_t at,
                             struct bytes pcm, char error[CONVERSATION_FILE_ERROR_MAX])
{
    const size_t count = pcm.len / SAMPLE_BYTES;
    const uint64_t end = at + count;
    const uint64_t behind = (uint64_t)file->rate_hz * CONVERSATION_FILE_BEHIND_SECONDS;
    if (count > (size_t)file->rate_hz * CONVERSATION_FILE_PIECE_SECONDS_MAX)
        return fail(file->path, "a piece of sound is too long", error);
    if (at / file->rate_hz >= CONVERSATION_FILE_SECONDS_MAX)
        return fail(file->path, "it would be longer than six hours", error);
    if (at < file->ends[side] || at < file->written)
        return fail(file->path, "the sound overlaps what is there", error);
    if (end > file->written + file->pending_max && !flush(file, end - file->pending_max, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        const uint16_t sample =
            (uint16_t)(pcm.data[i * SAMPLE_BYTES] | (unsigned)pcm.data[i * SAMPLE_BYTES + 1] << 8);
        file->pending[(size_t)((at + i) % file->pending_max) * SIDES + (size_t)side] = (int16_t)sample;
    }
    file->ends[side] = end;
    return end < file->written + behind || flush(file, end - behind, error);
}

bool conversation_file_close(struct conversation_file *file, char error[CONVERSATION_FILE_ERROR_MAX])
{
    if (file == NULL)
        return true;
    const uint64_t end = file->ends[CONVERSATION_SAID] > file->ends[CONVERSATION_HEARD]
                             ? file->ends[CONVERSATION_SAID]
                             : file->ends[CONVERSATION_HEARD];
    bool good = flush(file, end, error);
    if (sf_close(file->out) != 0)
        good = good && fail(file->path, "it could not be finished", error);
    free(file->pending);
    free(file);
    return good;
}
