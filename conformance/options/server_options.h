/*
 * The options of `ojin-conform server`.
 */
#ifndef CONFORMANCE_OPTIONS_SERVER_OPTIONS_H
#define CONFORMANCE_OPTIONS_SERVER_OPTIONS_H

#include "client/net/url.h"
#include "conformance/options/options.h"
#include "server/token/token.h"

enum {
    SERVER_NOTE_MAX = 300,
    SERVER_PROFILES_MAX = 4,
    SERVER_KEY_BYTES_MAX = 16384, /* an option's */
    URL_SHOWN_MAX = URL_HOST_MAX + 2 * URL_TARGET_MAX
};
/* Where the secret of tokens is looked for when no option says it. */
#define SERVER_JWT_SECRET_VARIABLE "INTERVIEW_JWT_SECRET"

struct server_options {
    const char *url_text; /* as given, but without a key in its query */
    struct url url;       /* its target is not used: see path and query */
    char path[URL_TARGET_MAX];
    char query[URL_TARGET_MAX]; /* without what each case says for itself, such as config_id; empty: none */
    const char *key;
    const char *config;
    const char *jwt_secret; /* of a family with tokens: what they are signed with; NULL: it is not known */
    const char *candidate;  /* whose they are */
    bool key_made;          /* `key` was made with the secret */
    char url_without_key[URL_SHOWN_MAX];
    char key_of_url[URL_TARGET_MAX];    /* where the URL named it */
    char config_of_url[URL_TARGET_MAX]; /* the same */
    char token[TOKEN_BYTES_MAX + 1];
    char key_given[SERVER_KEY_BYTES_MAX + 1];      /* what `key` points to when it was given as an option */
    char secret_given[TOKEN_SECRET_BYTES_MAX + 1]; /* the same of `jwt_secret` */
    const char *ca_file;                           /* NULL: the system's roots */
    const struct family *family;
    const char *profile_name;      /* as given; NULL: auto */
    const struct profile *profile; /* that, or the one that the URL's query is of; NULL: auto */
    size_t profile_count;          /* that the server is held to; by server_probe */
    const struct profile *profiles[SERVER_PROFILES_MAX];
    char profile_note[SERVER_NOTE_MAX]; /* how it was come by; by server_probe */
    bool start_unjudged;                /* the profile was recognised by when the stream starts */
    const char *provoke;                /* NULL: none */
    unsigned patience;                  /* what waits are multiplied by */
    unsigned speed;                     /* what the server divides documented limits by */
    unsigned width, height;             /* of the config's pictures; 0: as the first */
    unsigned jobs;
    unsigned long long seed;
    bool inferred;
    bool strict;
    bool keep;
    bool colour;
    bool progress;
    struct report_paths reports;
    const char *out_folder;
    const char *cases_folder;
    const char *speech_folder;
    struct patterns run, skip;
    size_t requirement_count;
    const char *requirements[RUN_PATTERNS_MAX]; /* ids of the table */
    char program[OPTIONS_PATH_MAX];
    char default_cases[OPTIONS_PATH_MAX], default_speech[OPTIONS_PATH_MAX];
};

extern const struct option_page SERVER_PAGE;

/* The environment variable that tells a client of the family its key ("{key}") or config ("{config}"); empty:
 * there is none. Borrowed, up to its "=". */
struct bytes server_variable_of(const struct family *family, const char *what);

/* As it is when nothing is said. */
enum { SERVER_JOBS_DEFAULT = 4 /* sessions with the server at a time */ };

/* `argv[0]` is the subcommand's name. Key and secret are overwritten there, since every user of the machine
 * can read them. `out` borrows from `argv` and from itself: it is not to be copied. */
enum options_outcome server_options_parse(int argc, char *argv[], struct server_options *out);

/* Does a `profiles` cell cover one that the server is held to? Before server_probe: one that it may be. */
bool server_options_match(const struct server_options *options, const char *cell);

/* One line for a shell that runs a case again; the key, where its family has one, stands in it as
 * $OJIN_API_KEY. malloc'd; NULL when memory runs out. */
char *server_repro_line(const struct server_options *options, const struct profile *profile,
                        const char *case_name);

#endif
