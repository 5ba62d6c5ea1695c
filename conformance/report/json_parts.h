/* What the parts of the JSON report share. Private to it. */
#ifndef CONFORMANCE_REPORT_JSON_PARTS_H
#define CONFORMANCE_REPORT_JSON_PARTS_H

#include <cjson/cJSON.h>

#include "conformance/report/causes.h"

/* Adds a string that may hold any bytes. Each is false, or NULL, when memory runs out. */
bool json_string_add(cJSON *object, const char *name, const char *value);
/* A new object at the end of `array`. */
cJSON *json_object_append(cJSON *array);
bool json_name_append(cJSON *array, const char *name);
/* The member "causes"; json_causes.c. */
bool json_causes_add(cJSON *root, const struct causes *causes);

#endif
