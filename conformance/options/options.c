#define _GNU_SOURCE
#include "conformance/options/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/options/option_values.h"
#include "conformance/options/option_words.h"
#include "conformance/process/launch.h"

enum { JOBS_PER_CORE = 5 /* a case mostly waits for the playing clock */ };

enum option_code {
    OPTION_FAMILY = 256,
    OPTION_PROFILE,
    OPTION_TIER,
    OPTION_SAYS,
    OPTION_SET,
    OPTION_RUN,
    OPTION_SKIP,
    OPTION_SHARD,
    OPTION_SUITE,
    OPTION_CASES,
    OPTION_MEMORY,
    OPTION_ENV,
    OPTION_STOP,
    OPTION_ATTACH,
    OPTION_PERSISTENT,
    OPTION_TLS,
    OPTION_QUIRK,
    OPTION_TIMEOUT,
    OPTION_INFERRED,
    OPTION_STRICT,
    OPTION_BASELINE,
    OPTION_UPDATE_BASELINE,
    OPTION_REPEAT,
    OPTION_RETRIES,
    OPTION_MIN_JUDGED,
    OPTION_OUT,
    OPTION_KEEP,
    OPTION_SIZE,
    OPTION_SEED
};

static const struct option LONG_OPTIONS[] = {
    {"family", required_argument, NULL, OPTION_FAMILY},
    {"profile", required_argument, NULL, OPTION_PROFILE},
    {"tier", required_argument, NULL, OPTION_TIER},
    {"says", required_argument, NULL, OPTION_SAYS},
    {"set", required_argument, NULL, OPTION_SET},
    {"run", required_argument, NULL, OPTION_RUN},
    {"skip", required_argument, NULL, OPTION_SKIP},
    {"shard", required_argument, NULL, OPTION_SHARD},
    {"suite", required_argument, NULL, OPTION_SUITE},
    {"cases", required_argument, NULL, OPTION_CASES},
    {"memory", no_argument, NULL, OPTION_MEMORY},
    {"env", required_argument, NULL, OPTION_ENV},
    {"stop", required_argument, NULL, OPTION_STOP},
    {"attach", no_argument, NULL, OPTION_ATTACH},
    {"persistent", no_argument, NULL, OPTION_PERSISTENT},
    {"tls", no_argument, NULL, OPTION_TLS},
    {"quirk", required_argument, NULL, OPTION_QUIRK},
    {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"inferred", no_argument, NULL, OPTION_INFERRED},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"baseline", required_argument, NULL, OPTION_BASELINE},
    {"update-baseline", no_argument, NULL, OPTION_UPDATE_BASELINE},
    {"repeat", required_argument, NULL, OPTION_REPEAT},
    {"retries", required_argument, NULL, OPTION_RETRIES},
    {"min-judged", required_argument, NULL, OPTION_MIN_JUDGED},
    REPORT_LONG_OPTIONS,
    {"out", required_argument, NULL, OPTION_OUT},
    {"keep", no_argument, NULL, OPTION_KEEP},
    {"jobs", required_argument, NULL, 'j'},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool take_number(const char *option, const char *text, unsigned min, unsigned max, unsigned *out)
{
    unsigned long long number = 0;
    if (!option_number(option, text, min, max, &number))
        return false;
    *out = (unsigned)number;
    return true;
}

static bool add_environment(char *text, struct run_options *out)
{
    if (strchr(text, '=') == NULL || text[0] == '=')
        return option_wrong(out->subcommand, "--env", text, "NAME=VALUE");
    if (out->environment_count == RUN_ENVIRONMENT_MAX)
        return option_wrong(out->subcommand, "--env", text, "at most 64 variables");
    out->environment[out->environment_count++] = text;
    return true;
}

/* Those whose value is taken as it stands. */
static bool take_text(int option, const char *value, struct run_options *out)
{
    switch (option) {
    case OPTION_PROFILE:
        out->profile_name = value;
        return true;
    case OPTION_SUITE:
        out->suite = value;
        return true;
    case OPTION_CASES:
        out->cases_folder = value;
        return true;
    case OPTION_BASELINE:
        out->baseline_path = value;
        return true;
    case OPTION_OUT:
        out->out_folder = value;
        return true;
    default:
        return false;
    }
}

static bool take_flag(int option, struct run_options *out)
{
    switch (option) {
    case OPTION_MEMORY:
        return out->memory = true;
    case OPTION_ATTACH:
        return out->attach = true;
    case OPTION_PERSISTENT:
        return out->persistent = true;
    case OPTION_TLS:
        return out->tls = true;
    case OPTION_INFERRED:
        return out->inferred = true;
    case OPTION_STRICT:
        return out->strict = true;
    case OPTION_UPDATE_BASELINE:
        return out->update_baseline = true;
    case OPTION_KEEP:
        return out->keep = true;
    default:
        return false;
    }
}

/* False when the option's value is wrong. */
static bool take_option(int option, char *value, struct run_options *out)
{
    if (report_option_take(option, value, &out->reports) || take_text(option, value, out) ||
        take_flag(option, out))
        return true;
    switch (option) {
    case OPTION_FAMILY:
        out->family_known = true;
        return option_family(out->subcommand, value, &out->family);
    case OPTION_SAYS:
        return option_says(value, out);
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
    case OPTION_ENV:
        return add_environment(value, out);
    case OPTION_QUIRK:
        return option_quirk(value, out);
    case OPTION_STOP:
        return option_stop(value, out);
    case OPTION_TIMEOUT:
        return option_duration("--timeout", value, &out->timeout_ms);
    case OPTION_REPEAT:
        return take_number("--repeat", value, 1, RUN_ROUNDS_MAX, &out->repeat);
    case OPTION_RETRIES:
        return take_number("--retries", value, 0, RUN_ROUNDS_MAX, &out->retries);
    case OPTION_MIN_JUDGED:
        return take_number("--min-judged", value, 0, 10000, &out->judged_min);
    case OPTION_SIZE:
        return option_size(value, out);
    case OPTION_SEED:
        return option_number("--seed", value, 0, UINT64_MAX, &out->seed);
    case 'j':
        return take_number("--jobs", value, 1, RUN_JOBS_MAX, &out->jobs);
    default: /* option_next has said what is wrong */
        return false;
    }
}

