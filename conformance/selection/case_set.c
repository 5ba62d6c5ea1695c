#define _GNU_SOURCE
#include "conformance/selection/case_set.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/launch/folder.h"

enum { FILE_CHUNK_BYTES = 65536 };

/* Most files are short, and hundreds are read: one read and no more room than it needs, then the end is seen.
 */
static size_t chunk_of(FILE *file)
{
    struct stat info;
    const bool known = fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode);
    return known && info.st_size < FILE_CHUNK_BYTES ? (size_t)info.st_size + 1 : FILE_CHUNK_BYTES;
}

/* Reads on until the end, an error or more than `bytes_max`; 0 or an errno. */
static int read_all(FILE *file, size_t bytes_max, struct buffer *buffer)
{
    const size_t chunk = chunk_of(file);
    while (buffer->len <= bytes_max) {
        uint8_t *room = buffer_reserve(buffer, chunk);
        if (room == NULL)
            return ENOMEM;
        const size_t got = fread(room, 1, chunk, file);
        buffer->len += got;
        if (got == 0)
            return ferror(file) ? EIO : 0;
    }
    return EFBIG;
}

/* Closes the file. */
static bool stream_read(FILE *file, size_t bytes_max, struct bytes *out)
{
    struct buffer buffer;
    buffer_init(&buffer, bytes_max + 2 * (size_t)FILE_CHUNK_BYTES);
    const int error = read_all(file, bytes_max, &buffer);
    fclose(file);
    if (error != 0) {
        buffer_free(&buffer);
        errno = error;
        return false;
    }
    /* Hundreds of files are kept, and most are much shorter than what was read at once. */
    uint8_t *fitting = realloc(buffer.data, buffer.len > 0 ? buffer.len : 1);
    *out = bytes_of(fitting != NULL ? fitting : buffer.data, buffer.len);
    return true;
}

bool file_read(const char *path, size_t bytes_max, struct bytes *out)
{
    FILE *file = fopen(path, "re");
    return file != NULL && stream_read(file, bytes_max, out);
}

