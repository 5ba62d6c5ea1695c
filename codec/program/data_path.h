/*
 * Where the data of the programs is: cases, speech, pictures, suites, schemas. This is the one place that
 * knows.
 *
 * It is where it was installed, seen from the folder of the running program, whatever link that was called
 * through: PREFIX/bin/ojin-mock has PREFIX/share/ojin-tools, unless the build was given other folders
 * (cmake/folders.cmake). A prefix may be moved as a whole. The tree of a build has bin and share/ojin-tools,
 * with links into the sources, whatever it was given.
 */
#ifndef CODEC_PROGRAM_DATA_PATH_H
#define CODEC_PROGRAM_DATA_PATH_H

#include <stddef.h>

/* Names a folder to take in place of the one with the data. */
#define DATA_FOLDER_VARIABLE "OJIN_CONFORM_DATA"

/* Writes the path of the file or folder `name` of the data to `out`, which has room for `capacity` bytes, and
 * returns `out`. Without links in it where the file is there, and where it would be installed where it is
 * not; a path that is too long is cut. */
const char *data_path(const char *name, char *out, size_t capacity);

/* Writes the path of this program, without links; `name` where the system does not tell. Returns `out`. */
const char *program_path(const char *name, char *out, size_t capacity);

/* Writes the path of the folder with the libraries that a bundle brings, such as PREFIX/lib/ojin-tools; it
 * may not be there. Returns `out`. */
const char *bundled_libraries_path(char *out, size_t capacity);

#endif
