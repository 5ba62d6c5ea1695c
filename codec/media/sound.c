#include "codec/media/sound.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <samplerate.h>
#include <sndfile.h>

#include "codec/wire/text.h"

enum {
    BLOCK_FRAMES = 4096, /* read at a time, so that a long file costs no more than its result */
    SAMPLES_FIRST_ROOM = 65536,
    PATH_SHOWN_MAX = 240 /* leaves room for the reason */
};

/* "before 'path' after reason" */
static bool fail(char error[SOUND_ERROR_MAX], const char *before, const char *path, const char *after,
                 const char *reason)
{
    struct text text = text_of(error, SOUND_ERROR_MAX);
    const size_t len = strlen(path);
    text_add(&text, before);
    text_add(&text, "'");
    if (len > PATH_SHOWN_MAX) {
        text_add(&text, "...");
    }
    text_add(&text, len > PATH_SHOWN_MAX ? path + (len - PATH_SHOWN_MAX) : path);
    text_add(&text, "'");
    text_add(&text, after);
    text_add(&text, reason);
    return false;
}

/* The samples as they come in. */
struct samples {
    int16_t *data;
    size_t count;
    size_t room;
    size_t count_max;
};

/* Makes room for `count` more; false past count_max or out of memory. */
static bool samples_grow(struct samples *samples, size_t count)
{
    if (count > samples->count_max - samples->count) {
        return false;
    }
    if (count <= samples->room - samples->count) {
        return true;
    }
    size_t room = samples->room == 0 ? SAMPLES_FIRST_ROOM : samples->room * 2;
    while (room - samples->count < count) {
        room *= 2;
    }
    int16_t *data = realloc(samples->data, room * sizeof *data);
    if (data == NULL) {
        return false;
    }
    samples->data = data;
    samples->room = room;
    return true;
}

static int16_t sample_of(float value)
{
    const float scaled = value * 32768.0f;
    if (scaled >= 32767.0f) {
        return 32767;
    }
    return scaled <= -32768.0f ? -32768 : (int16_t)lrintf(scaled);
}

