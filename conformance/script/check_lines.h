/* Patterns and checks. Private to conformance/script. */
#ifndef CONFORMANCE_SCRIPT_CHECK_LINES_H
#define CONFORMANCE_SCRIPT_CHECK_LINES_H

#include "conformance/script/case_script.h"
#include "server/script/line.h"

/* A check line, once all names are known. */
bool check_build(struct parser *parser, const struct case_script *script, const struct node *node,
                 struct script_check *check);
/* Reads "side:type,type[filter=value,…]". */
bool pattern_read(struct parser *parser, const struct script_words *words, const struct value *value,
                  struct event_pattern *out);
/* Adds a filter; checks its name and value. */
bool pattern_add_filter(struct parser *parser, struct event_pattern *pattern, struct place name_place,
                        const char *name, struct place value_place, const char *value);

#endif
