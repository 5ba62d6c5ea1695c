/* The command line and the environment of ojin-client. */
#ifndef CLIENT_APP_OPTIONS_H
#define CLIENT_APP_OPTIONS_H

#include "codec/family.h"

enum exit_code {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,    /* the server refused, failed, never came, or an error was observed */
    EXIT_USAGE = 2,     /* wrong usage, or a sound file that cannot be used */
    EXIT_DECLINED = 77, /* conform: a plan this client cannot follow */
    EXIT_BROKEN = 99,   /* conform: the environment is unusable */
    EXIT_INTERRUPTED = 130
};

enum { SPEAK_KEY_BYTES_MAX = 4095 }; /* in --key */

/* What speak and conform have in common. */
struct session_options {
    uint32_t reconnect_times; /* 0: none */
    unsigned ready_wait_s;    /* 0: as the documents have it */
    unsigned ping_s;          /* 0: as the documents have it */
    bool no_deflate;          /* offers no compressed messages */
};

enum option_result { OPTION_UNKNOWN, OPTION_TAKEN, OPTION_WRONG };

/* Takes --reconnect[=TIMES], --ready-timeout SECONDS, --ping SECONDS or --no-deflate at argv[*at], which it
 * moves to the last word taken. A wrong value is told as one line on standard error. */
enum option_result session_option_take(const char *command, int argc, char **argv, int *at,
                                       struct session_options *out);

struct string_option {
    const char *name;
    const char **value;
};

/* The same of an option that has a value: `*value` becomes the word after it, which is not copied. */
enum option_result string_option_take(const char *command, int argc, char **argv, int *at,
                                      const struct string_option *options, size_t count);

/* A number between `min` and `max`, in digits alone. */
bool number_parse(const char *text, unsigned min, unsigned max, unsigned *out);

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
    char key_given[SPEAK_KEY_BYTES_MAX + 1]; /* what `key` points to when it was given as an option */
};

/* `argv` from the first word after "speak". False when the program should end with `*exit_code`; help and
 * errors are printed. */
bool speak_options_parse(int argc, char **argv, struct speak_options *out, int *exit_code);

/* One line on standard error, with a hint; returns EXIT_USAGE. */
int usage_error(const char *command, const char *what, const char *word);
/* The same of an unknown option, with the nearest of those in the command's help. */
int usage_no_option(const char *command, const char *word, const char *help);

/* The first of the variables that is set and not empty; else NULL. */
const char *environment(const char *name, const char *other_name);

#endif
