#include "client/media/speaker_file.h"

#include <stdlib.h>

#include <sndfile.h>

#include "codec/wire/text.h"

enum { SILENCE_BYTES = 16384, PATH_SHOWN_MAX = 240 };

struct speaker_file {
    SNDFILE *out;
    unsigned rate_hz;
    size_t sample_bytes;
    uint64_t samples;
    char path[PATH_SHOWN_MAX + 1];
};

static bool fail(const char *path, const char *why, char error[SPEAKER_FILE_ERROR_MAX])
{
    struct text text = text_of(error, SPEAKER_FILE_ERROR_MAX);
    text_add(&text, "cannot write '");
    text_add(&text, path);
    text_add(&text, "': ");
    text_add(&text, why);
    return false;
}

struct speaker_file *speaker_file_open(const char *path, unsigned rate_hz, enum speaker_sample sample,
                                       char error[SPEAKER_FILE_ERROR_MAX])
{
    const int coding = sample == SPEAKER_FLOAT32 ? SF_FORMAT_FLOAT : SF_FORMAT_PCM_16;
    SF_INFO info = {.samplerate = (int)rate_hz, .channels = 1, .format = SF_FORMAT_WAV | coding};
    struct speaker_file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        fail(path, "no memory", error);
        return NULL;
    }
    struct text shown = text_of(file->path, sizeof file->path);
    text_add(&shown, path);
    file->rate_hz = rate_hz;
    file->sample_bytes = sample;
    file->out = sf_open(path, SFM_WRITE, &info);
    if (file->out == NULL) {
        fail(path, sf_strerror(NULL), error);
        free(file);
        return NULL;
    }
    sf_command(file->out, SFC_SET_UPDATE_HEADER_AUTO, NULL, SF_TRUE);
    return file;
}

static bool put(struct speaker_file *file, struct bytes pcm, char error[SPEAKER_FILE_ERROR_MAX])
{
    if (sf_write_raw(file->out, pcm.data, (sf_count_t)pcm.len) != (sf_count_t)pcm.len)
        return fail(file->path, sf_strerror(file->out), error);
    file->samples += pcm.len / file->sample_bytes;
    return true;
}

bool speaker_file_write(struct speaker_file *file, uint64_t at, struct bytes pcm,
                        char error[SPEAKER_FILE_ERROR_MAX])
{
    static const uint8_t SILENCE[SILENCE_BYTES] = {0};
    if (at < file->samples)
        return fail(file->path, "the sound overlaps what is there", error);
    if (at / file->rate_hz >= SPEAKER_FILE_SECONDS_MAX)
        return fail(file->path, "it would be longer than six hours", error);
    while (file->samples < at) {
        const uint64_t left = (at - file->samples) * file->sample_bytes;
        if (!put(file, bytes_of(SILENCE, left < SILENCE_BYTES ? (size_t)left : SILENCE_BYTES), error))
            return false;
    }
    return put(file, bytes_of(pcm.data, pcm.len - pcm.len % file->sample_bytes), error);
}

uint64_t speaker_file_samples(const struct speaker_file *file)
{
    return file->samples;
}

bool speaker_file_close(struct speaker_file *file, char error[SPEAKER_FILE_ERROR_MAX])
{
    if (file == NULL)
        return true;
    const bool good = sf_close(file->out) == 0 || fail(file->path, "it could not be finished", error);
    free(file);
    return good;
}
