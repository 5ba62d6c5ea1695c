#include <check.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codec/rules/follows.h"

static const struct {
    const char *number, *title;
} DOCUMENTS[] = {{"\t000 ", "\tOjin Oris 1.0 Realtime API: "},
                 {"; 000 ", "; Ojin Oris 1.0 Realtime API: "},
                 {"\t001 ", "\tOjin documentation of the earlier Realtime API: "},
                 {"; 001 ", "; Ojin documentation of the earlier Realtime API: "},
                 {"\t002 ", "\tVideo Full-Duplex Protocol: "},
                 {"; 002 ", "; Video Full-Duplex Protocol: "},
                 {"\t003 ", "\tOjin Flashhead Lite 1.0 Realtime API: "},
                 {"\t004 ", "\tRealtime Interview API: "},
                 {"\tfield notes\t", "\tseen in use, in no document\t"}};

/* Puts the titles of documents where the table has their numbers. */
static void name_documents(char *line, size_t size)
{
    for (size_t i = 0; i < sizeof DOCUMENTS / sizeof DOCUMENTS[0]; i++) {
        char *at = strstr(line, DOCUMENTS[i].number);
        const size_t number = strlen(DOCUMENTS[i].number), title = strlen(DOCUMENTS[i].title);
        if (at == NULL)
            continue;
        ck_assert_uint_lt(strlen(line) + title, size);
        memmove(at + title, at + number, strlen(at + number) + 1);
        memcpy(at, DOCUMENTS[i].title, title);
    }
}

START_TEST(every_row_of_the_table_is_there_with_the_titles_of_its_documents)
{
    FILE *table = fopen(SOURCE_DIR "/codec/rules/requirements.tsv", "rb");
    ck_assert_ptr_nonnull(table);
    char line[2048];
    size_t lines = 0;
    while (fgets(line, sizeof line, table) != NULL) {
        if (lines++ == 0)
            continue;
        ck_assert_uint_le(lines - 2, REQUIREMENT_COUNT);
        const struct requirement *row = &REQUIREMENTS[lines - 2];
        char again[2048];
        snprintf(again, sizeof again, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row->id,
                 row->party == REQUIREMENT_CLIENT ? "client" : "server", requirement_level_name(row->level),
                 requirement_basis_name(row->basis), row->profiles, row->source, row->statement);
        name_documents(line, sizeof line);
        ck_assert_str_eq(again, line);
        ck_assert_msg(row->source[0] < '0' || row->source[0] > '9', "%s names no document: %s", row->id,
                      row->source);
    }
    ck_assert_uint_eq(lines, REQUIREMENT_COUNT + 1);
    fclose(table);
}
END_TEST

START_TEST(requirements_are_found_by_their_id)
{
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        ck_assert_ptr_eq(requirement_by_id(REQUIREMENTS[i].id), &REQUIREMENTS[i]);
    for (size_t i = 1; i < REQUIREMENT_COUNT; i++) {
        const struct requirement *row = &REQUIREMENTS[REQUIREMENTS_BY_ID[i]];
        ck_assert_str_lt(REQUIREMENTS[REQUIREMENTS_BY_ID[i - 1]].id, row->id);
    }
    ck_assert_ptr_null(requirement_by_id("A"));
    ck_assert_ptr_null(requirement_by_id("ZZ-ZZZ-99"));
    ck_assert_ptr_null(requirement_by_id("OJ-CON-0"));
    ck_assert_ptr_null(requirement_by_id("OJ-CON-011"));
    ck_assert_ptr_null(requirement_by_id("OJ-CON-99"));
    ck_assert_ptr_null(requirement_by_id("oj-con-01"));
    ck_assert_ptr_null(requirement_by_id(""));
}
END_TEST

static int rank_of(const struct requirement *requirement)
{
    return requirement->level == REQUIREMENT_MUST ? 2 : requirement->level == REQUIREMENT_SHOULD ? 1 : 0;
}

/* A row that may go the other way of another. */
static bool stands_first(const struct follow_row *row)
{
    return row->without || row->by_crash;
}

/* By a row that holds whatever other sessions show? */
static bool follows_but_without(const char *id, const char *from)
{
    for (size_t i = 0; i < FOLLOWS_COUNT; i++)
        if (!stands_first(&FOLLOWS[i]) && strcmp(FOLLOWS[i].from, from) == 0 &&
            follow_row_holds(&FOLLOWS[i], id))
            return true;
    return false;
}

