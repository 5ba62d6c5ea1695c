/*
 * The values of the options of `run`, and of others that share them, read from their text. Each reader says
 * on standard error what is wrong
 * ("ojin-conform run: --jobs '0': expected 1 or more") and is false then.
 */
#ifndef CONFORMANCE_OPTIONS_OPTION_VALUES_H
#define CONFORMANCE_OPTIONS_OPTION_VALUES_H

#include "conformance/options/options.h"

extern const char RUN_HELP[];

/* Says it of an option of that subcommand; always false. */
bool option_wrong(const char *command, const char *option, const char *value, const char *expected);

bool option_number(const char *option, const char *text, unsigned long long min, unsigned long long max,
                   unsigned long long *out);
/* "2s", "500ms", "1m": more than nothing, at most an hour. */
bool option_duration(const char *option, const char *text, uint64_t *out_ms);

enum { OPTION_EXPECTED_MAX = 400 };
/* The family of that name; `command` is the subcommand's. */
bool option_family(const char *command, const char *name, const struct family **out);
/* Without --family: the family whose name all patterns of --run begin with, as in "duplex/text/…". */
void option_family_of_patterns(struct run_options *out);
/* "oris-1.0, oris-1.0-earlier or all": the profiles of the family, with a word before and one behind them;
 * either may be empty. */
void option_profile_names(const struct family *family, const char *first, const char *last,
                          char out[OPTION_EXPECTED_MAX]);
/* What --profile said, once the family is known. */
bool option_profile(struct run_options *out);
/* One more of at most RUN_PATTERNS_MAX. */
bool option_pattern(const char *option, const char *text, const char **list, size_t *count,
                    const struct run_options *out);
bool option_tier(const char *text, struct run_options *out);
/* "ready,frame,error". */
bool option_says(const char *text, struct run_options *out);
/* One more quirk of the mock, of those that let in whom the documents refuse. */
bool option_quirk(const char *text, struct run_options *out);
/* What they come to, once the family is known. */
bool option_quirks_settle(struct run_options *out);
bool option_set(const char *text, struct run_options *out);
bool option_shard(const char *text, struct run_options *out);
/* "TERM@idle:2s". */
bool option_stop(const char *text, struct run_options *out);
bool option_size(const char *text, struct run_options *out);

#endif
