/*
 * ojin-conform check: whether script files are right, with all errors of each at once.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/wire/text.h"
#include "conformance/cli/commands.h"
#include "conformance/options/options.h"
#include "conformance/selection/case_set.h"

static const struct option_row ROWS[] = {
    {"json", NULL,
     "print one JSON object: files, each with its path, its case, how many variants it\n"
     "makes, and its errors (line, column, text)",
     option_flag, .bytes = sizeof(bool)},
    OPTION_HELP_ROW,
};

const struct option_page CHECK_PAGE = {
    .command = "check",
    .brief = "checks script files, and prints all errors at once",
    .stops = true,
    .indented = true,
    .before = "Usage: ojin-conform check [--json] FILE…\n"
              "\n"
              "Checks script files and prints all errors of each (up to 20): file, line, column and what was "
              "expected.\n"
              "It checks every variant of a file with vary lines, and that the sound files of a plan exist.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .column = 16,
    .after = "\n"
             "Exit: 0 no errors, 2 some errors.\n",
};

struct checked_file {
    const char *path;
    char name[SCRIPT_NAME_MAX]; /* empty: the file is not right */
    size_t variant_count;
    const char *unread; /* why the file could not be read; NULL: it was */
    struct script_errors errors;
};

/* Whether what the client is to speak is there: a script alone does not tell. */
static void check_sounds(struct checked_file *file, const struct case_script *script)
{
    char folder[OPTIONS_PATH_MAX], path[OPTIONS_PATH_MAX + SCRIPT_TEXT_MAX];
    const char *speech = default_speech_folder(folder);
    struct script_errors *errors = &file->errors;
    for (size_t i = 0; script != NULL && i < script->plan_count; i++) {
        const struct plan_step *step = &script->plan[i];
        if (step->kind != PLAN_SPEAK || errors->count == SCRIPT_ERRORS_MAX)
            continue;
        snprintf(path, sizeof path, "%s/%s", speech, step->file);
        if (access(path, R_OK) == 0)
            continue;
        struct script_error *error = &errors->list[errors->count++];
        error->line = step->line;
        error->column = step->file_column;
        struct text text = text_of(error->text, sizeof error->text);
        text_add(&text, file->path);
        text_add(&text, ":");
        text_add_u64(&text, step->line);
        text_add(&text, ":");
        text_add_u64(&text, step->file_column);
        text_add(&text, ": expected a sound file in ");
        text_add(&text, speech);
        text_add(&text, ", found \"");
        text_add_printable(&text, bytes_of_text(step->file), SCRIPT_TEXT_MAX);
        text_add(&text, "\"");
    }
}

/* The variants after the first; what is wrong with the first of them that is. */
static void check_variants(struct checked_file *file, struct bytes text)
{
    for (size_t i = 1; i < file->variant_count && file->errors.count == 0; i++) {
        struct buffer buffer;
        buffer_init(&buffer, SCRIPT_BYTES_MAX);
        if (!case_script_variant_text(text, i, &buffer)) {
            file->unread = "a variant is too long, or memory ran out";
            buffer_free(&buffer);
            return;
        }
        struct case_script *script = case_script_check(
            file->path, buffer_bytes(&buffer), case_family_of_script(buffer_bytes(&buffer)), &file->errors);
        check_sounds(file, script);
        case_script_free(script);
        buffer_free(&buffer);
    }
}

static bool check_file(const char *path, struct checked_file *out)
{
    struct bytes text;
    *out = (struct checked_file){.path = path};
    if (!file_read(path, SCRIPT_BYTES_MAX, &text)) {
        out->unread = strerror(errno);
        return false;
    }
    struct case_script *script = case_script_check(path, text, case_family_of_script(text), &out->errors);
    if (script != NULL) {
        snprintf(out->name, sizeof out->name, "%s", script->name);
        out->variant_count = script->variant_count;
        check_sounds(out, script);
        check_variants(out, text);
    }
    case_script_free(script);
    free((void *)(uintptr_t)text.data);
    return out->unread == NULL && script != NULL && out->errors.count == 0;
}

static void print_text(const struct checked_file *file)
{
    if (file->unread != NULL) {
        fprintf(stderr, "ojin-conform: cannot read %s: %s\n", file->path, file->unread);
        return;
    }
    for (size_t i = 0; i < file->errors.count; i++)
        fprintf(stderr, "%s\n", file->errors.list[i].text);
    if (file->errors.more)
        fprintf(stderr, "%s: and more\n", file->path);
    if (file->errors.count > 0)
        return;
    if (file->variant_count > 1)
        printf("%s: case %s and %zu more of it, good\n", file->path, file->name, file->variant_count - 1);
    else
        printf("%s: case %s, good\n", file->path, file->name);
}

static void print_json_string(const char *value)
{
    char quoted[6 * SCRIPT_TEXT_MAX + 3];
    struct text text = text_of(quoted, sizeof quoted);
    text_add_json_string(&text, bytes_of_text(value));
    fputs(quoted, stdout);
}

static void print_json(const struct checked_file *file, bool first)
{
    fputs(first ? "{\"path\":" : ",{\"path\":", stdout);
    print_json_string(file->path);
    fputs(",\"case\":", stdout);
    if (file->name[0] == '\0')
        fputs("null", stdout);
    else
        print_json_string(file->name);
    printf(",\"variants\":%zu,\"errors\":[", file->variant_count);
    for (size_t i = 0; i < file->errors.count; i++) {
        const struct script_error *error = &file->errors.list[i];
        printf("%s{\"line\":%u,\"column\":%u,\"text\":", i == 0 ? "" : ",", error->line, error->column);
        print_json_string(error->text);
        fputs("}", stdout);
    }
    if (file->unread != NULL) {
        fputs("{\"line\":null,\"column\":null,\"text\":", stdout);
        print_json_string(file->unread);
        fputs("}", stdout);
    }
    printf("],\"more\":%s}", file->errors.more ? "true" : "false");
}

static bool check_files(char *const paths[], bool json)
{
    struct checked_file *file = malloc(sizeof *file);
    bool good = file != NULL;
    if (!good)
        fprintf(stderr, "ojin-conform: out of memory\n");
    if (json)
        fputs("{\"files\":[", stdout);
    for (size_t i = 0; file != NULL && paths[i] != NULL; i++) {
        good = check_file(paths[i], file) && good;
        if (json)
            print_json(file, i == 0);
        else
            print_text(file);
    }
    if (json)
        fputs("]}\n", stdout);
    free(file);
    return good;
}

int command_check(int argc, char *argv[])
{
    bool json = false;
    char **paths;
    const enum options_outcome outcome = conform_options_parse(&CHECK_PAGE, argc, argv, &json, &paths);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    if (paths[0] == NULL) {
        option_usage(&CHECK_PAGE, "no file");
        return CONFORM_EXIT_USAGE;
    }
    return check_files(paths, json) ? CONFORM_EXIT_MET : CONFORM_EXIT_USAGE;
}
