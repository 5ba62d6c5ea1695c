/*
 * Any bytes as a baseline and as a frozen suite: complaints of the form FILE:LINE:COLUMN: expected X, found
 * Y, or entries that are whole and in the order of their lines.
 */
#define _GNU_SOURCE /* memfd_create; stderr may be set */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/script/case_script.h"
#include "conformance/selection/baseline.h"
#include "conformance/selection/suite_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum {
    PATH_BYTES_MAX = 40,
    INPUT_BYTES_MAX = 65536,
    STARS_MAX = 3 /* of a line: each multiplies the work of a shell pattern */
};

static const char CASE[] = "case ojin/connect/one\n"
                           "title \"t\"\n"
                           "expect \"e\"\n"
                           "clause OJ-CON-01 MUST\n"
                           "limit 1s\n"
                           "plan {\n speak \"hello-1s.wav\"\n end\n}\n"
                           "server {\n accept\n serve until=close\n}\n"
                           "check said MUST count received:upgrade max=2\n";

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* A set of one case, made once. */
static struct case_set *the_set(void)
{
    static struct case_set set;
    char error[SCRIPT_ERROR_MAX] = "";
    if (set.count == 0) {
        set.scripts[0] =
            case_script_parse("one.session", bytes_of_text(CASE), case_family_by_name("ojin"), error);
        if (set.scripts[0] == NULL)
            fprintf(stderr, "%s\n", error);
        check(set.scripts[0] != NULL);
        set.count = 1;
    }
    return &set;
}

/* ":12" at `*at`, which moves behind it. */
static bool skip_number(const char **at)
{
    if (**at != ':' || !isdigit((unsigned char)(*at)[1]))
        return false;
    for ((*at)++; isdigit((unsigned char)**at);)
        (*at)++;
    return true;
}

/* One complaint a line, of one form. */
static void check_complaints(const char *path, const char *said)
{
    static const char EXPECTED[] = ": expected ";
    check(*said != '\0');
    while (*said != '\0') {
        const char *end = strchr(said, '\n');
        check(end != NULL && strncmp(said, path, strlen(path)) == 0);
        said += strlen(path);
        check(skip_number(&said)); /* the line */
        check(skip_number(&said)); /* the column */
        check(strncmp(said, EXPECTED, sizeof EXPECTED - 1) == 0);
        const char *found = strstr(said, ", found ");
        check(found != NULL && found < end);
        said = end + 1;
    }
}

static bool is_whole(const char *text, size_t capacity)
{
    return memchr(text, '\0', capacity) != NULL;
}

static void check_entries(const struct baseline *baseline)
{
    unsigned before = 0;
    check(baseline->count <= BASELINE_ENTRIES_MAX);
    for (size_t n = 0; n < baseline->count; n++) {
        const struct baseline_entry *entry = &baseline->entries[n];
        check(entry->line > before && entry->pattern[0] != '\0' && entry->reason[0] != '\0');
        check(is_whole(entry->pattern, sizeof entry->pattern) &&
              is_whole(entry->check, sizeof entry->check) && is_whole(entry->reason, sizeof entry->reason));
        before = entry->line;
    }
}

static void try_baseline(const char *path)
{
    struct baseline baseline;
    char *said = NULL;
    size_t said_len = 0;
    FILE *const before = stderr;
    FILE *const heard = open_memstream(&said, &said_len);
    check(heard != NULL);
    stderr = heard;
    const bool good = baseline_load(path, the_set(), false, &baseline);
    stderr = before;
    check(fclose(heard) == 0);
    if (good) {
        check(said_len == 0);
        check_entries(&baseline);
        baseline_free(&baseline);
    } else {
        check_complaints(path, said);
    }
    free(said);
}

/* What stands before a space in each line of it is held; a text that it lacks is told in one line. */
static void try_suite(const char *path, const char *text)
{
    struct suite_list list;
    char line[BASELINE_PATTERN_MAX];
    check(suite_list_load(path, &list));
    const size_t len = strcspn(text, " \n");
    if (len > 0 && len < sizeof line) {
        memcpy(line, text, len);
        line[len] = '\0';
        check(suite_list_holds(&list, line) || text[len] == '\0');
    }
    check(!suite_list_holds(&list, "no\nname") && !suite_list_holds(&list, "no name"));
    (void)suite_list_holds_requirement(&list, &REQUIREMENTS[0]);
    char *said = NULL;
    size_t said_len = 0;
    FILE *const before = stderr;
    FILE *const heard = open_memstream(&said, &said_len);
    check(heard != NULL);
    stderr = heard;
    const bool good = suite_list_restore(&list, true, the_set());
    stderr = before;
    check(fclose(heard) == 0);
    check(good == (said_len == 0) && the_set()->count == 1);
    free(said);
    suite_list_free(&list);
}

static bool has_many_stars(const uint8_t *data, size_t len)
{
    unsigned stars = 0;
    for (size_t n = 0; n < len; n++) {
        stars = data[n] == '\n' ? 0 : stars + (data[n] == '*' ? 1 : 0);
        if (stars > STARS_MAX)
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char path[PATH_BYTES_MAX];
    (void)the_set();
    if (len > INPUT_BYTES_MAX || has_many_stars(data, len))
        return 0;
    const int fd = memfd_create("baseline", MFD_CLOEXEC);
    check(fd >= 0 && (len == 0 || write(fd, data, len) == (ssize_t)len));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    char *text = malloc(len + 1);
    check(text != NULL);
    if (len > 0)
        memcpy(text, data, len);
    text[len] = '\0';
    try_baseline(path);
    try_suite(path, text);
    free(text);
    close(fd);
    return 0;
}
