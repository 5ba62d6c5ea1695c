/*
 * Frozen suites: a list of case names, one a line, that never changes once it is published. With --suite a
 * case that is not in the list is NEW: what it fails fails nobody.
 */
#ifndef CONFORMANCE_SELECTION_SUITE_LIST_H
#define CONFORMANCE_SELECTION_SUITE_LIST_H

#include "codec/wire/bytes.h"
#include "conformance/report/run_result.h"

enum { SUITE_LIST_BYTES_MAX = 1024 * 1024 };

struct suite_list {
    struct bytes text; /* owned */
};

/* `version` is the name of a list of the suite ("1.0"), or a path, with a slash in it, of another. False with
 * a sentence on standard error, which names the lists that there are. */
bool suite_list_load(const char *version, struct suite_list *out);
void suite_list_free(struct suite_list *list);

bool suite_list_holds(const struct suite_list *list, const char *case_name);
/* Marks the cases that are not in the list, and makes what they fail NEW. */
void suite_list_apply(const struct suite_list *list, struct run_result *run);

#endif
