/* A script from a file. */
#ifndef SERVER_MOCK_SCRIPT_FILE_H
#define SERVER_MOCK_SCRIPT_FILE_H

#include "server/mock/options.h"
#include "server/script/script.h"

/* It is of the family that its case is named after; without one of the first that is served. NULL with one
 * line in `error`: the file cannot be read, its family is not served, or the script has a mistake
 * (PATH:LINE:COLUMN: …). Free with script_free. */
struct script *script_file_load(const char *path, const struct mock_options *options,
                                char error[SCRIPT_ERROR_MAX]);

#endif
