/*
 * The words of a command that are options: one form of complaint for all commands of ojin-conform,
 * "ojin-conform run: no option '--tsl'; did you mean "--tls"?".
 */
#ifndef CONFORMANCE_OPTIONS_OPTION_WORDS_H
#define CONFORMANCE_OPTIONS_OPTION_WORDS_H

#include "codec/options/options.h"
#include "codec/wire/nearest.h"

/* A page of ojin-conform read as options_parse does, argv[0] being the command's name. What is wrong is said
 * with a hint to the command's help. */
enum options_outcome conform_options_parse(const struct option_page *page, int argc, char *argv[], void *out,
                                           char ***rest);

/* "ojin-conform run: --jobs '0': expected 1 or more"; always false. A name of a list "A, B or C" that is near
 * is asked for: "; did you mean …?". */
bool option_wrong(const struct option_given *given, const char *expected);
/* The same where a part of the value is wrong: what may be meant is in `nearest`. */
bool option_wrong_part(const struct option_given *given, const char *expected, const struct nearest *nearest);
/* The same of an option that is looked at later; `option` with its dashes. */
bool option_wrong_of(const char *command, const char *option, const char *value, const char *expected);

/* "Try 'ojin-conform run --help'."; always OPTIONS_WRONG. */
enum options_outcome option_hint(const char *command);
/* "ojin-conform explain: SENTENCE" (NULL: without it) and the whole help, on standard error. */
void option_usage(const struct option_page *page, const char *sentence);
/* What a command exits with that has not to run. */
int option_exit(enum options_outcome outcome);

#endif
