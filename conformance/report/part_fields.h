/* The members of a case in a part of a run, as tables for its writer and its reader. Private to run_part.h.
 */
#ifndef CONFORMANCE_REPORT_PART_FIELDS_H
#define CONFORMANCE_REPORT_PART_FIELDS_H

#include <cjson/cJSON.h>

#include "conformance/report/run_result.h"

enum part_kind {
    PART_BOOL,
    PART_NUMBER,     /* of 4 or 8 bytes, without a sign; an enum, too */
    PART_TEXT,       /* an array of char */
    PART_REQUIREMENT /* a pointer to one, by its id */
};

struct part_field {
    const char *name;
    enum part_kind kind;
    size_t at, bytes;
    uint64_t max; /* of a number */
};

/* Ended by a row without a name. */
extern const struct part_field PART_CASE[];     /* of struct run_case */
extern const struct part_field PART_CHECK[];    /* of struct check_result */
extern const struct part_field PART_EVIDENCE[]; /* of struct evidence_item */

/* What is 0, false or empty is left out. False when memory runs out. */
bool part_fields_write(cJSON *object, const struct part_field *fields, const void *from);
/* Members that are not there stay as they are. False: the member named in `wrong` is not what it has to be.
 */
bool part_fields_read(const cJSON *object, const struct part_field *fields, void *to, const char **wrong);

#endif
