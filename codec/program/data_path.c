#define _GNU_SOURCE
#include "codec/program/data_path.h"

#include <limits.h>
#include <stdbool.h>
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

/* Goes `way`, such as "../share/ojin-tools", from the folder of the program; an absolute one begins anew. */
static void path_from_bin(const char *way, char *out, size_t capacity)
{
    char folder[PATH_MAX];
    if (way[0] == '/') {
        struct text text = text_of(out, capacity);
        text_add(&text, way);
        return;
    }
    program_path("./bin/program", folder, sizeof folder);
    for (bool up = true; up; way += up ? strlen("../") : 0) {
        char *slash = strrchr(folder, '/');
        if (slash != NULL)
            *slash = '\0';
        up = strncmp(way, "../", strlen("../")) == 0;
    }
    join(folder, way, out, capacity);
}

const char *data_path(const char *name, char *out, size_t capacity)
{
    static const char *const WAYS[] = {DATA_FROM_BIN, "../share/ojin-tools"};
    const char *told = getenv(DATA_FOLDER_VARIABLE);
    char folder[PATH_MAX], path[PATH_MAX];
    for (size_t i = 0; told == NULL && i < sizeof WAYS / sizeof WAYS[0]; i++) {
        path_from_bin(WAYS[i], folder, sizeof folder);
        join(folder, name, out, capacity);
        if (realpath(out, path) != NULL) {
            struct text text = text_of(out, capacity);
            text_add(&text, path);
            return out;
        }
    }
    if (told == NULL)
        path_from_bin(DATA_FROM_BIN, folder, sizeof folder);
    join(told != NULL ? told : folder, name, out, capacity);
    return out;
}

const char *bundled_libraries_path(char *out, size_t capacity)
{
    path_from_bin(LIBRARIES_FROM_BIN, out, capacity);
    return out;
}
