/* What the reports of a session have in common, whatever its family: the error, words for a terminal, members
 * of JSON. */
#ifndef CLIENT_APP_REPORT_PARTS_H
#define CLIENT_APP_REPORT_PARTS_H

#include <stdio.h>

#include "client/core/observation.h"

enum { REPORT_ERROR_MAX = OBSERVATION_CODE_MAX + OBSERVATION_TEXT_MAX + 2 }; /* "CODE: text" */

/* The code, unless it only says that there was no connection, and the text. */
void report_error_write(char error[REPORT_ERROR_MAX], const struct observation *seen);
/* Adds the code that the connection was closed with and, in brackets, the reason that the server gave, if
 * any. */
void report_close_add(struct text *text, uint16_t code, const char *reason);
/* What a server said, on one line: UTF-8 as it is, but nothing that moves a cursor. */
void report_words_print(const char *words, FILE *out);

/* `"name": "value"` */
void report_string_write(FILE *out, const char *name, const char *value);
/* A member of the outermost object, on a line of its own, with a comma behind it. */
void report_string_line(FILE *out, const char *name, const char *value);
void report_number_line(FILE *out, const char *name, uint64_t value);

#endif
