/* How the values of ojin-mock's options are read, and what is said of wrong ones: always the option, what was
 * expected and what came, in one line on standard error. Readers fill a struct mock_options. */
#ifndef SERVER_MOCK_OPTION_VALUES_H
#define SERVER_MOCK_OPTION_VALUES_H

#include "server/mock/options.h"

/* What is said of an option that is not known or lacks its value; of a page of ojin-mock. */
void mock_complain(const struct option_page *page, enum option_fault fault, const char *word);
/* "--NAME: expected …, got …"; false. */
bool option_wrong(const struct option_given *given, const char *expected);
/* "--NAME: SENTENCE"; false. */
bool option_complain(const char *option, const char *sentence);

/* A number in the row's range, into any struct. */
option_reader mock_number;
/* "WIDTHxHEIGHT", of the picture sizes that the persona has. */
option_reader option_size;
/* "quiet", "info", "debug". */
option_reader option_log;
/* "profiles", "quirks", "faults", "cards". */
option_reader option_list;
/* A profile of a family that is served becomes that family's. */
option_reader option_profile;
/* TLS is on; the value, if any, is what is wrong with the certificate. */
option_reader option_tls;
/* The name of a host, or an address, for --allow-host. */
option_reader option_host;
/* A config id; one that is a card has to be a right one in a family that is served. */
option_reader option_config;
/* The name of a candidate or of an interview. */
option_reader option_name;
/* Adds "[FAMILY:]NAME[=VALUE]" to those families (server/behaviour/families.h). */
option_reader option_quirk;
/* The same of a fault, once the seed is known. */
bool option_fault(const char *value, struct mock_options *out);
/* Names of families that are built, separated by commas: marks them by their place in SESSION_CLASSES. */
bool option_family(const char *text, bool named[MOCK_FAMILIES_MAX]);

/* What is wrong with it as a key; NULL: nothing. Static. */
const char *option_key_fault(const char *key);
/* The same of a secret that tokens are signed with. */
const char *option_jwt_secret_fault(const char *secret);
/* A value that other users of the machine are not to see: copied to `copy`, to which the row's member in
 * `out` then points, and wiped from the command line. False when `fault` says that something is wrong with
 * it. */
bool option_secret(struct option_given *given, void *out, const char *fault, char *copy);

#endif
