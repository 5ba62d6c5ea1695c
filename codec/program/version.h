/*
 * The version of the programs: that of the project, from the top CMakeLists.txt, and the commit that the
 * build was made from.
 */
#ifndef CODEC_PROGRAM_VERSION_H
#define CODEC_PROGRAM_VERSION_H

#include <stdio.h>

/* "3f7e31fe", "3f7e31fe-dirty" when tracked files were changed, "unknown" without git. */
extern const char PROGRAM_COMMIT[];

/* Prints two lines: "ojin-mock 0.1.0 (3f7e31fe)", and "with libuv 1.44.2, OpenSSL 3.0.16, …", the libraries
 * that this process has loaded. */
void program_version_print(FILE *out, const char *program);

#endif
