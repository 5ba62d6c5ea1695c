#define _GNU_SOURCE
#include "conformance/run/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/persona/persona.h"

enum { JOBS_PER_CORE = 4 /* a case mostly waits for the playing clock */ };

static const char HELP[] =
    "Usage: ojin-conform run [OPTION]… -- CMD ARG…\n"
    "       ojin-conform run --memory [OPTION]…\n"
    "\n"
    "Puts the client CMD through the suite, one process a case, and judges it by the documents.\n"
    "In CMD, {url} {full_url} {origin} {key} {config} {audio} {plan} {out} are filled in; the same\n"
    "values stand in OJIN_URL, OJIN_API_KEY, OJIN_CONFIG_ID, OJIN_AUDIO, CONFORM_PLAN, CONFORM_OUT.\n"
    "\n"
    "What is run\n"
    "  --profile NAME      oris-1.0 (default), oris-1.0-earlier, flashhead-lite-1.0 or all: each case\n"
    "                      with the first profile it is for\n"
    "  --tier TIER         what the client can do: wire, plan, observe, or auto (default): found out\n"
    "  --run PATTERN       only cases that match (may be repeated): ojin/cancel/*\n"
    "  --skip PATTERN      not these (may be repeated)\n"
    "  --cases DIR         where the case files are\n"
    "  --memory            the reference client in memory, in virtual time; transport cases are left out\n"
    "  --env NAME=VALUE    a further variable for the client (may be repeated)\n"
    "\n"
    "How it is judged\n"
    "  --inferred          MUSTs that only follow from a document fail too\n"
    "  --strict            SHOULDs fail too\n"
    "\n"
    "Reports\n"
    "  --json FILE         the whole result\n"
    "  --junit FILE        JUnit XML\n"
    "  --tap FILE          TAP version 14, a point a case\n"
    "  --html FILE         one page for a browser: requirements, and each case as a picture of its session\n"
    "  --markdown FILE     a summary; with GITHUB_STEP_SUMMARY set it is added to that file too\n"
    "                      (FILE - is standard output; what people read then goes to standard error)\n"
    "  --out DIR           what failing cases leave: wire journal, client output, script, repro.sh\n"
    "                      (default conform-out)\n"
    "  --keep              keep that of passing cases too\n"
    "\n"
    "Other\n"
    "  -j, --jobs N        cases at a time (default 4 a core)\n"
    "  --size WxH          of the pictures the mock sends (default 320x192)\n"
    "  --seed N            of ids (default 1)\n"
    "  -h, --help\n"
    "\n"
    "Exit: 0 every requirement reached is met, 1 not met, 2 wrong usage or script, 3 our own error or\n"
    "nothing ran, 130 interrupted.\n";

enum option_code {
    OPTION_PROFILE = 256,
    OPTION_TIER,
    OPTION_RUN,
    OPTION_SKIP,
    OPTION_CASES,
    OPTION_MEMORY,
    OPTION_ENV,
    OPTION_INFERRED,
    OPTION_STRICT,
    OPTION_OUT,
    OPTION_KEEP,
    OPTION_SIZE,
    OPTION_SEED
};

static const struct option LONG_OPTIONS[] = {
    {"profile", required_argument, NULL, OPTION_PROFILE},
    {"tier", required_argument, NULL, OPTION_TIER},
    {"run", required_argument, NULL, OPTION_RUN},
    {"skip", required_argument, NULL, OPTION_SKIP},
    {"cases", required_argument, NULL, OPTION_CASES},
    {"memory", no_argument, NULL, OPTION_MEMORY},
    {"env", required_argument, NULL, OPTION_ENV},
    {"inferred", no_argument, NULL, OPTION_INFERRED},
    {"strict", no_argument, NULL, OPTION_STRICT},
    REPORT_LONG_OPTIONS,
    {"out", required_argument, NULL, OPTION_OUT},
    {"keep", no_argument, NULL, OPTION_KEEP},
    {"jobs", required_argument, NULL, 'j'},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static const char *data_folder(const char *name, const char *beside_sources, char path[OPTIONS_PATH_MAX])
{
    const char *base = getenv(CONFORM_DATA_VARIABLE);
    if (base == NULL)
        snprintf(path, OPTIONS_PATH_MAX, "%s", beside_sources);
    else
        snprintf(path, OPTIONS_PATH_MAX, "%s/%s", base, name);
    return path;
}

const char *default_cases_folder(char path[OPTIONS_PATH_MAX])
{
    return data_folder("cases", CONFORM_CASES_DIR, path);
}

const char *default_server_cases_folder(char path[OPTIONS_PATH_MAX])
{
    return data_folder("server-cases", CONFORM_SERVER_CASES_DIR, path);
}

const char *default_speech_folder(char path[OPTIONS_PATH_MAX])
{
    return data_folder("speech", CONFORM_SPEECH_DIR, path);
}

static bool wrong(const char *option, const char *value, const char *expected)
{
    fprintf(stderr, "ojin-conform run: %s '%s': expected %s\n", option, value, expected);
    return false;
}

static bool read_number(const char *option, const char *text, unsigned long long max, unsigned long long *out)
{
    char expected[64];
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > max) {
        snprintf(expected, sizeof expected, "a whole number up to %llu", max);
        return wrong(option, text, expected);
    }
    *out = value;
    return true;
}

