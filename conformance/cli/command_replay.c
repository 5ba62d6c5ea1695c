/*
 * ojin-conform replay: a recorded journal's sessions once more, compared with what was sent.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/commands.h"
#include "conformance/process/artefacts.h"
#include "conformance/replay/replay.h"
#include "conformance/selection/case_set.h"
#include "server/persona/persona.h"
#include "server/script/script.h"

/* "{key}" in the journal reads back as it. */
static const char KEY[] = "the-key-of-the-journal";

struct replay_files {
    const char *path;
    const char *script_path; /* NULL: none was named, and none lies beside the journal */
    char journal_path[ARTEFACT_PATH_MAX], script_beside[ARTEFACT_PATH_MAX];
    struct journal *journal;
    struct script *script;
    struct persona *persona;
};

#define AT(member) OPTION_INTO(struct replay_files, member)

static const struct option_row ROWS[] = {
    {"script", "FILE",
     "script of the recorded run (default: case.session in the folder of the\n"
     "journal)",
     option_text, AT(script_path)},
    OPTION_HELP_ROW,
};

const struct option_page REPLAY_PAGE = {
    .command = "replay",
    .brief = "replays a recorded journal, and compares what the mock sends",
    .before =
        "Usage: ojin-conform replay [OPTION]… JOURNAL | FOLDER\n"
        "\n"
        "Replays the client messages of a journal (ojin-mock --journal, or the wire.jsonl of a failing case) "
        "to\n"
        "fresh sessions of the mock at their original times, and compares what the sessions send with the\n"
        "journal: kind, text, interaction, index, final flag, and a CRC-32 of sound and picture. For a case\n"
        "give its folder, or the wire.jsonl in it: the script beside it is used.\n"
        "\n",
    OPTION_ROWS(ROWS),
    .column = 18,
    .after = "\n"
             "Exit: 0 identical, 1 different (prints the first difference and its line of the journal), 2 "
             "wrong usage\n"
             "or a journal that cannot be replayed.\n",
};

static bool complain(const char *path, const char *what)
{
    fprintf(stderr, "ojin-conform replay: %s: %s\n", path, what);
    return false;
}

static enum options_outcome take_options(int argc, char *argv[], struct replay_files *out)
{
    char **rest;
    const enum options_outcome outcome = conform_options_parse(&REPLAY_PAGE, argc, argv, out, &rest);
    if (outcome != OPTIONS_RUN)
        return outcome;
    if (rest[0] == NULL || rest[1] != NULL) {
        fprintf(stderr, "ojin-conform replay: expected one journal, or the folder of a case\n");
        return option_hint("replay");
    }
    out->path = rest[0];
    return OPTIONS_RUN;
}

static bool read_text(const char *path, size_t bytes_max, struct bytes *out)
{
    if (file_read(path, bytes_max, out))
        return true;
    fprintf(stderr, "ojin-conform replay: cannot read %s: %s\n", path, strerror(errno));
    return false;
}

static bool read_journal(struct replay_files *files)
{
    struct bytes text;
    char error[200];
    if (!read_text(files->path, JOURNAL_DATA_BYTES_MAX, &text))
        return false;
    files->journal = journal_read(text, SESSION_CLASSES, bytes_of_text(KEY), error);
    free((void *)(uintptr_t)text.data);
    if (files->journal != NULL && error[0] != '\0')
        (void)complain(files->path, error);
    return files->journal != NULL || complain(files->path, error);
}

static bool read_script(struct replay_files *files)
{
    const struct journal_header *header = journal_header_of(files->journal);
    struct bytes text;
    char error[SCRIPT_ERROR_MAX];
    char what[200];
    if (files->script_path == NULL && header->script[0] != '\0')
        files->script_path = artefacts_script_beside(files->path, files->script_beside);
    if (files->script_path == NULL) {
        if (header->script[0] == '\0')
            return true;
        snprintf(what, sizeof what,
                 "the script '%s' ran, and no " ARTEFACT_SCRIPT
                 " lies beside the journal: expected --script FILE with it",
                 header->script);
        return complain(files->path, what);
    }
    if (header->script[0] == '\0')
        return complain(files->path, "no script ran: expected no --script");
    if (!read_text(files->script_path, SCRIPT_BYTES_MAX, &text))
        return false;
    files->script = script_parse(files->script_path, text, header->class, error);
    free((void *)(uintptr_t)text.data);
    if (files->script == NULL) {
        fprintf(stderr, "%s\n", error);
        return false;
    }
    snprintf(what, sizeof what, "this is the script '%s': expected '%s'", files->script->name,
             header->script);
    return strcmp(files->script->name, header->script) == 0 || complain(files->script_path, what);
}

static bool read_files(struct replay_files *files)
{
    files->path = artefacts_journal_in(files->path, files->journal_path);
    if (!read_journal(files))
        return false;
    const struct journal_header *header = journal_header_of(files->journal);
    char error[PERSONA_ERROR_MAX];
    if (header->class == NULL)
        return complain(files->path, "the journal's family is not known");
    if (!read_script(files))
        return false;
    if (header->picture_width == 0 && header->picture_height == 0)
        return true;
    files->persona = persona_new(header->picture_width, header->picture_height, error);
    return files->persona != NULL || complain(files->path, error);
}

static int say_identical(const struct replay_files *files, const struct replay_result *result)
{
    if (result->dropped > 0)
        printf(
            "note: %llu messages were never sent: their client did not read, or the connection was closing\n",
            (unsigned long long)result->dropped);
    if (result->by_host > 0)
        printf("note: the host gave %llu of the answers: no session makes them again\n",
               (unsigned long long)result->by_host);
    if (result->ends_early)
        printf("note: %s reached its bound: what came after is not known\n", files->path);
    printf("replayed %llu messages, identical\n", (unsigned long long)result->messages);
    return CONFORM_EXIT_MET;
}

static int replay(const struct replay_files *files)
{
    const struct replay_case given = {
        .journal = files->journal, .key = KEY, .script = files->script, .persona = files->persona};
    struct replay_result result;
    replay_run(&given, &result);
    const unsigned long long line = (unsigned long long)result.entry + 2;
    switch (result.outcome) {
    case REPLAY_IDENTICAL:
        return say_identical(files, &result);
    case REPLAY_DIFFERENT:
        printf("%s:%llu: %s\n", files->path, line, result.text);
        return CONFORM_EXIT_NOT_MET;
    case REPLAY_IMPOSSIBLE:
        fprintf(stderr, "ojin-conform replay: %s:%llu: cannot be replayed: %s\n", files->path, line,
                result.text);
        return CONFORM_EXIT_USAGE;
    case REPLAY_NO_MEMORY:
        break;
    }
    fprintf(stderr, "ojin-conform replay: there is not enough memory\n");
    return CONFORM_EXIT_OWN_ERROR;
}

int command_replay(int argc, char *argv[])
{
    struct replay_files files = {0};
    const enum options_outcome outcome = take_options(argc, argv, &files);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    const int code = read_files(&files) ? replay(&files) : CONFORM_EXIT_USAGE;
    persona_free(files.persona);
    script_free(files.script);
    journal_free(files.journal);
    return code;
}
