#define _XOPEN_SOURCE 700
#include "client/app/interview/answers_read.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "codec/interview/constants.h"

enum { PATH_BYTES_MAX = 4096 };

static bool fail(const char *path, const char *why, char error[SOUND_ERROR_MAX])
{
    snprintf(error, SOUND_ERROR_MAX, "%.250s: %.140s", path, why);
    return false;
}

static int is_wav(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && dot != entry->d_name && strcasecmp(dot, ".wav") == 0;
}

static bool add_file(struct answer_files *files, const char *path, char error[SOUND_ERROR_MAX])
{
    if (files->count == ANSWERS_READ_MAX)
        return fail(path, "there are more than 100 answers in its folder", error);
    if (!sound_read(path, INTERVIEW_RATE, &files->list[files->count], error))
        return false;
    files->count++;
    return true;
}

static bool read_folder(struct answer_files *files, const char *folder, char error[SOUND_ERROR_MAX])
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_wav, alphasort);
    if (count < 0)
        return fail(folder, strerror(errno), error);
    bool good = count > 0 || fail(folder, "there is no .wav in it", error);
    for (int i = 0; i < count; i++) {
        char path[PATH_BYTES_MAX];
        const int len = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (good && (len < 0 || (size_t)len >= sizeof path))
            good = fail(folder, "its path is too long", error);
        good = good && add_file(files, path, error);
        free(entries[i]);
    }
    free(entries);
    return good;
}

bool answers_read(struct answer_files *files, const char *path, char error[SOUND_ERROR_MAX])
{
    struct stat info;
    files->count = 0;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return read_folder(files, path, error);
    return add_file(files, path, error);
}

void answers_read_free(struct answer_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        sound_free(&files->list[i]);
    files->count = 0;
}
