#define _GNU_SOURCE /* scandir */
#include "conformance/selection/suite_list.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/program/data_path.h"
#include "conformance/judge/verdict.h"
#include "conformance/selection/case_set.h"

static const char NOT_RELEASED[] = "# not released\n";

static void say_which_there_are(const char *folder)
{
    DIR *entries = opendir(folder);
    bool any = false;
    if (entries == NULL)
        return;
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (entry->d_name[0] == '.' || strchr("0123456789", entry->d_name[0]) == NULL)
            continue;
        fprintf(stderr, "%s%s", any ? ", " : ": expected ", entry->d_name);
        any = true;
    }
    closedir(entries);
}

bool suite_list_load(const char *version, struct suite_list *out)
{
    char folder[OPTIONS_PATH_MAX];
    const bool is_path = strchr(version, '/') != NULL;
    default_suites_folder(folder);
    snprintf(out->path, sizeof out->path, "%s%s%s", is_path ? "" : folder, is_path ? "" : "/", version);
    const int before = (int)(strrchr(out->path, '/') - out->path);
    snprintf(out->kept, sizeof out->kept, "%.*s/kept%s", before, out->path, out->path + before);
    if (file_read(out->path, SUITE_LIST_BYTES_MAX, &out->text))
        return true;
    fprintf(stderr, "ojin-conform: --suite '%s': cannot read %s: %s", version, out->path, strerror(errno));
    if (!is_path)
        say_which_there_are(folder);
    fputc('\n', stderr);
    return false;
}

bool suite_list_is_open(const struct suite_list *list)
{
    const size_t len = strlen(NOT_RELEASED);
    return list->text.len >= len && memcmp(list->text.data, NOT_RELEASED, len) == 0;
}

void suite_list_free(struct suite_list *list)
{
    free((void *)(uintptr_t)list->text.data);
    *list = (struct suite_list){0};
}

/* ---- lines ---- */

/* The next line, without its end; false at the end. */
static bool take_line(struct bytes *left, struct bytes *line)
{
    if (left->len == 0)
        return false;
    const uint8_t *newline = memchr(left->data, '\n', left->len);
    const size_t len = newline == NULL ? left->len : (size_t)(newline - left->data);
    *line = bytes_of(left->data, len);
    *left = newline == NULL ? bytes_of(NULL, 0) : bytes_of(newline + 1, left->len - len - 1);
    return true;
}

/* What stands before the first space, and what behind it. */
static struct bytes line_name(struct bytes line, struct bytes *rest)
{
    const uint8_t *space = memchr(line.data, ' ', line.len);
    if (space == NULL) {
        *rest = bytes_of(NULL, 0);
        return line;
    }
    const size_t len = (size_t)(space - line.data);
    *rest = bytes_of(space + 1, line.len - len - 1);
    return bytes_of(line.data, len);
}

static bool is_case_name(struct bytes name)
{
    return name.len > 0 && memchr(name.data, '/', name.len) != NULL;
}

/* The kinds of files beside the cases: how a line about one begins, and the folder of the suite's data. */
static const struct file_kind {
    const char *prefix, *folder;
} FILE_KINDS[] = {{"sound:", "speech"}, {"picture:", "video"}};

/* NULL: the line is about something else. */
static const struct file_kind *file_kind_of(struct bytes name)
{
    for (size_t i = 0; i < sizeof FILE_KINDS / sizeof *FILE_KINDS; i++) {
        const size_t len = strlen(FILE_KINDS[i].prefix);
        if (name.len > len && memcmp(name.data, FILE_KINDS[i].prefix, len) == 0)
            return &FILE_KINDS[i];
    }
    return NULL;
}

static bool find_name(const struct suite_list *list, const char *wanted, struct bytes *rest)
{
    struct bytes left = list->text, line;
    while (take_line(&left, &line))
        if (bytes_equal(line_name(line, rest), bytes_of_text(wanted)))
            return true;
    return false;
}

bool suite_list_holds(const struct suite_list *list, const char *case_name)
{
    struct bytes digest;
    return find_name(list, case_name, &digest);
}

static struct text requirement_terms(const struct requirement *requirement, char *data, size_t size)
{
    struct text terms = text_of(data, size);
    text_add(&terms, requirement_level_name(requirement->level));
    text_add(&terms, " ");
    text_add(&terms, requirement_basis_name(requirement->basis));
    text_add(&terms, " ");
    text_add(&terms, requirement->profiles);
    return terms;
}

bool suite_list_holds_requirement(const struct suite_list *list, const struct requirement *requirement)
{
    char data[128];
    struct bytes left = list->text, line, terms;
    bool any = false;
    requirement_terms(requirement, data, sizeof data);
    while (take_line(&left, &line)) {
        const struct bytes name = line_name(line, &terms);
        if (name.len == 0 || name.data[0] == '#' || is_case_name(name) || file_kind_of(name) != NULL)
            continue;
        any = true;
        if (bytes_equal(name, bytes_of_text(requirement->id)))
            return bytes_equal(terms, bytes_of_text(data));
    }
    return !any;
}

