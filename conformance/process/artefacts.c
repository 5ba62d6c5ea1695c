#define _GNU_SOURCE
#include "conformance/process/artefacts.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/wire/text.h"
#include "conformance/process/shell.h"

enum {
    JOURNAL_FILE_BYTES_MAX = 64 * 1024 * 1024,
    REPRO_BYTES_MAX = 16 * 1024 * 1024,
    REMOVE_OPEN_FOLDERS_MAX = 8
};

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

static bool make_folders(const char *path)
{
    char partial[FOLDER_PATH_MAX];
    for (size_t i = 1; path[i - 1] != '\0' && i < sizeof partial; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(partial, path, i);
        partial[i] = '\0';
        if (mkdir(partial, 0777) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

bool artefacts_begin(const char *out_folder, const char *case_name, const char *profile,
                     char path[FOLDER_PATH_MAX])
{
    if (!make_folders(out_folder))
        return false;
    char *absolute = realpath(out_folder, NULL);
    if (absolute == NULL)
        return false;
    struct text text = text_of(path, FOLDER_PATH_MAX);
    text_add(&text, absolute);
    free(absolute);
    text_add_char(&text, '/');
    for (const char *c = case_name; *c != '\0'; c++)
        text_add_char(&text, *c == '/' ? '_' : *c);
    text_add_char(&text, '.');
    text_add(&text, profile);
    if (text.cut) {
        errno = ENAMETOOLONG;
        return false;
    }
    nftw(path, remove_entry, REMOVE_OPEN_FOLDERS_MAX, FTW_DEPTH | FTW_PHYS);
    return mkdir(path, 0777) == 0;
}

bool artefacts_write(const char *folder, const char *name, struct bytes data)
{
    char path[FOLDER_PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return false;
    const bool good = data.len == 0 || fwrite(data.data, 1, data.len, file) == data.len;
    return fclose(file) == 0 && good;
}

bool artefacts_write_journal(const char *folder, const struct journal *journal)
{
    struct buffer lines;
    buffer_init(&lines, JOURNAL_FILE_BYTES_MAX);
    bool whole = journal_write_header(journal, &lines) && buffer_append(&lines, bytes_of_text("\n"));
    for (size_t i = 0; whole && i < journal_count(journal); i++)
        whole =
            journal_write_entry(journal_at(journal, i), &lines) && buffer_append(&lines, bytes_of_text("\n"));
    const bool good = artefacts_write(folder, ARTEFACT_JOURNAL, buffer_bytes(&lines));
    buffer_free(&lines);
    return good;
}

const char *artefacts_journal_in(const char *path, char room[ARTEFACT_PATH_MAX])
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return path;
    snprintf(room, ARTEFACT_PATH_MAX, "%s/" ARTEFACT_JOURNAL, path);
    return room;
}

const char *artefacts_script_beside(const char *journal, char room[ARTEFACT_PATH_MAX])
{
    const char *slash = strrchr(journal, '/');
    const int len = slash == NULL ? 0 : (int)(slash + 1 - journal);
    snprintf(room, ARTEFACT_PATH_MAX, "%.*s" ARTEFACT_SCRIPT, len, journal);
    return access(room, R_OK) == 0 ? room : NULL;
}

bool artefacts_write_repro(const char *folder, const char *line)
{
    char here[FOLDER_PATH_MAX * 2];
    char path[FOLDER_PATH_MAX + 64];
    if (getcwd(here, sizeof here) == NULL)
        return false;
    const char *const words[] = {here, NULL};
    char *quoted = shell_line_new(words);
    struct buffer script;
    buffer_init(&script, REPRO_BYTES_MAX);
    const bool good =
        quoted != NULL && buffer_append(&script, bytes_of_text("#!/bin/sh\n# Runs this case again.\ncd ")) &&
        buffer_append(&script, bytes_of_text(quoted)) &&
        buffer_append(&script, bytes_of_text(" || exit 3\nexec ")) &&
        buffer_append(&script, bytes_of_text(line)) && buffer_append(&script, bytes_of_text("\n")) &&
        artefacts_write(folder, "repro.sh", buffer_bytes(&script));
    free(quoted);
    buffer_free(&script);
    snprintf(path, sizeof path, "%s/repro.sh", folder);
    return good && chmod(path, 0755) == 0;
}

void artefacts_remove(const char *folder)
{
    nftw(folder, remove_entry, REMOVE_OPEN_FOLDERS_MAX, FTW_DEPTH | FTW_PHYS);
}

bool artefacts_stand(const char *out_folder)
{
    return access(out_folder, F_OK) == 0;
}

void artefacts_end(const char *out_folder, bool stood)
{
    if (!stood)
        rmdir(out_folder); /* fails, as it should, while anything is left in it */
}