START_TEST(what_follows_from_a_requirement_is_one_of_the_same_family_and_binds_no_harder)
{
    for (size_t i = 0; i < FOLLOWS_COUNT; i++) {
        const struct follow_row *row = &FOLLOWS[i];
        const struct requirement *from = requirement_by_id(row->from);
        ck_assert_msg(from != NULL && from->party == REQUIREMENT_CLIENT, "%s", row->from);
        ck_assert(row->what[0] != NULL || row->by_crash);
        for (size_t n = 0; n < FOLLOWERS_MAX && row->what[n] != NULL; n++) {
            const struct requirement *what = requirement_by_id(row->what[n]);
            ck_assert_msg(what != NULL && what->party == REQUIREMENT_CLIENT, "%s of %s", row->what[n],
                          row->from);
            ck_assert_mem_eq(what->id, from->id, 2);
            ck_assert_msg(rank_of(what) <= rank_of(from), "%s of %s", what->id, from->id);
            ck_assert(row->by_crash || requirement_follows(what->id, from->id));
            ck_assert(stands_first(row) || !follows_but_without(from->id, what->id));
        }
    }
}
END_TEST

START_TEST(a_requirement_stands_below_those_that_it_follows_from)
{
    for (size_t i = 0; i < FOLLOWS_COUNT; i++) {
        for (size_t below = i; below < FOLLOWS_COUNT; below++) {
            const bool same = strcmp(FOLLOWS[i].from, FOLLOWS[below].from) == 0;
            ck_assert(stands_first(&FOLLOWS[i]) || !stands_first(&FOLLOWS[below]));
            if (stands_first(&FOLLOWS[i]))
                continue;
            ck_assert_msg(!follow_row_holds(&FOLLOWS[below], FOLLOWS[i].from), "%s, %s", FOLLOWS[i].from,
                          FOLLOWS[below].from);
            ck_assert(below == i || !same);
        }
    }
}
END_TEST

START_TEST(what_keeps_a_session_from_going_on_is_of_the_same_family_as_what_it_keeps_from_coming)
{
    for (size_t i = 0; i < STOPS_COUNT; i++) {
        const struct stop_row *row = &STOPS[i];
        const struct requirement *from = requirement_by_id(row->from);
        ck_assert_msg(from != NULL && from->party == REQUIREMENT_CLIENT, "%s", row->from);
        ck_assert(!row->leaves || row->what[0] == NULL);
        for (size_t n = 0; n < FOLLOWERS_MAX && row->what[n] != NULL; n++) {
            const struct requirement *what = requirement_by_id(row->what[n]);
            ck_assert_msg(what != NULL && what->party == REQUIREMENT_CLIENT, "%s of %s", row->what[n],
                          row->from);
            ck_assert_mem_eq(what->id, from->id, 2);
            ck_assert(stop_row_holds(row, what->id));
            ck_assert(!stop_row_holds(row, from->id));
        }
    }
}
END_TEST

#define HEADER "id\tparty\tlevel\tbasis\tprofiles\tsource\tstatement\n"
#define ROW    "OJ-CON-01\tclient\tMUST\tdoc\tall\t000\tSays \"it\"\n"

static const struct {
    const char *name;
    const char *table;
    const char *complaint; /* NULL: taken; else what standard error must hold */
} TABLES[] = {
    {"one row", HEADER ROW, NULL},
    {"empty file", "", "holds no requirement"},
    {"header only", HEADER, "holds no requirement"},
    {"wrong header", "id\tparty\tlevel\tbasis\tprofile\tsource\tstatement\n" ROW, ":1: not the column"},
    {"six cells", HEADER ROW "OJ-CON-02\tclient\tMUST\tdoc\tall\t000\n", ":3: fewer than seven"},
    {"eight cells", HEADER "OJ-CON-01\tclient\tMUST\tdoc\tall\t000\ta\tb\n", ":2: more than seven"},
    {"empty cell", HEADER "OJ-CON-01\tclient\tMUST\tdoc\t\t000\ta\n", ":2: an empty cell"},
    {"bad id", HEADER "OJ-CON-1\tclient\tMUST\tdoc\tall\t000\ta\n", ":2: not an id"},
    {"repeated id", HEADER ROW ROW, ":3: this id"},
    {"bad party", HEADER "OJ-CON-01\tpeer\tMUST\tdoc\tall\t000\ta\n", ":2: no such party"},
    {"bad level", HEADER "OJ-CON-01\tclient\tmust\tdoc\tall\t000\ta\n", ":2: no such level"},
    {"bad basis", HEADER "OJ-CON-01\tclient\tMUST\tguess\tall\t000\ta\n", ":2: no such basis"},
    {"no such document", HEADER "OJ-CON-01\tclient\tMUST\tdoc\tall\t009 Frames\ta\n", ":2: no document has"},
    {"not ASCII", HEADER "OJ-CON-01\tclient\tMUST\tdoc\tall\t000\t\xc3\xa9\n", ":2: a character"},
    {"carriage return", HEADER "OJ-CON-01\tclient\tMUST\tdoc\tall\t000\ta\r\n", ":2: a character"},
    {"empty line", HEADER ROW "\n", ":3: an empty cell"},
    {"last line not ended", HEADER "OJ-CON-01\tclient\tMUST\tdoc\tall\t000\ta", ":2: too long"},
};

