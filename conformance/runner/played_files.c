#define _GNU_SOURCE
#include "conformance/runner/played_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "codec/media/sound.h"
#include "codec/ojin/constants.h"
#include "codec/wire/crc32.h"
#include "conformance/judge/judge.h"
#include "conformance/process/artefacts.h"
#include "conformance/selection/case_set.h"

enum { SAMPLES_A_PICTURE = 640, PATH_MORE_MAX = 64 };

bool played_files_exist(const char *folder)
{
    struct stat info;
    return lstat(folder, &info) == 0 && S_ISDIR(info.st_mode);
}

/* ---- pictures ---- */

/* The frame with this picture that was sent next after `*next`, which moves behind it; else any; NULL: none.
 */
static const struct journal_entry *frame_of(const struct journal *journal, uint32_t crc, size_t *next)
{
    const size_t count = journal_count(journal);
    for (size_t n = 0; n < count; n++) {
        const size_t i = (*next + n) % count;
        const struct journal_entry *entry = journal_at(journal, i);
        if (entry->kind == JOURNAL_WIRE && entry->has_frame && entry->frame.has_image &&
            entry->frame.image_crc == crc) {
            *next = i + 1;
            return entry;
        }
    }
    return NULL;
}

static struct observation played(const struct journal *journal, struct bytes picture, size_t *next)
{
    struct observation seen = {.kind = OBSERVED_PLAYED, .has_image = true, .image_crc = crc32_of(picture)};
    const struct journal_entry *entry = frame_of(journal, seen.image_crc, next);
    seen.has_interaction = true;
    if (entry != NULL) {
        seen.index = entry->frame.index;
        seen.is_final = entry->frame.is_final == 1;
        memcpy(seen.interaction, entry->frame.interaction, UUID_BYTES);
    }
    return seen;
}

static bool make_room(struct observation **list, size_t count, size_t *capacity)
{
    if (count < *capacity)
        return true;
    const size_t more = *capacity == 0 ? 256 : *capacity * 2;
    struct observation *grown = realloc(*list, more * sizeof *grown);
    if (grown == NULL)
        return false;
    *list = grown;
    *capacity = more;
    return true;
}

/* Reads pictures from the first on until there is none of the next number. */
static bool read_pictures(const char *folder, const struct journal *journal, struct observation **out,
                          size_t *count, char error[PLAYED_ERROR_MAX])
{
    size_t capacity = 0, next = 0;
    char path[FOLDER_PATH_MAX + PATH_MORE_MAX];
    for (*count = 0; *count < PLAYED_PICTURES_MAX; (*count)++) {
        struct bytes picture;
        snprintf(path, sizeof path, "%s/pictures/%06zu.jpg", folder, *count + 1);
        if (!file_read_left(path, PLAYED_PICTURE_BYTES_MAX, &picture)) {
            if (errno == ENOENT)
                return true;
            snprintf(error, PLAYED_ERROR_MAX, "pictures/%06zu.jpg in CONFORM_OUT: %s", *count + 1,
                     errno == EINVAL || errno == ELOOP ? "expected a regular file" : strerror(errno));
            return false;
        }
        const bool good = make_room(out, *count, &capacity);
        if (good)
            (*out)[*count] = played(journal, picture, &next);
        free((void *)(uintptr_t)picture.data);
        if (!good) {
            snprintf(error, PLAYED_ERROR_MAX, "out of memory");
            return false;
        }
    }
    snprintf(error, PLAYED_ERROR_MAX, "more than %d pictures in CONFORM_OUT", PLAYED_PICTURES_MAX);
    return false;
}

/* ---- sound ---- */

static bool is_silent(const int16_t *samples)
{
    for (size_t i = 0; i < SAMPLES_A_PICTURE; i++)
        if (samples[i] != 0)
            return false;
    return true;
}

