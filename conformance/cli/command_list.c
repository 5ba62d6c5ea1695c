/*
 * ojin-conform list: what cases there are, all of them or those that `run` would take with the same words.
 */
#include <stdio.h>
#include <string.h>

#include "codec/rules/requirements.h"
#include "conformance/cli/commands.h"
#include "conformance/options/option_values.h"
#include "conformance/selection/pattern_hints.h"
#include "conformance/selection/suite_list.h"

struct list_options {
    struct run_options run; /* first: the readers of run's options write it */
    bool servers, freeze;
};

#define AT(member) OPTION_INTO(struct run_options, member)

static const struct option_row ROWS[] = {
    {"server", NULL, "list the cases about servers", option_flag, OPTION_INTO(struct list_options, servers)},
    {"family", "NAME", "only cases of ojin, duplex or interview", option_family, AT(family),
     OPTION_FAMILY_WORDS},
    {"profile", "NAME", "only cases for this profile", option_text, AT(profile_name),
     .words = OPTION_PROFILES},
    {"tier", "TIER", "only cases that a client of that tier can do: wire, plan or observe", option_tier,
     AT(tier), OPTION_TIER_WORDS},
    {"set", "SET", "only cases of smoke, default or slow; slow is all", option_set, AT(set),
     OPTION_SET_WORDS},
    {"run", "PATTERN", "only cases that match (may be repeated): ojin/cancel/*", option_pattern, AT(run)},
    {"skip", "PATTERN", "leave out cases that match (may be repeated)", option_pattern, AT(skip)},
    {"shard", "I/N", "only part I of N", option_shard, AT(shard_index)},
    {"freeze", NULL,
     "print the list that run --suite takes: cases with the digest of their text, and\nrequirements",
     option_flag, OPTION_INTO(struct list_options, freeze)},
    OPTION_HELP_ROW,
};

const struct option_page LIST_PAGE = {
    .command = "list",
    .brief = "lists the cases",
    .before =
        "Usage: ojin-conform list [OPTION]… [DIR]\n"
        "\n"
        "Lists each case with the client tier it needs, its requirements and its title; with --server the\n"
        "cases about servers, with the condition each needs. Without options it lists all.\n"
        "A case marked 'transport' needs a real connection and is left out in memory.\n"
        "\n",
    OPTION_ROWS(ROWS),
    .column = 22,
    .after = "\n"
             "DIR is the folder of the case files (default: those of the suite).\n",
};

enum { TIER_COLUMNS = 10, CONDITION_COLUMNS = 18 };

static void print_case(const struct case_script *script, bool about_servers)
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

static int list_cases(const struct list_options *given)
{
    const struct run_options *options = &given->run;
    struct case_set set;
    struct selection selection;
    size_t count = 0, special = 0;
    const bool servers = given->servers;
    if (!case_set_load(options->cases_folder, servers ? CASES_ABOUT_SERVERS : CASES_ABOUT_CLIENTS, &set))
        return set.no_memory ? CONFORM_EXIT_OWN_ERROR : CONFORM_EXIT_USAGE;
    if (!patterns_match(options, &set)) {
        case_set_free(&set);
        return CONFORM_EXIT_USAGE;
    }
    select_cases(&set, options, &selection);
    if (given->freeze) {
        suite_list_write(stdout, &selection);
        case_set_free(&set);
        return CONFORM_EXIT_MET;
    }
    for (size_t i = 0; i < selection.count; i++) {
        const struct case_script *script = selection.cases[i].script;
        if (script->tier > options->tier)
            continue;
        print_case(script, servers);
        count++;
        special += servers ? script->condition[0] != '\0' : script->transport;
    }
    printf("%zu cases, %zu of them %s\n", count, special,
           servers ? "under a condition" : "for a real transport only");
    case_set_free(&set);
    return CONFORM_EXIT_MET;
}

/* Of a profile without its family the family is known by it. */
static bool settle_profile(struct run_options *options)
{
    options->all_profiles = options->profile_name == NULL || strcmp(options->profile_name, "all") == 0;
    if (options->all_profiles)
        return true;
    for (size_t i = 0; options->family == NULL && FAMILIES[i] != NULL; i++)
        if (family_profile(FAMILIES[i], options->profile_name) != NULL)
            options->family = FAMILIES[i];
    if (options->family == NULL)
        options->family = FAMILIES[0];
    return option_profile(options);
}

static enum options_outcome take_options(int argc, char *argv[], struct list_options *out)
{
    char **rest;
    struct run_options *options = &out->run;
    const enum options_outcome outcome = conform_options_parse(&LIST_PAGE, argc, argv, out, &rest);
    if (outcome != OPTIONS_RUN)
        return outcome;
    if (!settle_profile(options))
        return OPTIONS_WRONG;
    if (out->freeze && out->servers) {
        option_usage(&LIST_PAGE, "--freeze is for cases about clients, not with --server");
        return OPTIONS_WRONG;
    }
    if (rest[0] != NULL && rest[1] != NULL) {
        fprintf(stderr, "ojin-conform list: unexpected '%s'\n", rest[1]);
        option_usage(&LIST_PAGE, NULL);
        return OPTIONS_WRONG;
    }
    if (out->servers)
        options->cases_folder = default_server_cases_folder(options->default_cases);
    if (rest[0] != NULL)
        options->cases_folder = rest[0];
    return OPTIONS_RUN;
}

int command_list(int argc, char *argv[])
{
    struct list_options options = {.servers = false};
    run_options_defaults(&options.run);
    options.run.subcommand = "list";
    options.run.family = NULL;
    options.run.set = SCRIPT_SET_SLOW;
    const enum options_outcome outcome = take_options(argc, argv, &options);
    if (outcome != OPTIONS_RUN)
        return option_exit(outcome);
    return list_cases(&options);
}
