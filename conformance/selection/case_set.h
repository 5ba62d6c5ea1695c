/*
 * The case files of a folder, parsed whole before anything runs. A file with vary lines is as many cases.
 */
#ifndef CONFORMANCE_SELECTION_CASE_SET_H
#define CONFORMANCE_SELECTION_CASE_SET_H

#include "conformance/options/options.h"
#include "conformance/script/case_script.h"

struct case_set {
    size_t count;
    struct case_script *scripts[RUN_CASE_FILES_MAX]; /* by name */
    struct bytes texts[RUN_CASE_FILES_MAX]; /* the files' text, each that of its own variant; owned */
    bool no_memory;                         /* for which case_set_load gave up */
};

enum case_party { CASES_ABOUT_CLIENTS, CASES_ABOUT_SERVERS };

/* Every *.session below `folder`. False, with what is wrong on standard error (all files' errors), when one
 * is no right script, one is about the other party (it has a
 * client block, or none), two have one name, there are none, or the folder cannot be read. */
bool case_set_load(const char *folder, enum case_party party, struct case_set *out);
void case_set_free(struct case_set *set);

/* Reads one file of at most `bytes_max`; false with errno set. The data is malloc'd. */
bool file_read(const char *path, size_t bytes_max, struct bytes *out);
/* The same of what a client left: false too, with EINVAL or ELOOP, for what is no regular file. */
bool file_read_left(const char *path, size_t bytes_max, struct bytes *out);

#endif
