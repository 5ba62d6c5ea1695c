/* How the values of ojin-mock's options are read, and what is said of wrong ones: always the option, what was
 * expected and what came, in one line on standard error. */
#ifndef SERVER_MOCK_OPTION_VALUES_H
#define SERVER_MOCK_OPTION_VALUES_H

#include "server/mock/options.h"

/* "--NAME: expected …, got …"; OPTIONS_WRONG. */
enum options_result option_wrong(const char *option, const char *expected, const char *value);
/* "--NAME: SENTENCE"; OPTIONS_WRONG. */
enum options_result option_complain(const char *option, const char *sentence);

/* "--NAME: expected A, B or C, got …; did you mean …?HINT"; OPTIONS_WRONG. `names` is ended by NULL. */
enum options_result option_unknown(const char *option, const char *value, const char *const *names,
                                   const char *hint);

/* Decimal digits only, from `min` to `max`. */
bool option_number(const char *text, uint64_t min, uint64_t max, uint64_t *out);
/* "WIDTHxHEIGHT", of the picture sizes that the persona has. */
bool option_size(const char *text, unsigned *width, unsigned *height);
/* "quiet", "info", "debug". */
enum options_result option_log(const char *text, enum mock_log *out);
/* "profiles", "quirks", "faults", "cards". */
enum options_result option_list(const char *text, enum mock_list *out);
/* Names of families that are built, separated by commas: marks them by their place in SESSION_CLASSES. */
enum options_result option_family(const char *text, bool named[MOCK_FAMILIES_MAX]);
/* A profile of a family that is served becomes that family's. */
enum options_result option_profile(const char *text, struct mock_options *out);
enum options_result option_tls_fault(const char *text, enum tls_fault *out);
/* The name of a host, or an address, for --allow-host. */
enum options_result option_host(const char *text, struct mock_options *out);
/* What is wrong with it as a key; NULL: nothing. Static. */
const char *option_key_fault(const char *key);
/* The same of a secret that tokens are signed with. */
const char *option_jwt_secret_fault(const char *secret);
/* A config id; one that is a card has to be a right one in a family that is served. */
enum options_result option_config(const char *text, struct mock_options *out);
/* Adds "[FAMILY:]NAME[=VALUE]" to those families (server/behaviour/families.h). */
enum options_result option_quirk(const char *value, struct mock_options *out);
enum options_result option_fault(const char *value, struct mock_options *out);

#endif
