/* A script from a file. */
#ifndef SERVER_MOCK_SCRIPT_FILE_H
#define SERVER_MOCK_SCRIPT_FILE_H

#include "server/script/script.h"

/* NULL with one line in `error`: the file cannot be read, or the script has a mistake (PATH:LINE:COLUMN: …).
 * Free with script_free. */
struct script *script_file_load(const char *path, const struct session_class *class,
                                char error[SCRIPT_ERROR_MAX]);

#endif
