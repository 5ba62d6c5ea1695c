/*
 * The options and the commands that a help text lists, to answer a mistyped one with "did you mean …?". The
 * help text is the only list, so none can be missing from the answer that a reader finds in the help.
 *
 * An option is what a line begins with, behind at most six spaces: "  --run PATTERN …", "  -j, --jobs N …",
 * "  --reconnect[=N] …". A command is a word of lower-case letters behind exactly two spaces:
 * "  replay    …". For what is near see nearest.h.
 */
#ifndef CODEC_WIRE_HELP_WORDS_H
#define CODEC_WIRE_HELP_WORDS_H

#include "codec/wire/text.h"

/* Adds `; did you mean "--tls"?` when an option of the help is near to `word`: "--tsl", or "--tsl=expired".
 */
void text_add_near_option(struct text *out, const char *word, const char *help);
/* Adds `; did you mean "run"?` when a command of the help is near to `word`. */
void text_add_near_command(struct text *out, const char *word, const char *help);

#endif
