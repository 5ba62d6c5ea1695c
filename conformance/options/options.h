/*
 * The options of `ojin-conform run`.
 */
#ifndef CONFORMANCE_OPTIONS_OPTIONS_H
#define CONFORMANCE_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "codec/family.h"
#include "codec/options/options.h"
#include "conformance/report/report_files.h"
#include "conformance/script/case_script.h"
#include "server/core/quirk.h"

enum { RUN_ENVIRONMENT_MAX = 64, RUN_PATTERNS_MAX = 32, RUN_JOBS_MAX = 64, RUN_CASE_FILES_MAX = 1024 };
enum { RUN_QUIRKS_MAX = 8 };
enum { RUN_SHARDS_MAX = 1000, RUN_ROUNDS_MAX = 1000, RUN_JUDGED_MAX = 10000 };
enum { OPTIONS_PATH_MAX = 1024 };

/* As it is when nothing is said. */
enum {
    RUN_WIDTH_DEFAULT = 320, /* small pictures: a client under test reads them, nobody watches */
    RUN_HEIGHT_DEFAULT = 192,
    RUN_SEED_DEFAULT = 1
};
#define RUN_OUT_FOLDER_DEFAULT "conform-out"

/* Shell patterns of names. */
struct patterns {
    size_t count;
    const char *of[RUN_PATTERNS_MAX];
};

struct run_options {
    const char *subcommand; /* whose options they are: "run" */
    char *const *command;   /* the client's words, ended by NULL; NULL with `memory` and `attach` */
    bool memory;            /* the reference client in memory, no process */
    const struct family *family;
    bool all_profiles;
    const char *profile_name; /* as given; NULL: the family's first */
    const struct profile *profile;
    bool tier_known; /* --tier; else it is found out */
    enum client_tier tier;
    enum script_set set;               /* cases up to this one */
    unsigned shard_index, shard_count; /* from 1; 0: all cases */
    const char *suite;                 /* a frozen list; NULL: none */
    unsigned jobs;
    int stop_signal;       /* --stop; 0: none … */
    uint64_t stop_idle_ms; /* … once the client has sent nothing for this long */
    const char *stop_text; /* as it was given */
    bool attach;           /* the client is started by hand */
    bool plays_into_files; /* found out: it leaves what it played in CONFORM_OUT, and says nothing */
    bool says_known;       /* --says; else it is taken to report whatever there is */
    unsigned says;         /* what it reports: bits of observation_kind */
    const char *says_text; /* as it was given */
    bool persistent;       /* a client process takes many cases */
    size_t quirk_count;    /* --quirk, as given, … */
    const char *quirk_texts[RUN_QUIRKS_MAX];
    struct quirks quirks; /* … and what they come to: the mock of every case has them from the beginning */
    bool tls;             /* wss in every case; one with a `tls` line of its own has that */
    uint64_t timeout_ms;  /* the limit of each case; 0: its own */
    const char *baseline_path;
    bool update_baseline;
    unsigned repeat; /* how often each case is run, at least 1 */
    unsigned retries;
    unsigned judged_min;
    bool inferred;
    bool strict;
    struct report_paths reports;
    const char *out_folder; /* for what failing cases leave */
    const char *cases_folder;
    const char *speech_folder;
    const char *video_folder; /* what the client's camera shows */
    size_t environment_count;
    char *environment[RUN_ENVIRONMENT_MAX]; /* --env NAME=VALUE */
    struct patterns run, skip;
    unsigned width, height; /* of the pictures the mock sends */
    unsigned long long seed;
    bool keep; /* keep the folders of cases that pass too */
    bool colour;
    bool progress;
    char program[OPTIONS_PATH_MAX]; /* path of this program, for lines that repeat a case */
    /* Where the defaults of the three folders are kept. */
    char default_cases[OPTIONS_PATH_MAX], default_speech[OPTIONS_PATH_MAX], default_video[OPTIONS_PATH_MAX];
};

extern const struct option_page RUN_PAGE;

/* `argv[0]` is the subcommand's name. `out` borrows from `argv` and from itself: it is not to be copied. */
enum options_outcome run_options_parse(int argc, char *argv[], struct run_options *out);

/* As it is when nothing is said; not to be copied either. */
void run_options_defaults(struct run_options *out);

/* The folder with the suite's own data ("cases", "server-cases", "suites", "speech", "video"), as
 * codec/program/data_path.h has it. Written to `path`, which is returned. */
const char *default_cases_folder(char path[OPTIONS_PATH_MAX]);
const char *default_server_cases_folder(char path[OPTIONS_PATH_MAX]);
const char *default_suites_folder(char path[OPTIONS_PATH_MAX]);
const char *default_speech_folder(char path[OPTIONS_PATH_MAX]);
const char *default_video_folder(char path[OPTIONS_PATH_MAX]);

#endif
