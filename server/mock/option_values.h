/* How the values of ojin-mock's options are read, and what is said of wrong ones: always the option, what was
 * expected and what came, in one line on standard error. */
#ifndef SERVER_MOCK_OPTION_VALUES_H
#define SERVER_MOCK_OPTION_VALUES_H

#include "server/mock/options.h"

/* "--NAME: expected …, got …"; OPTIONS_WRONG. */
enum options_result option_wrong(const char *option, const char *expected, const char *value);
/* "--NAME: SENTENCE"; OPTIONS_WRONG. */
enum options_result option_complain(const char *option, const char *sentence);

/* Decimal digits only, from `min` to `max`. */
bool option_number(const char *text, uint64_t min, uint64_t max, uint64_t *out);
/* "WIDTHxHEIGHT", of the picture sizes that the persona has. */
bool option_size(const char *text, unsigned *width, unsigned *height);
/* "quiet", "info", "debug". */
bool option_log(const char *text, enum mock_log *out);
/* "profiles", "quirks", "faults", "cards". */
bool option_list(const char *text, enum mock_list *out);
/* Adds "NAME[=VALUE]" to `behaviour`. */
enum options_result option_quirk(const char *value, struct behaviour *behaviour);
enum options_result option_fault(const char *value, struct behaviour *behaviour);

#endif