static bool read_profile(const char *text, struct run_options *out)
{
    if (strcmp(text, "all") == 0) {
        out->all_profiles = true;
        return true;
    }
    out->all_profiles = false;
    out->profile = ojin_profile_by_name(text);
    return out->profile != NULL ||
           wrong("--profile", text, "oris-1.0, oris-1.0-earlier, flashhead-lite-1.0 or all");
}

static bool read_tier(const char *text, struct run_options *out)
{
    if (strcmp(text, "auto") == 0) {
        out->tier_known = false;
        return true;
    }
    for (int tier = TIER_WIRE; tier <= TIER_OBSERVE; tier++) {
        if (strcmp(text, client_tier_name((enum client_tier)tier)) == 0) {
            out->tier_known = true;
            out->tier = (enum client_tier)tier;
            return true;
        }
    }
    return wrong("--tier", text, "auto, wire, plan or observe");
}

static bool read_size(const char *text, struct run_options *out)
{
    char *end = NULL;
    char error[200];
    const unsigned long width = strtoul(text, &end, 10);
    if (*end != 'x')
        return wrong("--size", text, "WIDTHxHEIGHT, such as 1280x720");
    const unsigned long height = strtoul(end + 1, &end, 10);
    if (*end != '\0' || width > JPEG_SIDE_MAX || height > JPEG_SIDE_MAX)
        return wrong("--size", text, "WIDTHxHEIGHT, such as 1280x720");
    struct persona *persona = persona_new((unsigned)width, (unsigned)height, error);
    if (persona == NULL)
        return wrong("--size", text, error);
    persona_free(persona);
    out->width = (unsigned)width;
    out->height = (unsigned)height;
    return true;
}

static bool add_pattern(const char *option, const char *text, const char **list, size_t *count)
{
    if (*count == RUN_PATTERNS_MAX)
        return wrong(option, text, "at most 32 patterns");
    list[(*count)++] = text;
    return true;
}

static bool add_environment(char *text, struct run_options *out)
{
    if (strchr(text, '=') == NULL || text[0] == '=')
        return wrong("--env", text, "NAME=VALUE");
    if (out->environment_count == RUN_ENVIRONMENT_MAX)
        return wrong("--env", text, "at most 64 variables");
    out->environment[out->environment_count++] = text;
    return true;
}

/* False when the option's value is wrong. */
static bool take_option(int option, char *value, struct run_options *out)
{
    unsigned long long number = 0;
    if (report_option_take(option, value, &out->reports))
        return true;
    switch (option) {
    case OPTION_PROFILE:
        return read_profile(value, out);
    case OPTION_TIER:
        return read_tier(value, out);
    case OPTION_RUN:
        return add_pattern("--run", value, out->run_patterns, &out->run_count);
    case OPTION_SKIP:
        return add_pattern("--skip", value, out->skip_patterns, &out->skip_count);
    case OPTION_CASES:
        out->cases_folder = value;
        return true;
    case OPTION_MEMORY:
        return out->memory = true;
    case OPTION_ENV:
        return add_environment(value, out);
    case OPTION_INFERRED:
        return out->inferred = true;
    case OPTION_STRICT:
        return out->strict = true;
    case OPTION_OUT:
        out->out_folder = value;
        return true;
    case OPTION_KEEP:
        return out->keep = true;
    case OPTION_SIZE:
        return read_size(value, out);
    case OPTION_SEED:
        return read_number("--seed", value, UINT64_MAX, &out->seed);
    case 'j':
        if (!read_number("--jobs", value, RUN_JOBS_MAX, &number) || number == 0)
            return number == 0 && wrong("--jobs", value, "1 or more");
        out->jobs = (unsigned)number;
        return true;
    default: /* getopt_long has said what is wrong */
        return false;
    }
}

static void find_program(struct run_options *out)
{
    const ssize_t len = readlink("/proc/self/exe", out->program, sizeof out->program - 1);
    if (len <= 0)
        snprintf(out->program, sizeof out->program, "ojin-conform");
    else
        out->program[len] = '\0';
}

static void set_defaults(struct run_options *out)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned jobs = (unsigned)(cores < 1 ? 1 : cores) * JOBS_PER_CORE;
    *out = (struct run_options){
        .profile = &OJIN_PROFILES[0],
        .tier = TIER_OBSERVE,
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
    find_program(out);
}

static enum options_outcome take_options(int argc, char *argv[], struct run_options *out)
{
    optind = 1;
    for (int option = 0; (option = getopt_long(argc, argv, "+hj:", LONG_OPTIONS, NULL)) != -1;) {
        if (option == 'h') {
            fputs(HELP, stdout);
            return OPTIONS_DONE;
        }
        if (!take_option(option, optarg, out)) {
            fputs("Try 'ojin-conform run --help'.\n", stderr);
            return OPTIONS_WRONG;
        }
    }
    if (out->memory) {
        if (optind < argc) {
            fprintf(stderr, "ojin-conform run: --memory takes no command, found '%s'\n", argv[optind]);
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
    return OPTIONS_RUN;
}

enum options_outcome run_options_parse(int argc, char *argv[], struct run_options *out)
{
    char name[] = "ojin-conform run"; /* what getopt_long puts before its complaints */
    char *const own = argv[0];
    set_defaults(out);
    argv[0] = name;
    const enum options_outcome outcome = take_options(argc, argv, out);
    argv[0] = own;
    return outcome;
}
