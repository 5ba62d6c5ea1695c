/*
 * Where the data of the programs is: cases, speech, pictures, suites, schemas. This is the one place that
 * knows.
 *
 * It is in share/ojin-tools beside the folder of the running program, whatever link that was called through:
 * PREFIX/bin/ojin-mock has PREFIX/share/ojin-tools. The tree of a build looks the same, with links into the
 * sources (cmake/data.cmake). A prefix may be moved as a whole.
 */
#ifndef CODEC_PROGRAM_DATA_PATH_H
#define CODEC_PROGRAM_DATA_PATH_H

#include <stddef.h>

/* Names a folder to take in place of share/ojin-tools. */
#define DATA_FOLDER_VARIABLE "OJIN_CONFORM_DATA"

/* Writes the path of the file or folder `name` of the data to `out`, which has room for `capacity` bytes, and
 * returns `out`. Without links in it where the file is there; a path that is too long is cut. */
const char *data_path(const char *name, char *out, size_t capacity);

/* Writes the path of this program, without links; `name` where the system does not tell. Returns `out`. */
const char *program_path(const char *name, char *out, size_t capacity);

/* Writes the path of the folder with the libraries that a bundle brings, lib/ojin-tools beside the folder of
 * the program; it may not be there. Returns `out`. */
const char *bundled_libraries_path(char *out, size_t capacity);

#endif