static void add_sound(const struct sound *sound, struct observation *list, size_t count)
{
    uint8_t bytes[2 * SAMPLES_A_PICTURE];
    for (size_t i = 0; i < count && (i + 1) * SAMPLES_A_PICTURE <= sound->sample_count; i++) {
        const int16_t *samples = sound->samples + i * SAMPLES_A_PICTURE;
        if (is_silent(samples))
            continue;
        pcm_write_le(samples, bytes, SAMPLES_A_PICTURE);
        list[i].has_audio = true;
        list[i].audio_crc = crc32_of(bytes_of(bytes, sizeof bytes));
    }
}

static bool read_sound(const char *folder, struct observation *list, size_t count,
                       char error[PLAYED_ERROR_MAX])
{
    char path[FOLDER_PATH_MAX + PATH_MORE_MAX];
    char reason[SOUND_ERROR_MAX];
    struct stat info;
    struct sound sound;
    snprintf(path, sizeof path, "%s/sound.wav", folder);
    if (count == 0 || lstat(path, &info) != 0) /* it only says what was heard with the pictures */
        return true;
    if (!S_ISREG(info.st_mode)) {
        snprintf(error, PLAYED_ERROR_MAX, "sound.wav in CONFORM_OUT: expected a regular file");
        return false;
    }
    if (!sound_read(path, OJIN_SAMPLE_RATE, &sound, reason)) {
        snprintf(error, PLAYED_ERROR_MAX, "sound.wav in CONFORM_OUT: %.200s", reason);
        return false;
    }
    const bool exact = sound.exact;
    if (exact)
        add_sound(&sound, list, count);
    else
        snprintf(error, PLAYED_ERROR_MAX, "sound.wav in CONFORM_OUT: expected 16 bit mono at %d Hz",
                 OJIN_SAMPLE_RATE);
    sound_free(&sound);
    return exact;
}

bool played_files_read(const char *folder, const struct journal *journal, struct observation **out,
                       size_t *count, char error[PLAYED_ERROR_MAX])
{
    *out = NULL;
    if (read_pictures(folder, journal, out, count, error) && read_sound(folder, *out, *count, error))
        return true;
    free(*out);
    *out = NULL;
    *count = 0;
    return false;
}

enum played_status played_sound_read(const char *folder, unsigned rate_hz, struct sound *out,
                                     char error[PLAYED_ERROR_MAX])
{
    char path[FOLDER_PATH_MAX + PATH_MORE_MAX];
    char reason[SOUND_ERROR_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s/sound.wav", folder);
    if (lstat(path, &info) != 0)
        return PLAYED_NOTHING;
    if (!S_ISREG(info.st_mode)) {
        snprintf(error, PLAYED_ERROR_MAX, "sound.wav in CONFORM_OUT: expected a regular file");
        return PLAYED_WRONG;
    }
    if (sound_read_played(path, rate_hz, JUDGE_SOUND_SAMPLES_MAX, out, reason))
        return PLAYED_READ;
    snprintf(error, PLAYED_ERROR_MAX, "sound.wav in CONFORM_OUT: %.200s", reason);
    return PLAYED_WRONG;
}

bool played_files_sound(const char *folder)
{
    char path[FOLDER_PATH_MAX + PATH_MORE_MAX];
    struct stat info;
    snprintf(path, sizeof path, "%s/sound.wav", folder);
    return lstat(path, &info) == 0;
}

/* ---- what it is enough for ---- */

static bool hears(const struct event_pattern *pattern)
{
    for (size_t i = 0; pattern->set && i < pattern->filter_count; i++)
        if (pattern->filters[i].kind == FILTER_HEARD)
            return true;
    return false;
}

bool played_wants_sound(const struct case_script *script)
{
    for (size_t i = 0; i < script->check_count; i++) {
        const struct script_check *check = &script->checks[i];
        const struct event_pattern *patterns[] = {&check->only_if, &check->given, &check->after,
                                                  &check->until, &check->pattern};
        if (check->expect == CHECK_HEARD || check->expect == CHECK_SOUNDED || check->expect == CHECK_TOGETHER)
            return true;
        for (size_t n = 0; n < sizeof patterns / sizeof patterns[0]; n++)
            if (hears(patterns[n]))
                return true;
    }
    return false;
}
