/* Patterns and checks. Private to server/script. */
#ifndef SERVER_SCRIPT_CHECK_LINES_H
#define SERVER_SCRIPT_CHECK_LINES_H

#include "server/script/line.h"

/* Reads "side:type,type[filter=value,…]". */
bool pattern_read(struct parser *parser, const struct value *value, struct event_pattern *out);
/* Adds a filter; checks its name and value. */
bool pattern_add_filter(struct parser *parser, struct event_pattern *pattern, struct place name_place,
                        const char *name, struct place value_place, const char *value);

#endif
