/*
 * The one way a script is laid out: two spaces a block, the words after a line's first in a column, the
 * checks of a group under each other, comments kept. What was formatted once stays as it is, and means what
 * it meant.
 */
#ifndef CONFORMANCE_SCRIPT_FORMAT_H
#define CONFORMANCE_SCRIPT_FORMAT_H

#include "server/script/script.h"

/* Appends the formatted text. False with an error as of script_parse when `text` has no lines and blocks that
 * could be laid out (whether they mean anything is not asked), or with an empty one when `out` has no room.
 */
bool script_format(const char *path, struct bytes text, struct buffer *out, char error[SCRIPT_ERROR_MAX]);

#endif
