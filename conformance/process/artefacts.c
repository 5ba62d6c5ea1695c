#define _GNU_SOURCE
#include "conformance/process/artefacts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/wire/text.h"
#include "conformance/process/shell.h"
#include "server/launch/folder.h"

enum {
    FILE_MODE = 0666,
    SCRIPT_MODE = 0777,
    JOURNAL_FILE_BYTES_MAX = 64 * 1024 * 1024,
    REPRO_BYTES_MAX = 16 * 1024 * 1024
};

bool artefacts_make(const char *path)
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
    if (!artefacts_make(out_folder))
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
    (void)folder_remove(path);
    return mkdir(path, 0777) == 0;
}

bool artefacts_write(const char *folder, const char *name, struct bytes data)
{
    return folder_write(folder, name, data.data, data.len, FILE_MODE);
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
        folder_write(folder, "repro.sh", script.data, script.len, SCRIPT_MODE);
    free(quoted);
    buffer_free(&script);
    return good;
}

void artefacts_remove(const char *folder)
{
    (void)folder_remove(folder);
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
