#define _GNU_SOURCE
#include "codec/program/data_path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/wire/text.h"

const char *program_path(const char *name, char *out, size_t capacity)
{
    char path[PATH_MAX];
    const ssize_t len = readlink("/proc/self/exe", path, sizeof path);
    struct text text = text_of(out, capacity);
    if (len > 0)
        text_add_bytes(&text, bytes_of(path, (size_t)len));
    else
        text_add(&text, name);
    return out;
}

/* Writes "FOLDER/NAME". */
static void join(const char *folder, const char *name, char *out, size_t capacity)
{
    struct text text = text_of(out, capacity);
    text_add(&text, folder);
    text_add(&text, "/");
    text_add(&text, name);
}

/* "PREFIX/FOLDER" of the program PREFIX/bin/NAME. */
static void path_in_prefix(const char *folder, char *out, size_t capacity)
{
    char program[PATH_MAX];
    program_path("./bin/program", program, sizeof program);
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(program, '/');
        if (slash != NULL)
            *slash = '\0';
    }
    join(program, folder, out, capacity);
}

const char *data_path(const char *name, char *out, size_t capacity)
{
    const char *told = getenv(DATA_FOLDER_VARIABLE);
    char folder[PATH_MAX], path[PATH_MAX];
    path_in_prefix("share/ojin-tools", folder, sizeof folder);
    join(told != NULL ? told : folder, name, out, capacity);
    if (told == NULL && realpath(out, path) != NULL) {
        struct text text = text_of(out, capacity);
        text_add(&text, path);
    }
    return out;
}

const char *bundled_libraries_path(char *out, size_t capacity)
{
    path_in_prefix("lib/ojin-tools", out, capacity);
    return out;
}
