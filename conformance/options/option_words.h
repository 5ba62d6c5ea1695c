/*
 * The words of a command that are options: one form of complaint for all commands of ojin-conform,
 * "ojin-conform run: no option '--tsl'; did you mean "--tls"?".
 */
#ifndef CONFORMANCE_OPTIONS_OPTION_WORDS_H
#define CONFORMANCE_OPTIONS_OPTION_WORDS_H

#include <getopt.h>

#include "codec/wire/text.h"

/* As getopt_long, with `help` (the command's) for what may have been meant. '?' once standard error says what
 * is wrong. */
int option_next(int argc, char *argv[], const char *shorts, const struct option *longs, const char *command,
                const char *help);

/* For a command that reads its words itself: says that there is no such option. */
void option_unknown(const char *command, const char *word, const char *help);

#endif