/* Runs the generator with its complaints in a file; its exit status, or -1. */
static int generate(char *table, char *out, const char *complaints)
{
    char program[] = GENERATOR;
    char *const arguments[] = {program, table, out, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    ck_assert_int_eq(posix_spawn_file_actions_init(&actions), 0);
    ck_assert_int_eq(posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, complaints,
                                                      O_WRONLY | O_CREAT | O_TRUNC, 0600),
                     0);
    ck_assert_int_eq(posix_spawn(&child, program, &actions, NULL, arguments, NULL), 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    posix_spawn_file_actions_destroy(&actions);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(a_row_out_of_form_ends_the_build_and_is_named)
{
    char folder[] = "/tmp/requirements-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    char table[64];
    char complaints[64];
    char out[64];
    snprintf(table, sizeof table, "%s/in.tsv", folder);
    snprintf(complaints, sizeof complaints, "%s/errors", folder);
    snprintf(out, sizeof out, "%s/out.c", folder);
    FILE *file = fopen(table, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(TABLES[_i].table, file), 0);
    fclose(file);
    int status = generate(table, out, complaints);
    ck_assert_msg(status == (TABLES[_i].complaint == NULL ? 0 : 1), "%s: status %d", TABLES[_i].name, status);
    char said[512] = "";
    file = fopen(complaints, "rb");
    ck_assert_ptr_nonnull(file);
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    fclose(file);
    if (TABLES[_i].complaint != NULL)
        ck_assert_msg(strstr(said, TABLES[_i].complaint) != NULL, "%s: said '%s'", TABLES[_i].name, said);
    /* Nothing half-made stays behind. */
    ck_assert_int_eq(remove(out) == 0, TABLES[_i].complaint == NULL);
    remove(table);
    remove(complaints);
    remove(folder);
}
END_TEST

static const struct {
    const char *id, *profile;
    enum requirement_basis basis;
} BASES_THERE[] = {
    {"DX-APP-06", "video", BASIS_DOC},
    {"DX-APP-06", "audio", BASIS_INFERRED}, /* 002 covers video */
    {"DX-APP-06", "duplex-later", BASIS_INFERRED},
    {"DX-APP-05", "audio", BASIS_FIELD},
    {"DX-APP-07", "video", BASIS_INFERRED},
    {"DX-APP-06", NULL, BASIS_DOC},
};

START_TEST(what_a_document_says_is_inferred_of_a_mode_that_it_does_not_cover)
{
    static const struct profile PROFILES[] = {{.name = "video", .document = "002"},
                                              {.name = "audio", .document = "field notes"},
                                              {.name = "duplex-later", .document = "field notes"}};
    const struct requirement *requirement = requirement_by_id(BASES_THERE[_i].id);
    const struct profile *profile = NULL;
    for (size_t i = 0; BASES_THERE[_i].profile != NULL && i < sizeof PROFILES / sizeof PROFILES[0]; i++)
        if (strcmp(PROFILES[i].name, BASES_THERE[_i].profile) == 0)
            profile = &PROFILES[i];
    ck_assert_ptr_nonnull(requirement);
    ck_assert_int_eq(requirement_basis_in(requirement, profile), BASES_THERE[_i].basis);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("requirements");
    TCase *tcase = tcase_create("requirements");
    tcase_add_test(tcase, every_row_of_the_table_is_there_with_the_titles_of_its_documents);
    tcase_add_test(tcase, requirements_are_found_by_their_id);
    tcase_add_test(tcase, what_follows_from_a_requirement_is_one_of_the_same_family_and_binds_no_harder);
    tcase_add_test(tcase, a_requirement_stands_below_those_that_it_follows_from);
    tcase_add_test(tcase,
                   what_keeps_a_session_from_going_on_is_of_the_same_family_as_what_it_keeps_from_coming);
    tcase_add_loop_test(tcase, a_row_out_of_form_ends_the_build_and_is_named, 0,
                        (int)(sizeof TABLES / sizeof TABLES[0]));
    tcase_add_loop_test(tcase, what_a_document_says_is_inferred_of_a_mode_that_it_does_not_cover, 0,
                        (int)(sizeof BASES_THERE / sizeof BASES_THERE[0]));
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
