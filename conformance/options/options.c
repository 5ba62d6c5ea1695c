#define _GNU_SOURCE
#include "conformance/options/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/program/data_path.h"
#include "conformance/options/option_values.h"
#include "conformance/options/report_rows.h"
#include "conformance/process/launch.h"

enum { JOBS_PER_CORE = 5 /* a case mostly waits for the playing clock */ };

#define AT(member)                 OPTION_INTO(struct run_options, member)
#define RANGE(member, least, most) OPTION_RANGE(struct run_options, member, least, most)

static const struct option_row ROWS[] = {
    {.value = "What is run"},
    {"family", "NAME", "ojin, duplex or interview (default: that of --run, else ojin)", option_family,
     AT(family), OPTION_FAMILY_WORDS},
    {"profile", "NAME",
     "oris-1.0 (default), oris-1.0-earlier, flashhead-lite-1.0 or all (each case with\n"
     "its first profile); with duplex: video (default), audio, duplex-later,\n"
     "duplex-later-audio or all; with interview: interview-1.0 (default),\n"
     "interview-deployed or all",
     option_text, AT(profile_name), .words = OPTION_PROFILES " all"},
    {"tier", "TIER", "what the client can do: wire, plan, observe, auto (default: try)", option_tier,
     AT(tier), .words = "wire plan observe auto"},
    {"says", "KINDS", "event kinds that the client can report: ready,error,closed; implies --tier observe",
     option_says, AT(says)},
    {"set", "SET", "smoke: a few cases; default: most; slow: the long ones too", option_set, AT(set),
     OPTION_SET_WORDS},
    {"run", "PATTERN", "run only cases that match (repeatable): ojin/cancel/*", option_pattern, AT(run)},
    {"skip", "PATTERN", "leave out cases that match (repeatable)", option_pattern, AT(skip)},
    {"shard", "I/N",
     "run part I of N, always of the same cases; ojin-conform merge puts the JSON\nreports together",
     option_shard, AT(shard_index)},
    {"suite", "VERSION",
     "judge by the suite of that version: its cases as they were; what fails in a newer\ncase or of a newer "
     "requirement is NEW and fails no run",
     option_text, AT(suite), .words = "1.0"},
    {"cases", "DIR", "folder of the case files", option_text, AT(cases_folder)},
    {"memory", NULL, "run the reference client in memory, in virtual time; no transport cases", option_flag,
     AT(memory)},
    {.value = "How the client is run"},
    {"env", "NAME=VALUE", "set a variable; {url} and others are filled in (repeatable)", option_environment,
     AT(environment)},
    {"tls", NULL,
     "use wss:// in every case; the CA file is in CONFORM_CA, SSL_CERT_FILE\n"
     "and NODE_EXTRA_CA_CERTS",
     option_flag, AT(tls)},
    {"quirk", "NAME",
     "let in a refused client; it stays a finding: key-in-url (browsers),\n"
     "bearer-keys, any-config, any-path",
     option_quirk, AT(quirk_texts)},
    {"stop", "SIGNAL@idle:TIME",
     "send SIGNAL (TERM, KILL …) once the client has sent nothing for TIME:\n"
     "TERM@idle:2s, for a program that never exits",
     option_stop, AT(stop_text)},
    {"attach", NULL, "print the URL and wait for a client started by hand", option_flag, AT(attach)},
    {"persistent", NULL, "one process for many cases, JSON lines on its standard input", option_flag,
     AT(persistent)},
    {"timeout", "TIME", "limit of each case from its connection on: 30s", option_duration, AT(timeout_ms)},
    {"jobs", "N", "cases run at the same time (default 5 per core)", option_run_number,
     RANGE(jobs, 1, RUN_JOBS_MAX), .letter = 'j'},
    {"size", "WxH", "size of the mock's pictures (default 320x192)", option_size, AT(width)},
    {"seed", "N", "seed of the ids (default 1)", option_run_number, RANGE(seed, 0, UINT64_MAX)},
    {.value = "How it is judged"},
    {"inferred", NULL, "fail for a MUST that the documents only imply, too", option_flag, AT(inferred)},
    {"strict", NULL, "fail for a SHOULD and for FLAKY too", option_flag, AT(strict)},
    {"baseline", "FILE",
     "known failures, lines PATTERN[:CHECK] # WHY: XFAIL; one that passes is XPASS\n"
     "and fails the run",
     option_text, AT(baseline_path)},
    {"update-baseline", NULL, "rewrite that file from this run (not with options that leave cases out)",
     option_flag, AT(update_baseline)},
    {"repeat", "N", "run each case N times; the worst stands", option_run_number,
     RANGE(repeat, 1, RUN_ROUNDS_MAX)},
    {"retries", "N", "rerun a failed case up to N times; one that passes then is FLAKY", option_run_number,
     RANGE(retries, 0, RUN_ROUNDS_MAX)},
    {"min-judged", "N", "fail the run when fewer than N requirements were reached", option_run_number,
     RANGE(judged_min, 0, RUN_JUDGED_MAX)},
    {.value = "Reports"},
    REPORT_ROWS(struct run_options, reports),
    {"out", "DIR",
     "folder of failing cases: wire journal, output, script, repro.sh\n"
     "(default conform-out); one run at a time",
     option_text, AT(out_folder)},
    {"keep", NULL, "keep the folders of passing cases too", option_flag, AT(keep)},
    OPTION_HELP_ROW,
};