/* ---- texts ---- */

/* FNV-1a of 64 bits: it has to tell a change from none, nothing more. */
static void digest_write(struct bytes text, char out[SUITE_DIGEST_MAX])
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ text.data[i]) * 1099511628211u;
    snprintf(out, SUITE_DIGEST_MAX, "%016" PRIx64, hash);
}

static bool text_is(struct bytes text, struct bytes digest)
{
    char own[SUITE_DIGEST_MAX];
    digest_write(text, own);
    return digest.len == 0 || bytes_equal(digest, bytes_of_text(own));
}

/* The set's count when there is none. */
static size_t find_case(const struct case_set *set, struct bytes name)
{
    size_t i = 0;
    while (i < set->count && !bytes_equal(bytes_of_text(set->scripts[i]->name), name))
        i++;
    return i;
}

/* Moves case `from` of `kept` into `set`: in place of its case `at`, or behind the last. */
static void case_move(struct case_set *kept, size_t from, struct case_set *set, size_t at)
{
    struct case_script *script = kept->scripts[from];
    const struct bytes text = kept->texts[from];
    if (at == set->count) {
        kept->count--;
        kept->scripts[from] = kept->scripts[kept->count];
        kept->texts[from] = kept->texts[kept->count];
        set->count++;
    } else { /* freed with what is left of the kept ones */
        kept->scripts[from] = set->scripts[at];
        kept->texts[from] = set->texts[at];
    }
    set->scripts[at] = script;
    set->texts[at] = text;
}

/* Moves the last to where its name belongs. */
static void last_into_order(struct case_set *set)
{
    for (size_t i = set->count - 1; i > 0 && strcmp(set->scripts[i - 1]->name, set->scripts[i]->name) > 0;
         i--) {
        struct case_script *script = set->scripts[i];
        const struct bytes text = set->texts[i];
        set->scripts[i] = set->scripts[i - 1];
        set->texts[i] = set->texts[i - 1];
        set->scripts[i - 1] = script;
        set->texts[i - 1] = text;
    }
}

static bool say_missing(const struct suite_list *list, struct bytes name, struct bytes digest, bool gone)
{
    fprintf(
        stderr,
        "ojin-conform: the case %.*s is %s the suite %s has it (digest %.*s)%s %s has no such text of it\n",
        (int)name.len, (const char *)name.data, gone ? "gone, and" : "not as", list->path, (int)digest.len,
        (const char *)digest.data, gone ? ";" : ", and", list->kept);
    return false;
}

static bool restore_from(const struct suite_list *list, bool own_cases, struct case_set *kept,
                         struct case_set *set)
{
    struct bytes left = list->text, line, digest;
    while (take_line(&left, &line)) {
        const struct bytes name = line_name(line, &digest);
        if (!is_case_name(name))
            continue;
        const size_t at = find_case(set, name), from = find_case(kept, name);
        const bool gone = at == set->count;
        if (!gone && text_is(set->texts[at], digest))
            continue;
        const bool found = from < kept->count && text_is(kept->texts[from], digest);
        if (!found && gone && own_cases)
            continue;
        if (!found)
            return say_missing(list, name, digest, gone);
        if (gone && set->count == RUN_CASE_FILES_MAX) {
            fprintf(stderr, "ojin-conform: more than %d cases with those of %s\n", RUN_CASE_FILES_MAX,
                    list->kept);
            return false;
        }
        case_move(kept, from, set, at);
        if (gone)
            last_into_order(set);
    }
    return true;
}

/* ---- files ---- */

/* False with errno set. */
static bool file_digest(const struct file_kind *kind, struct bytes name, char digest[SUITE_DIGEST_MAX])
{
    char folder[OPTIONS_PATH_MAX], path[2 * OPTIONS_PATH_MAX];
    struct bytes data;
    snprintf(path, sizeof path, "%s/%.*s", data_path(kind->folder, folder, sizeof folder), (int)name.len,
             (const char *)name.data);
    if (!file_read(path, SUITE_FILE_BYTES_MAX, &data))
        return false;
    digest_write(data, digest);
    free((void *)(uintptr_t)data.data);
    return true;
}

