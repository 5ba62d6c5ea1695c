/* The command line and the environment of ojin-client. */
#ifndef CLIENT_APP_OPTIONS_H
#define CLIENT_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum exit_code {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,    /* the server refused, failed, never came, or an error was observed */
    EXIT_USAGE = 2,     /* wrong usage, or a sound file that cannot be used */
    EXIT_DECLINED = 77, /* conform: a plan this client cannot follow */
    EXIT_BROKEN = 99,   /* conform: the environment is unusable */
    EXIT_INTERRUPTED = 130
};

/* What the commands that hold a session have in common. */
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

/* One line on standard error, with a hint; returns EXIT_USAGE. */
int usage_error(const char *command, const char *what, const char *word);
/* The same of an unknown option, with the nearest of those in the command's help. */
int usage_no_option(const char *command, const char *word, const char *help);

/* The first of the variables that is set and not empty; else NULL. */
const char *environment(const char *name, const char *other_name);

#endif
