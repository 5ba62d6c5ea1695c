/*
 * Any bytes as the reports of shards, put together into a run: a sentence that names the report, or a run
 * whose cases have scripts, each once, and which can be written as a part again. The input is one report, or
 * several with a NUL between them.
 */
#include <stdlib.h>

#include "codec/tests/exact_copy.h"
#include "conformance/report/run_part.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { REPORTS_MAX = 4, SCRIPTS = 2 };

static const char VERSION[] = "1";
static const char *const PATHS[REPORTS_MAX] = {"a.json", "b.json", "c.json", "d.json"};
static const char *const CASES[SCRIPTS] = {
    "case ojin/connect/one\ntitle \"t\"\nexpect \"e\"\nclause OJ-CON-01 MUST\nlimit 1s\n"
    "plan {\n speak \"hello-1s.wav\"\n end\n}\nserver {\n accept\n serve until=close\n}\n",
    "case ojin/connect/two\ntitle \"t\"\nexpect \"e\"\nclause OJ-CON-01 MUST\nlimit 1s\n"
    "plan {\n speak \"hello-1s.wav\"\n end\n}\nserver {\n accept\n serve until=close\n}\n"};

static void check(bool holds)
{
    if (!holds)
        abort();
}

static const struct case_script *const *scripts(void)
{
    static const struct case_script *made[SCRIPTS];
    char error[SCRIPT_ERROR_MAX];
    for (size_t i = 0; i < SCRIPTS && made[i] == NULL; i++) {
        made[i] = case_script_parse("x.session", bytes_of_text(CASES[i]), case_family_by_name("ojin"), error);
        check(made[i] != NULL);
    }
    return made;
}

static void check_run(const struct run_result *run)
{
    const struct run_part_place place = {.shard = 1, .of = 1, .family = "ojin", .conditions = ""};
    for (size_t i = 0; i < run->case_count; i++) {
        check(run->cases[i].script != NULL && run->cases[i].profile != NULL);
        check(i == 0 || run->cases[i].script != run->cases[i - 1].script);
        check(run->cases[i].result.check_count <= JUDGE_CHECKS_MAX);
        check(memchr(run->cases[i].result.note, '\0', sizeof run->cases[i].result.note) != NULL);
    }
    struct cJSON *part = run_part_new(run, &place);
    check(part != NULL);
    run_part_free(part);
}

static void join(const struct run_report *reports, size_t count)
{
    char sentence[RUN_PART_ERROR_MAX];
    struct text error = text_of(sentence, sizeof sentence);
    const struct run_join with = {.scripts = scripts(), .script_count = SCRIPTS};
    struct run_result *run = malloc(sizeof *run);
    check(run != NULL);
    if (!run_reports_agree(reports, count, &error)) {
        check(error.len > 0);
    } else {
        const bool good = run_reports_join(reports, count, &with, run, &error);
        check(good == (error.len == 0));
        if (good)
            check_run(run);
        run_join_free(run);
    }
    free(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct run_report reports[REPORTS_MAX];
    size_t count = 0, at = 0;
    bool good = true;
    while (good && count < REPORTS_MAX && at <= len) {
        char sentence[RUN_PART_ERROR_MAX];
        struct text error = text_of(sentence, sizeof sentence);
        const size_t piece = bytes_find_byte(bytes_of(data + at, len - at), 0);
        const struct exact_copy copy = exact_copy_of(bytes_of(data + at, piece));
        good = run_report_read(PATHS[count], copy.bytes, VERSION, &reports[count], &error);
        check(good == (error.len == 0));
        check(good || strncmp(sentence, PATHS[count], strlen(PATHS[count])) == 0);
        exact_copy_free(copy); /* it keeps nothing of the text */
        count += good ? 1 : 0;
        at += piece + 1;
    }
    if (good && count > 0)
        join(reports, count);
    for (size_t i = 0; i < count; i++)
        run_report_free(&reports[i]);
    return 0;
}
