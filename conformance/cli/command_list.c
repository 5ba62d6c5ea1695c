/*
 * ojin-conform list: what cases there are, all of them or those that `run` would take with the same words.
 */
#include <stdio.h>
#include <string.h>

#include "codec/rules/requirements.h"
#include "conformance/cli/commands.h"
#include "conformance/options/option_values.h"
#include "conformance/options/option_words.h"
#include "conformance/selection/pattern_hints.h"

static const char LIST_HELP[] =
    "Usage: ojin-conform list [OPTION]… [DIR]\n"
    "\n"
    "Lists each case with the client tier it needs, its requirements and its title; with --server the\n"
    "cases about servers, with the condition each needs. Without options it lists all.\n"
    "A case marked 'transport' needs a real connection and is left out in memory.\n"
    "\n"
    "  --server            list the cases about servers\n"
    "  --family NAME       only cases of ojin or duplex\n"
    "  --profile NAME      only cases for this profile\n"
    "  --tier TIER         only cases that a client of that tier can do: wire, plan or observe\n"
    "  --set SET           only cases of smoke, default or slow; slow is all\n"
    "  --run PATTERN       only cases that match (may be repeated): ojin/cancel/*\n"
    "  --skip PATTERN      leave out cases that match (may be repeated)\n"
    "  --shard I/N         only part I of N\n"
    "  -h, --help          print this help and exit\n"
    "\n"
    "DIR is the folder of the case files (default: those of the suite).\n";

enum option_code {
    OPTION_SERVER = 256,
    OPTION_FAMILY,
    OPTION_PROFILE,
    OPTION_TIER,
    OPTION_SET,
    OPTION_RUN,
    OPTION_SKIP,
    OPTION_SHARD
};

static const struct option LONG_OPTIONS[] = {
    {"server", no_argument, NULL, OPTION_SERVER},
    {"family", required_argument, NULL, OPTION_FAMILY},
    {"profile", required_argument, NULL, OPTION_PROFILE},
    {"tier", required_argument, NULL, OPTION_TIER},
    {"set", required_argument, NULL, OPTION_SET},
    {"run", required_argument, NULL, OPTION_RUN},
    {"skip", required_argument, NULL, OPTION_SKIP},
    {"shard", required_argument, NULL, OPTION_SHARD},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
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

static int list_cases(const struct run_options *options, enum case_party party)
{
    struct case_set set;
    struct selection selection;
    size_t count = 0, special = 0;
    const bool servers = party == CASES_ABOUT_SERVERS;
    if (!case_set_load(options->cases_folder, party, &set))
        return CONFORM_EXIT_USAGE;
    if (!patterns_match(options, &set)) {
        case_set_free(&set);
        return CONFORM_EXIT_USAGE;
    }
    select_cases(&set, options, &selection);
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

/* False when the option's value is wrong. */
static bool take_option(int option, char *value, struct run_options *out, enum case_party *party)
{
    switch (option) {
    case OPTION_SERVER:
        *party = CASES_ABOUT_SERVERS;
        return true;
    case OPTION_FAMILY:
        return option_family(out->subcommand, value, &out->family);
    case OPTION_PROFILE:
        out->profile_name = value;
        return true;
    case OPTION_TIER:
        return option_tier(value, out);
    case OPTION_SET:
        return option_set(value, out);
    case OPTION_RUN:
        return option_pattern("--run", value, out->run_patterns, &out->run_count, out);
    case OPTION_SKIP:
        return option_pattern("--skip", value, out->skip_patterns, &out->skip_count, out);
    case OPTION_SHARD:
        return option_shard(value, out);
    default: /* option_next has said what is wrong */
        return false;
    }
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

static enum options_outcome take_options(int argc, char *argv[], struct run_options *options,
                                         enum case_party *party)
{
    optind = 1;
    for (int option = 0; (option = option_next(argc, argv, "h", LONG_OPTIONS, "list", LIST_HELP)) != -1;) {
        if (option == 'h') {
            fputs(LIST_HELP, stdout);
            return OPTIONS_DONE;
        }
        if (!take_option(option, optarg, options, party)) {
            fputs("Try 'ojin-conform list --help'.\n", stderr);
            return OPTIONS_WRONG;
        }
    }
    if (!settle_profile(options))
        return OPTIONS_WRONG;
    if (optind + 1 < argc) {
        fprintf(stderr, "ojin-conform list: unexpected '%s'\n%s", argv[optind + 1], LIST_HELP);
        return OPTIONS_WRONG;
    }
    if (*party == CASES_ABOUT_SERVERS)
        options->cases_folder = default_server_cases_folder(options->default_cases);
    if (optind < argc)
        options->cases_folder = argv[optind];
    return OPTIONS_RUN;
}

int command_list(int argc, char *argv[])
{
    struct run_options options;
    enum case_party party = CASES_ABOUT_CLIENTS;
    run_options_defaults(&options);
    options.subcommand = "list";
    options.family = NULL;
    options.set = SCRIPT_SET_SLOW;
    switch (take_options(argc, argv, &options, &party)) {
    case OPTIONS_DONE:
        return CONFORM_EXIT_MET;
    case OPTIONS_WRONG:
        return CONFORM_EXIT_USAGE;
    case OPTIONS_RUN:
        break;
    }
    return list_cases(&options, party);
}
