/*
 * ojin-conform explain: what a requirement or a case is, and how it is judged.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "codec/wire/nearest.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/explain.h"

enum { ID_BYTES_MAX = 32, SUGGESTION_BYTES_MAX = 400 };

static const struct option_row ROWS[] = {
    {"json", NULL, "print one JSON object a line", option_flag, .bytes = sizeof(bool)},
    OPTION_HELP_ROW,
};

const struct option_page EXPLAIN_PAGE = {
    .command = "explain",
    .brief = "explains a requirement or a case: ojin-conform explain OJ-CAN-03",
    .stops = true,
    .indented = true,
    .before = "Usage: ojin-conform explain [--json] ID|CASE…\n"
              "\n"
              "Explains a requirement: its sentence, level and basis, its document and section, and how it "
              "is judged;\n"
              "or a case: what the client is asked to do, what the mock does, and what must hold.\n"
              "\n",
    OPTION_ROWS(ROWS),
    .column = 15,
    .after = "\n"
             "Exit: 0 done, 2 no requirement or case has that name.\n"
             "\n"
             "Example: ojin-conform explain OJ-CAN-03\n"
             "         ojin-conform explain ojin/cancel/late-speech\n",
};

static const struct requirement *find_requirement(const char *id)
{
    for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
        if (strcasecmp(REQUIREMENTS[i].id, id) == 0)
            return &REQUIREMENTS[i];
    return NULL;
}

static bool explain_case_named(const struct case_set *cases, const char *name, bool json)
{
    for (size_t i = 0; i < cases->count; i++) {
        if (strcmp(cases->scripts[i]->name, name) != 0)
            continue;
        explain_case(stdout, cases->scripts[i], cases->texts[i], json);
        return true;
    }
    return false;
}

/* ---- what else may have been meant ---- */

static void offer_cases(struct nearest *nearest, const struct case_set *cases)
{
    for (size_t i = 0; i < cases->count; i++)
        nearest_offer(nearest, cases->scripts[i]->name);
}

/* The first case whose name holds the word: "late-speech". */
static const char *case_holding(const struct case_set *cases, const char *word)
{
    for (size_t i = 0; i < cases->count; i++)
        if (strstr(cases->scripts[i]->name, word) != NULL)
            return cases->scripts[i]->name;
    return NULL;
}

static void say_unknown(const struct explain_suite *suite, const char *name)
{
    char upper[ID_BYTES_MAX] = "";
    for (size_t i = 0; name[i] != '\0' && i + 1 < sizeof upper; i++)
        upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
    struct nearest nearest = nearest_to(bytes_of_text(name));
    offer_cases(&nearest, &suite->clients);
    offer_cases(&nearest, &suite->servers);
    if (nearest.name == NULL) {
        nearest = nearest_to(bytes_of_text(upper));
        for (size_t i = 0; i < REQUIREMENT_COUNT; i++)
            nearest_offer(&nearest, REQUIREMENTS[i].id);
    }
    const char *holding = case_holding(&suite->clients, name);
    if (holding == NULL)
        holding = case_holding(&suite->servers, name);
    char suggestion[SUGGESTION_BYTES_MAX] = "";
    struct text text = text_of(suggestion, sizeof suggestion);
    text_add_nearest(&text, &nearest);
    if (nearest.name == NULL && holding != NULL && name[0] != '\0') {
        text_add(&text, "; did you mean \"");
        text_add(&text, holding);
        text_add(&text, "\"?");
    }
    fprintf(stderr, "ojin-conform explain: no requirement and no case '%s'%s\n", name,
            suggestion[0] != '\0' ? suggestion : ": 'ojin-conform list' shows the cases");
}

static bool explain_name(const struct explain_suite *suite, const char *name, bool json)
{
    const struct requirement *requirement = find_requirement(name);
    if (requirement != NULL) {
        explain_requirement(stdout, requirement,
                            requirement->party == REQUIREMENT_SERVER ? &suite->servers : &suite->clients,
                            json);
        return true;
    }
    if (explain_case_named(&suite->clients, name, json) || explain_case_named(&suite->servers, name, json))
        return true;
    say_unknown(suite, name);
    return false;
}

static int explain_all(char *const names[], bool json)
{
    char folder[OPTIONS_PATH_MAX];
    struct explain_suite *suite = calloc(1, sizeof *suite);
    bool good = suite != NULL &&
                case_set_load(default_cases_folder(folder), CASES_ABOUT_CLIENTS, &suite->clients) &&
                case_set_load(default_server_cases_folder(folder), CASES_ABOUT_SERVERS, &suite->servers);
    for (size_t i = 0; good && names[i] != NULL; i++) {
        if (i > 0 && !json)
            putchar('\n');
        good = explain_name(suite, names[i], json);
    }
    if (suite != NULL) {
        case_set_free(&suite->clients);
        case_set_free(&suite->servers);
    }
    free(suite);
    return good ? CONFORM_EXIT_MET : CONFORM_EXIT_USAGE;
}

int command_explain(int argc, char *argv[])
{
    bool json = false;
    char **names;
    const enum options_outcome outcome = conform_options_parse(&EXPLAIN_PAGE, argc, argv, &json, &names);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    if (names[0] == NULL) {
        option_usage(&EXPLAIN_PAGE, "expected the id of a requirement or the name of a case");
        return CONFORM_EXIT_USAGE;
    }
    return explain_all(names, json);
}
