/*
 * Any bytes as the files of a folder of answers: all of them in the order of their names, or a sentence that
 * names the file which is no sound. The input is one file, or several with "RIFF" at the beginning of each.
 */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/app/interview/answers_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { FILES_MAX = 3, PATH_BYTES_MAX = 128, INPUT_BYTES_MAX = 65536 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* Where the next file begins. */
static size_t next_of(const uint8_t *data, size_t len, size_t at)
{
    for (size_t i = at + 1; i + 4 <= len; i++)
        if (memcmp(data + i, "RIFF", 4) == 0)
            return i;
    return len;
}

static void write_file(const char *path, const uint8_t *data, size_t len)
{
    FILE *file = fopen(path, "wb");
    check(file != NULL && (len == 0 || fwrite(data, 1, len, file) == len));
    check(fclose(file) == 0);
}

static void check_answers(const char *path, size_t files)
{
    static struct answer_files answers;
    char error[SOUND_ERROR_MAX] = "";
    const bool good = answers_read(&answers, path, error);
    check(good ? answers.count == files : strstr(error, path) != NULL);
    for (size_t i = 0; i < answers.count; i++)
        check(answers.list[i].sample_count == 0 || answers.list[i].samples != NULL);
    answers_read_free(&answers);
}

static char folder[PATH_BYTES_MAX];

static void remove_folder(void)
{
    (void)rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char paths[FILES_MAX][PATH_BYTES_MAX + 8];
    size_t files = 0, at = 0;
    if (len > INPUT_BYTES_MAX)
        return 0;
    if (folder[0] == '\0') {
        const char *temporary = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%.90s/answers-XXXXXX", temporary == NULL ? "/tmp" : temporary);
        check(mkdtemp(folder) != NULL && atexit(remove_folder) == 0);
    }
    do {
        const size_t end = files + 1 == FILES_MAX ? len : next_of(data, len, at);
        snprintf(paths[files], sizeof paths[files], "%s/%u.WAV", folder, (unsigned)files);
        write_file(paths[files++], data + at, end - at);
        at = end;
    } while (at < len);
    check_answers(paths[0], 1);
    check_answers(folder, files);
    for (size_t i = 0; i < files; i++)
        check(unlink(paths[i]) == 0);
    return 0;
}
