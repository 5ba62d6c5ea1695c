/* Is a parameter of a request's query encoded as it must be? For those who write rules. */
#ifndef CODEC_RULES_QUERY_VALUE_H
#define CODEC_RULES_QUERY_VALUE_H

#include "codec/wire/bytes.h"

/*
 * What is wrong with the value as it stands in the query; NULL when nothing is, and without memory. A query
 * may be encoded as a URI or as a form; what a bare '+' is in the first is a space in the second, so a value
 * with a '+' must escape it. `given`: what it has to decode to, empty when that is not known; `differs` is
 * returned when it does not.
 */
const char *query_value_fault(struct bytes value, struct bytes given, const char *differs);

#endif
