/* The command line of ojin-client interview. */
#ifndef CLIENT_APP_INTERVIEW_INTERVIEW_OPTIONS_H
#define CLIENT_APP_INTERVIEW_INTERVIEW_OPTIONS_H

#include "client/app/options.h"
#include "codec/interview/profile.h"

extern const struct option_page INTERVIEW_PAGE;

/* Strings are those of the command line or the environment, but for the token: it is copied and then wiped
 * from the command line, where other users of the machine see it. So this is not to be copied. */
struct interview_options {
    const char *audio; /* a sound file, or a folder of them */
    const char *url;
    const char *id;    /* NULL: in the URL */
    const char *token; /* NULL: in the URL */
    const char *ca_file;
    bool deployed;                           /* speaks as a deployed server does */
    const struct interview_profile *profile; /* what that comes to */
    const char *out;                         /* a WAV of the conversation; NULL: none */
    const char *transcript;                  /* NULL: none */
    const char *json;                        /* NULL: none */
    bool quiet;
    unsigned interrupt_ms; /* each reply is interrupted once this much of it was heard; 0: none is */
    unsigned timeout_s;    /* 0: none */
    struct session_options session;
    char token_given[CLIENT_SECRET_BYTES_MAX + 1]; /* what `token` points to when it was given as an option */
};

/* argv[0] is "interview". False when the program should end with `*exit_code`; help and
 * errors are printed. */
bool interview_options_parse(int argc, char **argv, struct interview_options *out, int *exit_code);

#endif