void program_path(char path[OPTIONS_PATH_MAX])
{
    const ssize_t len = readlink("/proc/self/exe", path, OPTIONS_PATH_MAX - 1);
    if (len <= 0)
        snprintf(path, OPTIONS_PATH_MAX, "ojin-conform");
    else
        path[len] = '\0';
}

void run_options_defaults(struct run_options *out)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned jobs = (unsigned)(cores < 1 ? 1 : cores) * JOBS_PER_CORE;
    *out = (struct run_options){
        .subcommand = "run",
        .family = FAMILIES[0],
        .profile = FAMILIES[0]->profiles[0],
        .tier = TIER_OBSERVE,
        .set = SCRIPT_SET_DEFAULT,
        .repeat = 1,
        .jobs = jobs > RUN_JOBS_MAX ? RUN_JOBS_MAX : jobs,
        .out_folder = RUN_OUT_FOLDER_DEFAULT,
        .width = RUN_WIDTH_DEFAULT,
        .height = RUN_HEIGHT_DEFAULT,
        .seed = RUN_SEED_DEFAULT,
        .colour = isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL,
        .progress = isatty(STDERR_FILENO),
    };
    out->cases_folder = default_cases_folder(out->default_cases);
    out->speech_folder = default_speech_folder(out->default_speech);
    out->video_folder = default_video_folder(out->default_video);
    program_path(out->program);
}

static bool refuse(const char *sentence)
{
    fprintf(stderr, "ojin-conform run: %s\n", sentence);
    return false;
}

/* An option that leaves cases out: of such a run nothing can be said of the lines about them. */
static const char *what_makes_it_partial(const struct run_options *options)
{
    if (options->run_count > 0)
        return "--run";
    if (options->skip_count > 0)
        return "--skip";
    if (options->shard_count > 0)
        return "--shard";
    if (options->memory)
        return "--memory";
    if (options->attach)
        return "--attach";
    return options->set == SCRIPT_SET_SMOKE ? "--set smoke" : NULL;
}

/* Options that do not go together. */
static bool options_agree(const struct run_options *options)
{
    const char *partial = what_makes_it_partial(options);
    if (options->update_baseline && options->baseline_path == NULL)
        return refuse("--update-baseline needs --baseline FILE, which says what to write");
    if (options->update_baseline && partial != NULL) {
        fprintf(stderr, "ojin-conform run: --update-baseline needs a whole run, and %s leaves cases out\n",
                partial);
        return false;
    }
    if (options->says_known && options->tier != TIER_OBSERVE)
        return refuse("--says names what the client reports, which needs --tier observe");
    if (options->memory && (options->attach || options->persistent || options->stop_signal != 0))
        return refuse("--memory starts no client: --attach, --persistent and --stop have no meaning with it");
    if (options->memory && options->quirk_count > 0)
        return refuse("--memory runs the reference client, which needs no --quirk to be let in");
    if (options->memory && options->tls)
        return refuse("--memory has no transport that --tls could be about");
    if (options->attach && (options->persistent || options->stop_signal != 0))
        return refuse("--attach starts no client: --persistent and --stop have no meaning with it");
    if (options->persistent && options->stop_signal != 0)
        return refuse("--stop ends a client once a case, --persistent keeps it: expected one of them");
    return true;
}

static enum options_outcome take_options(int argc, char *argv[], struct run_options *out)
{
    optind = 1;
    for (int option = 0; (option = option_next(argc, argv, "+hj:", LONG_OPTIONS, "run", RUN_HELP)) != -1;) {
        if (option == 'h') {
            fputs(RUN_HELP, stdout);
            return OPTIONS_DONE;
        }
        if (!take_option(option, optarg, out)) {
            fputs("Try 'ojin-conform run --help'.\n", stderr);
            return OPTIONS_WRONG;
        }
    }
    if (out->says_known && !out->tier_known) { /* what it reports shows only where it reports */
        out->tier_known = true;
        out->tier = TIER_OBSERVE;
    }
    option_family_of_patterns(out);
    if (!option_profile(out) || !option_quirks_settle(out) || !options_agree(out) ||
        !report_paths_check(&out->reports))
        return OPTIONS_WRONG;
    if (out->attach) {
        out->jobs = 1;
        out->tier = out->tier_known ? out->tier : TIER_WIRE;
    }
    if (out->memory || out->attach) {
        if (optind < argc) {
            fprintf(stderr, "ojin-conform run: --%s takes no command, found '%s'\n",
                    out->memory ? "memory" : "attach", argv[optind]);
            return OPTIONS_WRONG;
        }
        return OPTIONS_RUN;
    }
    if (optind >= argc) {
        fputs("ojin-conform run: no client command: expected '-- CMD ARG…'\n"
              "Try 'ojin-conform run --help'.\n",
              stderr);
        return OPTIONS_WRONG;
    }
    out->command = &argv[optind];
    return client_words_check(out->command, out->environment, out->environment_count, out->persistent)
               ? OPTIONS_RUN
               : OPTIONS_WRONG;
}

enum options_outcome run_options_parse(int argc, char *argv[], struct run_options *out)
{
    run_options_defaults(out);
    return take_options(argc, argv, out);
}
