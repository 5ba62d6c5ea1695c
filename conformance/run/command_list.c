/*
 * ojin-conform list and check: what cases there are, and whether script files are right.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/rules/requirements.h"
#include "conformance/run/case_set.h"
#include "conformance/run/commands.h"

static const char LIST_HELP[] =
    "Usage: ojin-conform list [--server] [DIR]\n"
    "\n"
    "Shows each case with the tier it asks of a client, its requirements and its title; with --server\n"
    "the cases about servers, with the condition each needs.\n"
    "A case marked 'transport' needs a real connection and is left out in memory.\n";

static const char CHECK_HELP[] =
    "Usage: ojin-conform check FILE…\n"
    "\n"
    "Checks script files, each up to its first error, which names file, line, column and\n"
    "what was expected.\n"
    "Exit: 0 all are right, 2 some are not.\n";

static bool asks_for_help(int argc, char *argv[])
{
    return argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}

static void print_case(const struct script *script, bool about_servers)
{
    const char *first = about_servers ? script->condition : client_tier_name(script->tier);
    printf("%-42s %-10s %-10s", script->name, first,
           about_servers       ? script->profiles
           : script->transport ? "transport"
                               : "");
    for (size_t k = 0; k < script->clause_count; k++)
        printf(" %s", script->clauses[k].requirement->id);
    printf("  %s\n", script->title);
}

static int list_cases(const char *folder, enum case_party party)
{
    struct case_set set;
    size_t special = 0;
    const bool servers = party == CASES_ABOUT_SERVERS;
    if (!case_set_load(folder, party, &set))
        return CONFORM_EXIT_USAGE;
    for (size_t i = 0; i < set.count; i++) {
        print_case(set.scripts[i], servers);
        special += servers ? set.scripts[i]->condition[0] != '\0' : set.scripts[i]->transport;
    }
    printf("%zu cases, %zu of them %s\n", set.count, special,
           servers ? "under a condition" : "for a real transport only");
    case_set_free(&set);
    return CONFORM_EXIT_MET;
}

int command_list(int argc, char *argv[])
{
    if (asks_for_help(argc, argv)) {
        fputs(LIST_HELP, stdout);
        return CONFORM_EXIT_MET;
    }
    const bool servers = argc > 1 && strcmp(argv[1], "--server") == 0;
    char *const *rest = argv + (servers ? 2 : 1);
    if (rest[0] != NULL && (rest[1] != NULL || rest[0][0] == '-')) {
        fprintf(stderr, "ojin-conform list: unexpected '%s'\n%s", rest[1] != NULL ? rest[1] : rest[0],
                LIST_HELP);
        return CONFORM_EXIT_USAGE;
    }
    char folder[OPTIONS_PATH_MAX];
    if (rest[0] != NULL)
        return list_cases(rest[0], servers ? CASES_ABOUT_SERVERS : CASES_ABOUT_CLIENTS);
    return servers ? list_cases(default_server_cases_folder(folder), CASES_ABOUT_SERVERS)
                   : list_cases(default_cases_folder(folder), CASES_ABOUT_CLIENTS);
}

static bool check_file(const char *path)
{
    struct bytes text;
    char error[SCRIPT_ERROR_MAX];
    if (!file_read(path, SCRIPT_BYTES_MAX, &text)) {
        fprintf(stderr, "ojin-conform: cannot read %s: %s\n", path, strerror(errno));
        return false;
    }
    struct script *script = script_parse(path, text, session_class_by_family("ojin"), error);
    if (script == NULL)
        fprintf(stderr, "%s\n", error);
    else
        printf("%s: case %s, good\n", path, script->name);
    script_free(script);
    free((void *)(uintptr_t)text.data);
    return script != NULL;
}

int command_check(int argc, char *argv[])
{
    if (asks_for_help(argc, argv)) {
        fputs(CHECK_HELP, stdout);
        return CONFORM_EXIT_MET;
    }
    if (argc < 2) {
        fprintf(stderr, "ojin-conform check: no file\n%s", CHECK_HELP);
        return CONFORM_EXIT_USAGE;
    }
    bool good = true;
    for (int i = 1; i < argc; i++)
        good = check_file(argv[i]) && good;
    return good ? CONFORM_EXIT_MET : CONFORM_EXIT_USAGE;
}
