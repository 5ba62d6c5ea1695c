/* Each line of the table of faults in server/SCRIPTS.md is a step that the parser takes. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/tests/suite.h"
#include "server/ojin/session_class.h"
#include "server/script/script.h"

enum { FILE_BYTES_MAX = 262144, LINE_BYTES_MAX = 1024, LINES_MIN = 40 };

static char *file_read(void)
{
    char *data = calloc(1, FILE_BYTES_MAX);
    FILE *file = fopen(SOURCE_DIR "/server/SCRIPTS.md", "r");
    ck_assert(data != NULL && file != NULL);
    ck_assert_uint_lt(fread(data, 1, FILE_BYTES_MAX - 1, file), FILE_BYTES_MAX - 1);
    fclose(file);
    return data;
}

/* In a table a "|" is written "\|"; else a backslash is the script's own. */
static void span_copy(const char *from, size_t len, char out[LINE_BYTES_MAX])
{
    ck_assert_uint_lt(len, LINE_BYTES_MAX);
    for (size_t i = 0; i < len; i++)
        if (from[i] != '\\' || from[i + 1] != '|')
            *out++ = from[i];
    *out = '\0';
}

static bool takes_connection(const char *step)
{
    static const char *const WORDS[] = {"accept", "refuse", "ignore"};
    for (size_t i = 0; i < TABLE_COUNT(WORDS); i++)
        if (strncmp(step, WORDS[i], strlen(WORDS[i])) == 0)
            return true;
    return false;
}

START_TEST(each_line_that_makes_a_fault_is_right)
{
    char *data = file_read();
    size_t lines = 0;
    const char *end = strstr(data, "What only a real transport can do");
    const char *at = strstr(data, "### Faults");
    ck_assert(at != NULL && end != NULL && at < end);
    while ((at = strchr(at, '`')) != NULL && at < end) {
        char step[LINE_BYTES_MAX], error[SCRIPT_ERROR_MAX];
        const char *close = strchr(at + 1, '`');
        ck_assert_ptr_nonnull(close);
        span_copy(at + 1, (size_t)(close - at) - 1, step);
        struct script *script = script_parse_steps("SCRIPTS.md", bytes_of_text(step), !takes_connection(step),
                                                   &OJIN_SESSION_CLASS, error);
        ck_assert_msg(script != NULL, "%s: %s", step, error);
        script_free(script);
        lines++;
        at = close + 1;
    }
    ck_assert_uint_ge(lines, LINES_MIN);
    free(data);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("faults");
    tcase_add_test(tcase, each_line_that_makes_a_fault_is_right);
    return suite_run("script faults", tcase);
}