/* Each file is what it was: a case of the suite means its bytes by the name. */
static bool files_check(const struct suite_list *list)
{
    char own[SUITE_DIGEST_MAX], folder[OPTIONS_PATH_MAX];
    struct bytes left = list->text, line, digest;
    while (take_line(&left, &line)) {
        const struct bytes name = line_name(line, &digest);
        const struct file_kind *kind = file_kind_of(name);
        if (kind == NULL || is_case_name(name) || digest.len == 0)
            continue;
        const size_t skip = strlen(kind->prefix);
        const struct bytes file = bytes_of(name.data + skip, name.len - skip);
        const bool there = file_digest(kind, file, own);
        if (there && bytes_equal(digest, bytes_of_text(own)))
            continue;
        fprintf(
            stderr,
            "ojin-conform: %s/%.*s is not what it was in the suite %s: expected the digest %.*s, found %s\n",
            data_path(kind->folder, folder, sizeof folder), (int)file.len, (const char *)file.data,
            list->path, (int)digest.len, (const char *)digest.data, there ? own : strerror(errno));
        return false;
    }
    return true;
}

bool suite_list_restore(const struct suite_list *list, bool own_cases, struct case_set *set)
{
    struct case_set *kept = calloc(1, sizeof *kept);
    bool good = kept != NULL;
    if (!good)
        fputs("ojin-conform: out of memory\n", stderr);
    if (good && access(list->kept, F_OK) == 0)
        good = case_set_load(list->kept, CASES_ABOUT_CLIENTS, kept);
    good = good && restore_from(list, own_cases, kept, set) && files_check(list);
    if (kept != NULL)
        case_set_free(kept);
    free(kept);
    return good;
}

/* ---- verdicts ---- */

static bool is_failure(const struct case_result *result)
{
    return result->verdict != VERDICT_ERROR && result->verdict != VERDICT_XPASS && case_fails(result);
}

/* Of a case that the list has: what is found of requirements that it has not. */
static void newer_requirements_apply(const struct suite_list *list, struct case_result *result)
{
    bool changed = false;
    for (size_t k = 0; k < result->check_count; k++) {
        struct check_result *check = &result->checks[k];
        if (check->verdict == VERDICT_ERROR || !check_would_fail(check) ||
            suite_list_holds_requirement(list, check->requirement))
            continue;
        check->verdict = VERDICT_NEW;
        changed = true;
    }
    if (changed)
        case_take_worst(result, result->end_verdict);
}

void suite_list_apply(const struct suite_list *list, struct run_result *run)
{
    for (size_t i = 0; i < run->case_count; i++) {
        struct run_case *run_case = &run->cases[i];
        struct case_result *result = &run_case->result;
        run_case->is_new = !suite_list_holds(list, run_case->script->name);
        if (run_case->is_new && is_failure(result))
            result->verdict = result->end_verdict = VERDICT_NEW;
        for (size_t k = 0; run_case->is_new && k < result->check_count; k++)
            if (result->checks[k].verdict != VERDICT_ERROR && check_would_fail(&result->checks[k]))
                result->checks[k].verdict = VERDICT_NEW;
        if (!run_case->is_new)
            newer_requirements_apply(list, result);
    }
}

/* ---- the list of today ---- */

static bool is_spoken(const struct selection *selection, const char *file)
{
    for (size_t i = 0; i < selection->count; i++) {
        const struct case_script *script = selection->cases[i].script;
        if (strcmp(script->class->family->speech, file) == 0)
            return true;
        for (size_t k = 0; k < script->plan_count; k++)
            if (script->plan[k].kind == PLAN_SPEAK && strcmp(script->plan[k].file, file) == 0)
                return true;
    }
    return false;
}

/* Sound files that the cases name or that their clients are given, and the pictures of the camera. */
static void files_write(FILE *out, const struct selection *selection, const struct file_kind *kind)
{
    char folder[OPTIONS_PATH_MAX], digest[SUITE_DIGEST_MAX];
    struct dirent **entries = NULL;
    const int count = scandir(data_path(kind->folder, folder, sizeof folder), &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        const size_t len = strlen(name);
        const bool named = kind == &FILE_KINDS[0] ? is_spoken(selection, name)
                                                  : len > 4 && strcmp(name + len - 4, ".jpg") == 0;
        if (named && file_digest(kind, bytes_of_text(name), digest))
            fprintf(out, "%s%s %s\n", kind->prefix, name, digest);
        free(entries[i]);
    }
    free(entries);
}

void suite_list_write(FILE *out, const struct selection *selection)
{
    char digest[SUITE_DIGEST_MAX], terms[128];
    fputs(NOT_RELEASED, out);
    for (size_t i = 0; i < selection->count; i++) {
        digest_write(selection->cases[i].text, digest);
        fprintf(out, "%s %s\n", selection->cases[i].script->name, digest);
    }
    for (size_t i = 0; i < sizeof FILE_KINDS / sizeof *FILE_KINDS; i++)
        files_write(out, selection, &FILE_KINDS[i]);
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++) {
        if (REQUIREMENTS[i].party != REQUIREMENT_CLIENT)
            continue;
        requirement_terms(&REQUIREMENTS[i], terms, sizeof terms);
        fprintf(out, "%s %s\n", REQUIREMENTS[i].id, terms);
    }
}
