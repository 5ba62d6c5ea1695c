/*
 * The reference of the language, printed as Markdown from the tables that the parser reads by: those of the
 * server block, and what a suite prints its own with (conformance/script/reference.h).
 */
#ifndef SERVER_SCRIPT_REFERENCE_H
#define SERVER_SCRIPT_REFERENCE_H

#include "codec/wire/buffer.h"
#include "server/core/session.h"
#include "server/script/rule.h"

/* Appends the table of that name: "lines", "steps", "branches", "until", "receive", "send" or "pipes". False
 * when there is none of that name, or no room. */
bool reference_write(const char *table, const struct session_class *class, struct buffer *out);

/* Each appends a table, or rows of one, and is false when there is no room or a row has no sentence. `what`
 * is the head of the first column. */
bool reference_head(struct buffer *out, const char *first, const char *second);
bool reference_row(struct buffer *out, const char *first, const char *second);
bool reference_rules(struct buffer *out, const struct line_rule *rules, const char *what);
/* Without the positional words before `first_arg`. Rows for another reader (LINE_SKIPPED) are left out. */
bool reference_rules_from(struct buffer *out, const struct line_rule *rules, const char *what,
                          size_t first_arg);
bool reference_options(struct buffer *out, const struct value_rule *rules, const char *what);
bool reference_conditions(struct buffer *out, const struct condition_rule *rules);
/* A list ended by NULL, with commas between. */
bool reference_names(struct buffer *out, const char *const *names);

#endif
