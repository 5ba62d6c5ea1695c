/* The command line and the environment of ojin-client. */
#ifndef CLIENT_APP_OPTIONS_H
#define CLIENT_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/options/options.h"

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

/* In whole seconds. */
enum { PING_S_MAX = 3600, READY_TIMEOUT_S_MAX = 3600, TIMEOUT_S_MAX = 86400 };
enum { CLIENT_SECRET_BYTES_MAX = 16384 }; /* of a key or a token on the command line */

/* The page of a command read as options_parse does; argv[0] is the command's name. False when the program
 * should end with `*exit_code`: help and errors are printed. */
bool client_options_parse(const struct option_page *page, int argc, char **argv, void *out, char ***rest,
                          int *exit_code);

/* A number in the row's range: "--ping takes 1 to 3600 seconds, not '0'". */
option_reader client_number;
/* The same; without a value RECONNECT_TIMES_DEFAULT. */
option_reader client_reconnect;
/* What other users of the machine are not to see: copied to `copy`, to which the row's member then points,
 * and wiped from the command line. */
bool client_secret(struct option_given *given, void *out, char copy[CLIENT_SECRET_BYTES_MAX + 1]);

/* One line on standard error, with a hint; returns EXIT_USAGE. */
int usage_error(const char *command, const char *what, const char *word);
/* The same of a word that should be one of `names`, ended by NULL: asks whether a near one is meant. */
int usage_error_of(const char *command, const char *what, const char *word, const char *const *names);
/* The first of the variables that is set and not empty; else NULL. */
const char *environment(const char *name, const char *other_name);

#endif
