/* A whole file or standard input, up to a bound. */
#ifndef CLIENT_APP_INPUT_FILE_H
#define CLIENT_APP_INPUT_FILE_H

#include "codec/wire/buffer.h"

/* Appends what `path` holds, "-" being standard input. False, after one line on standard error, when it
 * cannot be read or does not fit into the buffer's maximum. */
bool input_file_read(const char *command, const char *path, struct buffer *out);

#endif
