/* The command line of ojin-client speak. */
#ifndef CLIENT_APP_OJIN_SPEAK_OPTIONS_H
#define CLIENT_APP_OJIN_SPEAK_OPTIONS_H

#include "client/app/options.h"
#include "codec/family.h"

extern const struct option_page SPEAK_PAGE;

/* Strings are those of the command line or the environment, but for the key: it is copied and then wiped from
 * the command line, where other users of the machine see it. So this is not to be copied. */
struct speak_options {
    const char *file;
    const char *url;
    const char *key;
    const char *config;
    const struct profile *profile;
    const char *out_directory; /* NULL: the current one */
    const char *video;         /* NULL: named after the sound file */
    bool no_video;
    const char *json; /* NULL: none */
    const char *ca_file;
    bool quiet;
    unsigned timeout_s; /* 0: none */
    struct session_options session;
    char key_given[CLIENT_SECRET_BYTES_MAX + 1]; /* what `key` points to when it was given as an option */
};

/* argv[0] is "speak". False when the program should end with `*exit_code`; help and
 * errors are printed. */
bool speak_options_parse(int argc, char **argv, struct speak_options *out, int *exit_code);

#endif