bool file_read_left(const char *path, size_t bytes_max, struct bytes *out)
{
    const int fd = folder_file_open(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    if (file == NULL && fd >= 0)
        close(fd);
    return file != NULL && stream_read(file, bytes_max, out);
}

static bool is_case_file(const FTSENT *entry)
{
    const size_t len = strlen(entry->fts_name);
    return entry->fts_info == FTS_F && len > 8 && strcmp(entry->fts_name + len - 8, ".session") == 0;
}

/* Takes `text` into the set, or frees it. */
static bool add_case(const char *path, struct bytes text, enum case_party party, struct case_set *set)
{
    char error[SCRIPT_ERROR_MAX];
    if (set->count == RUN_CASE_FILES_MAX) {
        fprintf(stderr, "ojin-conform: %s: more than %d cases\n", path, RUN_CASE_FILES_MAX);
        free((void *)(uintptr_t)text.data);
        return false;
    }
    errno = 0;
    struct case_script *script = case_script_parse(path, text, case_family_of_script(text), error);
    if (script == NULL) {
        set->no_memory = errno == ENOMEM;
        fprintf(stderr, "%s\n", error);
        free((void *)(uintptr_t)text.data);
        return false;
    }
    if ((script->client_steps != NULL) != (party == CASES_ABOUT_SERVERS)) {
        fprintf(stderr, "%s: expected a case about a %s, found a block \"%s {\"\n", path,
                party == CASES_ABOUT_SERVERS ? "server" : "client",
                party == CASES_ABOUT_SERVERS ? "server" : "client");
        case_script_free(script);
        free((void *)(uintptr_t)text.data);
        return false;
    }
    set->scripts[set->count] = script;
    set->texts[set->count] = text;
    set->count++;
    return true;
}

/* All variants after the first, each with a text of its own. */
static bool add_variants(const char *path, struct bytes text, size_t variant_count, enum case_party party,
                         struct case_set *set)
{
    bool good = true;
    for (size_t i = 1; i < variant_count && good; i++) {
        struct buffer buffer;
        buffer_init(&buffer, SCRIPT_BYTES_MAX);
        good = case_script_variant_text(text, i, &buffer);
        if (good)
            good = add_case(path, buffer_bytes(&buffer), party, set);
        else {
            fprintf(stderr, "ojin-conform: %s: a variant is too long, or memory ran out\n", path);
            buffer_free(&buffer);
        }
    }
    return good;
}

/* Says on standard error what is wrong with the file. */
static bool load_file(const char *path, enum case_party party, struct case_set *set)
{
    struct bytes text;
    struct buffer first;
    const size_t index = set->count;
    if (!file_read(path, SCRIPT_BYTES_MAX, &text)) {
        set->no_memory = errno == ENOMEM;
        fprintf(stderr, "ojin-conform: cannot read %s: %s\n", path, strerror(errno));
        return false;
    }
    if (!add_case(path, text, party, set))
        return false;
    const size_t variant_count = set->scripts[index]->variant_count;
    if (variant_count == 1)
        return true;
    bool good = add_variants(path, text, variant_count, party, set);
    buffer_init(&first, SCRIPT_BYTES_MAX);
    if (good && case_script_variant_text(text, 0, &first)) {
        free((void *)(uintptr_t)text.data);
        set->texts[index] = buffer_bytes(&first);
    } else {
        buffer_free(&first);
        good = false;
    }
    return good;
}

static int compare_paths(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* By name, and where two have one by the order in which they were read. */
static int compare_names(const void *a, const void *b)
{
    struct case_script *const *left = *(struct case_script *const *const *)a;
    struct case_script *const *right = *(struct case_script *const *const *)b;
    const int order = strcmp((*left)->name, (*right)->name);
    return order != 0 ? order : left < right ? -1 : left > right;
}

static bool names_differ(struct case_set *set)
{
    struct case_script **by_name[RUN_CASE_FILES_MAX];
    for (size_t i = 0; i < set->count; i++)
        by_name[i] = &set->scripts[i];
    qsort(by_name, set->count, sizeof by_name[0], compare_names);
    for (size_t i = 1; i < set->count; i++) {
        const struct case_script *one = *by_name[i - 1], *other = *by_name[i];
        if (strcmp(one->name, other->name) == 0) {
            fprintf(stderr, "ojin-conform: %s and %s are both case %s\n", one->path, other->path, one->name);
            return false;
        }
    }
    return true;
}

bool case_set_load(const char *folder, enum case_party party, struct case_set *out)
{
    *out = (struct case_set){0};
    char *copy = strdup(folder);
    out->no_memory = copy == NULL;
    char *const roots[] = {copy, NULL};
    FTS *tree = copy == NULL ? NULL : fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_paths);
    bool good = tree != NULL;
    for (FTSENT *entry = NULL; tree != NULL && !out->no_memory && (entry = fts_read(tree)) != NULL;) {
        if (entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS || entry->fts_info == FTS_DNR) {
            fprintf(stderr, "ojin-conform: cannot read %s: %s\n", entry->fts_path,
                    strerror(entry->fts_errno));
            good = false;
        } else if (is_case_file(entry) && !load_file(entry->fts_path, party, out)) {
            good = false;
        }
    }
    if (tree != NULL)
        fts_close(tree);
    free(copy);
    good = good && names_differ(out);
    if (good && out->count == 0) {
        fprintf(stderr, "ojin-conform: no *.session file in %s\n", folder);
        good = false;
    }
    const bool no_memory = out->no_memory;
    if (!good)
        case_set_free(out);
    out->no_memory = no_memory;
    return good;
}

void case_set_free(struct case_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        case_script_free(set->scripts[i]);
        free((void *)(uintptr_t)set->texts[i].data);
    }
    *set = (struct case_set){0};
}
