/*
 * The values of the options of `run`, and of others that share them, read from their text. Each reader says
 * on standard error what is wrong ("ojin-conform run: --jobs '0': expected 1 or more") and is false then.
 */
#ifndef CONFORMANCE_OPTIONS_OPTION_VALUES_H
#define CONFORMANCE_OPTIONS_OPTION_VALUES_H

#include "conformance/options/option_words.h"
#include "conformance/options/options.h"

/* The options that name the files of the reports, in `reports` of the struct; a row needs its help beside. */
#define REPORT_INTO(type, kind) OPTION_INTO(type, reports.of[kind])

/* A number of the row's range: "expected 1 or more", "expected a whole number up to 64". */
option_reader option_run_number;
/* "2s", "500ms", "1m": more than nothing, at most an hour. */
option_reader option_duration;
/* A struct patterns gets one more. */
option_reader option_pattern;
/* A const struct family * becomes the one of that name. */
/* What completions offer for them. */
#define OPTION_FAMILY_WORDS .words = "ojin duplex interview"
#define OPTION_TIER_WORDS   .words = "wire plan observe"
#define OPTION_SET_WORDS    .words = "smoke default slow"
#define OPTION_PROFILES                                                                                      \
    "oris-1.0 oris-1.0-earlier flashhead-lite-1.0 video audio duplex-later duplex-later-audio "              \
    "interview-1.0 interview-deployed"

option_reader option_family;

enum { OPTION_EXPECTED_MAX = 400 };
/* Without --family: the family whose name all patterns of --run begin with, as in "duplex/text/…". */
void option_family_of_patterns(struct run_options *out);
/* "oris-1.0, oris-1.0-earlier or all": the profiles of the family, with a word before and one behind them;
 * either may be empty. */
void option_profile_names(const struct family *family, const char *first, const char *last,
                          char out[OPTION_EXPECTED_MAX]);
/* What --profile said, once the family is known. */
bool option_profile(struct run_options *out);

/* ---- of struct run_options alone ---- */

option_reader option_tier;
/* "ready,frame,error". */
option_reader option_says;
/* One more quirk of the mock, of those that let in whom the documents refuse. */
option_reader option_quirk;
/* What they come to, once the family is known. */
bool option_quirks_settle(struct run_options *out);
option_reader option_set;
option_reader option_shard;
/* "TERM@idle:2s". */
option_reader option_stop;
option_reader option_size;
/* "NAME=VALUE". */
option_reader option_environment;

#endif
