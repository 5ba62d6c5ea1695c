/* The types of words and option values in a script, and how each is read. Private to server/script and to
 * conformance/script. */
#ifndef SERVER_SCRIPT_VALUE_H
#define SERVER_SCRIPT_VALUE_H

#include "server/script/parser.h"
#include "server/script/rule.h"

struct value {
    bool set;
    struct place place;
    const char *text; /* as written; in the arena */
    bool is_string;
    uint64_t number;
    const char *counter; /* its name, when the value is one; NULL: `number` */
    struct script_condition condition;
    const struct requirement *requirement;
};

/* `text` at `place` as `rule` has it. */
bool value_read(struct parser *parser, const struct value_rule *rule, struct place place, const char *text,
                bool is_string, struct value *out);
/* All of `text` as a whole number from min to max. */
bool number_read(const char *text, uint64_t min, uint64_t max, uint64_t *out);
/* A value that may be a counter, for the step. */
struct script_number value_number(const struct value *value);
/* The bytes of a value that is hex, `malloc`ed; NULL data when memory runs out. */
struct bytes value_hex(const struct value *value);
/* "a whole number from 1 to 9", "one of a, b": what a rule asks for. */
void value_expected(char out[SCRIPT_EXPECTED_MAX], const struct value_rule *rule);

/*
 * The `$` references of a text: $counter of a repeat around it, $NAME.interaction of a step named before, and
 * "$$" for a dollar. False with an error when one of them is unknown. `counters`: may $counter stand here?
 */
bool references_check(struct parser *parser, struct place place, const char *text, bool counters);

#endif
