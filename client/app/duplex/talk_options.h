/* The command line of ojin-client talk. */
#ifndef CLIENT_APP_DUPLEX_TALK_OPTIONS_H
#define CLIENT_APP_DUPLEX_TALK_OPTIONS_H

#include "client/app/options.h"
#include "codec/duplex/profile.h"

extern const struct option_page TALK_PAGE;

/* Strings are those of the command line or the environment. */
struct talk_options {
    const char *audio;
    const char *video; /* a folder; NULL: a picture of our own */
    const char *url;
    const char *ca_file;
    const char *mode;                     /* "video", "audio" */
    bool later;                           /* the later version of the protocol */
    const struct duplex_profile *profile; /* what they come to */
    const char *instructions;             /* NULL: those of the client */
    const char *voice;                    /* ref_audio; NULL: none */
    unsigned slices;                      /* 0: not sent */
    const char *out;                      /* a WAV of what was heard; NULL: none */
    const char *transcript;               /* NULL: none */
    const char *json;                     /* NULL: none */
    bool quiet;
    unsigned timeout_s; /* 0: none */
    struct session_options session;
};

/* argv[0] is "talk". False when the program should end with `*exit_code`; help and
 * errors are printed. */
bool talk_options_parse(int argc, char **argv, struct talk_options *out, int *exit_code);

#endif
