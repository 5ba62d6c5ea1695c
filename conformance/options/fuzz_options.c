#include "conformance/options/fuzz_options.h"

#include <stdio.h>
#include <unistd.h>

#include "conformance/options/option_values.h"
#include "conformance/process/launch.h"

#define AT(member)                 OPTION_INTO(struct fuzz_options, member)
#define RANGE(member, least, most) OPTION_RANGE(struct fuzz_options, member, least, most)

enum { JOBS_PER_CORE = 2 };

static const struct option_row ROWS[] = {
    {.value = "What is played"},
    {"family", "NAME", "ojin (default), duplex or interview", option_family, AT(run.family),
     OPTION_FAMILY_WORDS},
    {"profile", "NAME", "profile of the family (default: its first, as of run)", option_text,
     AT(run.profile_name), .words = OPTION_PROFILES},
    {"seed", "N", "seed of the sessions (default 1); the same seed gives the same sessions",
     option_run_number, RANGE(run.seed, 0, UINT64_MAX)},
    {"cases", "N", "number of sessions (default: until it is stopped)", option_run_number,
     RANGE(cases, 1, FUZZ_CASES_MAX)},
    {"time", "TIME",
     "stop after TIME: 60s; what was found by then is made smaller for 20 s\n"
     "more at most",
     option_duration, AT(time_ms)},
    {"until-found", NULL, "stop at the first finding", option_flag, AT(until_found)},
    {"first", "N", "number of the first session of the seed (default 0)", option_run_number,
     RANGE(first, 0, FUZZ_CASES_MAX)},
    {.value = "How the client is run"},
    {"persistent", NULL, "one process for many sessions, JSON lines on its standard input; much faster",
     option_flag, AT(run.persistent)},
    {"jobs", "N", "clients side by side (default 2 per core)", option_run_number,
     RANGE(run.jobs, 1, RUN_JOBS_MAX), .letter = 'j'},
    {"env", "NAME=VALUE", "set a variable; {url} and others are filled in (repeatable)", option_environment,
     AT(run.environment)},
    {"timeout", "TIME",
     "time for a session (default: 20 times what a right one takes, 500 ms to 5 s,\n"
     "longer where much is sent)",
     option_duration, AT(run.timeout_ms)},
    {"memory", "MB", "memory by which the client may grow, with what it starts (default 200)",
     option_run_number, RANGE(memory_mb, 1, FUZZ_MEMORY_MB_MAX)},
    {.value = "Reports"},
    {"out", "DIR", "folder of the cases that findings leave (default fuzz-out)", option_text,
     AT(run.out_folder)},
    {"corpus", "DIR", "write the message that does it, as bytes, to a file in DIR for each finding",
     option_text, AT(corpus)},
    {"json", "FILE", "the whole result as JSON", option_text, AT(json)},
    OPTION_HELP_ROW,
};

const struct option_page FUZZ_PAGE = {
    .command = "fuzz",
    .brief = "plays a client sessions that are wrong in any way: ojin-conform fuzz -- CMD ARG…",
    .stops = true,
    .before =
        "Usage: ojin-conform fuzz [OPTION]… -- CMD ARG…\n"
        "\n"
        "Plays the client CMD one session after another, each changed at random from a right one: fields,\n"
        "sizes and counts, JSON of wrong types, messages out of order, illegal frames, other slices. "
        "Watches\n"
        "for crashes, sanitizer reports, hangs, memory, a client that fails in the next right session, and,\n"
        "where it reports what it reads, for what a right client reads otherwise. A finding is tried again "
        "and\n"
        "made as small as possible; it leaves a case that ojin-conform run plays. Words and environment of "
        "CMD\n"
        "are those of ojin-conform run.\n",
    OPTION_ROWS(ROWS),
    .column = 22,
    .after =
        "\n"
        "Exit: 0 nothing was found; 1 something was; 2 wrong usage; 3 our own error, or a client that fails\n"
        "in a right session already; 130 interrupted with nothing found.\n",
};

/* While one waits, for its client or for the time that a script takes, another has the core. */
static unsigned jobs_default(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned jobs = (unsigned)(cores < 1 ? 1 : cores) * JOBS_PER_CORE;
    return jobs < RUN_JOBS_MAX ? jobs : RUN_JOBS_MAX;
}

enum options_outcome fuzz_options_parse(int argc, char *argv[], struct fuzz_options *out)
{
    char **rest;
    *out = (struct fuzz_options){.memory_mb = FUZZ_MEMORY_MB_DEFAULT};
    run_options_defaults(&out->run);
    out->run.jobs = jobs_default();
    out->run.subcommand = "fuzz";
    out->run.out_folder = FUZZ_OUT_FOLDER_DEFAULT;
    const enum options_outcome outcome = conform_options_parse(&FUZZ_PAGE, argc, argv, out, &rest);
    if (outcome != OPTIONS_RUN)
        return outcome;
    if (!option_profile(&out->run))
        return OPTIONS_WRONG;
    if (out->run.all_profiles) {
        fputs("ojin-conform fuzz: --profile 'all': expected one profile\n", stderr);
        return OPTIONS_WRONG;
    }
    if (*rest == NULL) {
        fputs("ojin-conform fuzz: no client command: expected '-- CMD ARG…'\n", stderr);
        return option_hint("fuzz");
    }
    out->run.command = rest;
    return client_words_check(rest, out->run.environment, out->run.environment_count, out->run.persistent)
               ? OPTIONS_RUN
               : OPTIONS_WRONG;
}