const struct option_page RUN_PAGE = {
    .command = "run",
    .brief = "tests a client: ojin-conform run -- CMD ARG…",
    .stops = true,
    .before =
        "Usage: ojin-conform run [OPTION]… -- CMD ARG…\n"
        "       ojin-conform run [OPTION]… --attach | --memory\n"
        "\n"
        "Runs the client CMD in each case and judges it by the documents.\n"
        "In CMD and ARG, {url} {full_url} {origin} {key} {config} {audio} {video} {plan} {out} {control} "
        "{ca} are\n"
        "filled in; {{url} is the text {url}. The environment has OJIN_URL, OJIN_API_KEY, OJIN_CONFIG_ID,\n"
        "OJIN_AUDIO (with --family duplex DUPLEX_URL, DUPLEX_AUDIO, DUPLEX_VIDEO; with interview "
        "INTERVIEW_URL,\n"
        "INTERVIEW_ID, INTERVIEW_TOKEN, INTERVIEW_AUDIO), CONFORM_PLAN, CONFORM_OUT and CONFORM_CONTROL. A "
        "client\n"
        "that ignores CONFORM_PLAN runs the cases of the wire tier.\n",
    OPTION_ROWS(ROWS),
    .column = 22,
    .after =
        "\n"
        "Exit: 0 all is well; 1 a MUST broken or not reached, a crash, XPASS, below --min-judged; 2 wrong\n"
        "usage or script; 3 our own error, a client that cannot start, nothing to judge; 130 interrupted.\n",
};

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
    program_path("ojin-conform", out->program, sizeof out->program);
}

static bool refuse(const char *sentence)
{
    fprintf(stderr, "ojin-conform run: %s\n", sentence);
    return false;
}

/* An option that leaves cases out: of such a run nothing can be said of the lines about them. */
static const char *what_makes_it_partial(const struct run_options *options)
{
    if (options->run.count > 0)
        return "--run";
    if (options->skip.count > 0)
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

enum options_outcome run_options_parse(int argc, char *argv[], struct run_options *out)
{
    char **rest;
    run_options_defaults(out);
    out->family = NULL;
    const enum options_outcome outcome = conform_options_parse(&RUN_PAGE, argc, argv, out, &rest);
    if (outcome != OPTIONS_RUN)
        return outcome;
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
        if (*rest != NULL) {
            fprintf(stderr, "ojin-conform run: --%s takes no command, found '%s'\n",
                    out->memory ? "memory" : "attach", *rest);
            return OPTIONS_WRONG;
        }
        return OPTIONS_RUN;
    }
    if (*rest == NULL) {
        fputs("ojin-conform run: no client command: expected '-- CMD ARG…'\n", stderr);
        return option_hint("run");
    }
    out->command = rest;
    return client_words_check(out->command, out->environment, out->environment_count, out->persistent)
               ? OPTIONS_RUN
               : OPTIONS_WRONG;
}