static bool samples_add(struct samples *samples, const float *values, size_t count)
{
    if (!samples_grow(samples, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        samples->data[samples->count + i] = sample_of(values[i]);
    }
    samples->count += count;
    return true;
}

/* The mean of the channels; what is no number in a float file counts as silence. */
static void mix(const float *frames, size_t frame_count, unsigned channels, float *mono)
{
    for (size_t i = 0; i < frame_count; i++) {
        float sum = 0;
        for (unsigned c = 0; c < channels; c++) {
            sum += frames[i * channels + c];
        }
        mono[i] = isfinite(sum) ? sum / (float)channels : 0.0f;
    }
}

/* What one file's reading needs; everything in it is released by job_end. */
struct job {
    int descriptor;
    SNDFILE *file;
    SF_INFO info;
    SRC_STATE *resampler; /* NULL when the rate is right already */
    double ratio;
    float *frames;
    float *mono;
    float *converted; /* BLOCK_FRAMES */
    struct samples samples;
};

static void job_end(struct job *job)
{
    if (job->resampler != NULL) {
        src_delete(job->resampler);
    }
    if (job->file != NULL) {
        sf_close(job->file);
    }
    if (job->descriptor >= 0) {
        close(job->descriptor);
    }
    free(job->frames);
    free(job->mono);
    free(job->converted);
    free(job->samples.data);
}

/* `flags`: those of open() beside reading. */
static bool job_open(struct job *job, const char *path, int flags, char error[SOUND_ERROR_MAX])
{
    struct stat status;
    job->descriptor = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (job->descriptor < 0) {
        return fail(error, "cannot open sound file ", path, ": ", strerror(errno));
    }
    if (fstat(job->descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        return fail(error, "cannot open sound file ", path, ": ", strerror(EISDIR));
    }
    job->file = sf_open_fd(job->descriptor, SFM_READ, &job->info, SF_FALSE);
    if (job->file == NULL) {
        return fail(error, "", path, " is not a sound file: ", sf_strerror(NULL));
    }
    if (job->info.samplerate <= 0 || job->info.channels <= 0) {
        return fail(error, "", path, " is not a sound file: ", "it has no sample rate or no channels");
    }
    return true;
}

/* Hands a block of mono sound to the resampler, or straight on when there is none. */
static bool job_convert(struct job *job, size_t frame_count, bool last)
{
    if (job->resampler == NULL) {
        /* job_end releases job->mono; clang-analyzer 14 loses sight of it here. */
        return samples_add(&job->samples, job->mono, frame_count); // NOLINT(clang-analyzer-unix.Malloc)
    }
    SRC_DATA data = {
        .data_in = job->mono,
        .data_out = job->converted,
        .input_frames = (long)frame_count,
        .output_frames = BLOCK_FRAMES,
        .end_of_input = last,
        .src_ratio = job->ratio,
    };
    for (;;) {
        if (src_process(job->resampler, &data) != 0 ||
            !samples_add(&job->samples, job->converted, (size_t)data.output_frames_gen)) {
            return false;
        }
        data.data_in += data.input_frames_used;
        data.input_frames -= data.input_frames_used;
        if (data.output_frames_gen == 0 && data.input_frames == 0) {
            return true;
        }
    }
}

static bool job_run_converting(struct job *job, unsigned rate_hz)
{
    const size_t channels = (size_t)job->info.channels;
    int code = 0;
    job->frames = calloc(BLOCK_FRAMES * channels, sizeof *job->frames);
    job->mono = calloc(BLOCK_FRAMES, sizeof *job->mono);
    job->converted = calloc(BLOCK_FRAMES, sizeof *job->converted);
    if (job->info.samplerate != (int)rate_hz) {
        job->resampler = src_new(SRC_SINC_MEDIUM_QUALITY, 1, &code);
        job->ratio = (double)rate_hz / job->info.samplerate;
    }
    if (job->frames == NULL || job->mono == NULL || job->converted == NULL || code != 0) {
        return false;
    }
    sf_count_t got = 0;
    do {
        got = sf_readf_float(job->file, job->frames, BLOCK_FRAMES);
        mix(job->frames, (size_t)got, (unsigned)channels, job->mono);
        if (!job_convert(job, (size_t)got, got == 0)) {
            return false;
        }
    } while (got > 0);
    return true;
}

static bool job_run_exact(struct job *job)
{
    for (;;) {
        if (!samples_grow(&job->samples, BLOCK_FRAMES)) {
            return false;
        }
        const sf_count_t got =
            sf_readf_short(job->file, job->samples.data + job->samples.count, BLOCK_FRAMES);
        if (got <= 0) {
            return true;
        }
        job->samples.count += (size_t)got;
    }
}

static bool is_exact(const struct job *job, unsigned rate_hz)
{
    return (job->info.format & SF_FORMAT_SUBMASK) == SF_FORMAT_PCM_16 && job->info.channels == 1 &&
           job->info.samplerate == (int)rate_hz;
}

static bool job_run(struct job *job, const char *path, unsigned rate_hz, bool exact,
                    char error[SOUND_ERROR_MAX])
{
    static const char too_long[] = " is longer than an hour";
    static_assert(SOUND_SECONDS_MAX == 3600, "the sentence above says so");
    if (job->info.frames > (sf_count_t)job->info.samplerate * SOUND_SECONDS_MAX) {
        return fail(error, "", path, too_long, "");
    }
    if (job->info.samplerate != (int)rate_hz &&
        src_is_valid_ratio((double)rate_hz / job->info.samplerate) == 0) {
        return fail(error, "", path, " has a sample rate that cannot be converted", "");
    }
    /* What comes is held to the limit too: a header may lie. The resampler may round up a little. */
    job->samples.count_max = (size_t)rate_hz * SOUND_SECONDS_MAX + BLOCK_FRAMES;
    if (!(exact ? job_run_exact(job) : job_run_converting(job, rate_hz))) {
        return fail(error, "cannot convert ", path, ": ", "out of memory, or longer than it says");
    }
    return true;
}

/* Hands over what was read. */
static void job_result(struct job *job, unsigned rate_hz, bool exact, struct sound *out)
{
    *out = (struct sound){
        .samples = job->samples.data,
        .sample_count = job->samples.count,
        .sample_rate = rate_hz,
        .source_rate = (unsigned)job->info.samplerate,
        .source_channels = (unsigned)job->info.channels,
        .exact = exact,
    };
    job->samples.data = NULL;
}

bool sound_read(const char *path, unsigned rate_hz, struct sound *out, char error[SOUND_ERROR_MAX])
{
    struct job job = {.descriptor = -1};
    if (!job_open(&job, path, 0, error)) {
        job_end(&job);
        return false;
    }
    const bool exact = is_exact(&job, rate_hz);
    bool good = job_run(&job, path, rate_hz, exact, error);
    if (good && job.samples.count == 0) {
        good = fail(error, "", path, " holds no sound", "");
    }
    if (good) {
        job_result(&job, rate_hz, exact, out);
    }
    job_end(&job);
    return good;
}

/* "expected 24000 samples a second, found 48000" */
static bool fail_rate(char error[SOUND_ERROR_MAX], const char *path, unsigned rate_hz, int found)
{
    char reason[80];
    struct text text = text_of(reason, sizeof reason);
    text_add(&text, ": expected ");
    text_add_u64(&text, rate_hz);
    text_add(&text, " samples a second, found ");
    text_add_u64(&text, (uint64_t)found);
    return fail(error, "", path, reason, "");
}

bool sound_read_played(const char *path, unsigned rate_hz, size_t samples_max, struct sound *out,
                       char error[SOUND_ERROR_MAX])
{
    struct job job = {.descriptor = -1};
    /* Others may still touch the file: a link or a FIFO in its place is neither followed nor waited for. */
    bool good = job_open(&job, path, O_NOFOLLOW | O_NONBLOCK, error);
    if (good && job.info.samplerate != (int)rate_hz) {
        good = fail_rate(error, path, rate_hz, job.info.samplerate);
    }
    if (good && (job.info.frames < 0 || (uint64_t)job.info.frames > samples_max)) {
        good = fail(error, "", path, " is too long", "");
    }
    good = good && job_run(&job, path, rate_hz, is_exact(&job, rate_hz), error);
    if (good && job.samples.count > samples_max) {
        good = fail(error, "", path, " is too long", "");
    }
    if (good) {
        job_result(&job, rate_hz, is_exact(&job, rate_hz), out);
    }
    job_end(&job);
    return good;
}

bool sound_write(const char *path, const int16_t *samples, size_t sample_count, unsigned rate_hz,
                 char error[SOUND_ERROR_MAX])
{
    SF_INFO info = {.samplerate = (int)rate_hz, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
    const int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return fail(error, "cannot write sound file ", path, ": ", strerror(errno));
    }
    SNDFILE *file = sf_open_fd(descriptor, SFM_WRITE, &info, SF_FALSE);
    if (file == NULL) {
        close(descriptor);
        return fail(error, "cannot write sound file ", path, ": ", sf_strerror(NULL));
    }
    errno = 0;
    const bool written = sf_writef_short(file, samples, (sf_count_t)sample_count) == (sf_count_t)sample_count;
    const int reason = errno;
    const bool ended = sf_close(file) == 0;
    const bool closed = close(descriptor) == 0;
    if (!written || !ended || !closed) {
        return fail(error, "cannot write sound file ", path, ": ",
                    reason != 0 ? strerror(reason) : "the file is cut");
    }
    return true;
}

void sound_free(struct sound *sound)
{
    free(sound->samples);
    *sound = (struct sound){.samples = NULL};
}
