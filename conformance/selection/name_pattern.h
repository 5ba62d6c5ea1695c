/*
 * Patterns over names, as a shell has them: `*`, `?`, `[a-z]`, `[!a-z]`, and `\` before a character that
 * stands for itself. `*` and `?` match `/` as well. A `[` without its `]` stands for itself.
 *
 * In place of fnmatch, whose time may double with each `*`: a baseline is a file that others write. Here the
 * time grows with the length of the name, and with the square of the pattern's at most.
 */
#ifndef CONFORMANCE_SELECTION_NAME_PATTERN_H
#define CONFORMANCE_SELECTION_NAME_PATTERN_H

#include <stdbool.h>

/* Does the pattern match the whole of the name? */
bool name_pattern_matches(const char *pattern, const char *name);

#endif
