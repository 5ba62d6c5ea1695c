/*
 * Frozen suites. A list names what one version of the suite judges by, a line each, and never changes once
 * that version is released:
 *
 *   ojin/cancel/late 9f86d081884c7d65     a case, and the digest of its text
 *   sound:hello-1s.wav 60303ae22b998861   a sound file that a client is given, and the digest of its bytes
 *   picture:1.jpg 5feceb66ffc86f38        the same of a picture of its camera
 *   OJ-CON-02 MUST doc all                a requirement: level, basis and profiles
 *   # not released                        the first line, until then
 *
 * A case that has changed since, or that is gone, stands as it was in kept/VERSION beside the list, and runs
 * from there. What fails in a case that the list lacks, or of a requirement that it has not just so, is NEW
 * and fails nobody. A case without a digest may have any text; a list without requirements takes all of them.
 * Sound files and pictures are never changed once a version that names them is released: a new one gets a new
 * name.
 */
#ifndef CONFORMANCE_SELECTION_SUITE_LIST_H
#define CONFORMANCE_SELECTION_SUITE_LIST_H

#include <stdio.h>

#include "codec/wire/bytes.h"
#include "conformance/report/run_result.h"
#include "conformance/selection/selection.h"

enum { SUITE_LIST_BYTES_MAX = 1024 * 1024, SUITE_DIGEST_MAX = 17, SUITE_FILE_BYTES_MAX = 64 * 1024 * 1024 };

struct suite_list {
    struct bytes text;               /* owned */
    char path[2 * OPTIONS_PATH_MAX]; /* of the list */
    char kept[2 * OPTIONS_PATH_MAX]; /* folder of cases as they were; it need not be there */
};

/* `version` is the name of a list of the suite ("1.0"), or a path, with a slash in it, of another. False with
 * a sentence on standard error, which names the lists that there are. */
bool suite_list_load(const char *version, struct suite_list *out);
/* That version may still change: the same run may judge differently with the next program. */
bool suite_list_is_open(const struct suite_list *list);
void suite_list_free(struct suite_list *list);

bool suite_list_holds(const struct suite_list *list, const char *case_name);
bool suite_list_holds_requirement(const struct suite_list *list, const struct requirement *requirement);

/* Gives each case of the list the text that it had, and brings back those that are gone; where `own_cases`,
 * those of the list that are nowhere are left out. False with a sentence on standard error where a text is
 * needed and not there, a sound file or a picture is not what it was, or memory runs out. */
bool suite_list_restore(const struct suite_list *list, bool own_cases, struct case_set *set);
/* Marks the cases that are not in the list, and makes NEW what fails in them or of newer requirements. */
void suite_list_apply(const struct suite_list *list, struct run_result *run);

/* The list of today, of these cases and of all requirements of clients, not released. */
void suite_list_write(FILE *out, const struct selection *selection);

#endif
