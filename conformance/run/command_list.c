/*
 * ojin-conform list: what cases there are.
 */
#include <stdio.h>
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

static bool asks_for_help(int argc, char *argv[])
{
    return argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}

enum { TIER_COLUMNS = 10, CONDITION_COLUMNS = 18 };

static void print_case(const struct script *script, bool about_servers)
{
    const char *first = about_servers ? script->condition : client_tier_name(script->tier);
    printf("%-42s %-*s %-10s", script->name, about_servers ? CONDITION_COLUMNS : TIER_COLUMNS, first,
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
