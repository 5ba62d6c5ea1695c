/*
 * How a client under test learns where to go: the words of its command and its environment, filled in.
 *
 * In words and in the values of --env: {url} {full_url} (with its query) {origin} {key} {config} {audio}
 * {video} {plan} {out} {control} {case} {profile} {ca}. See server/launch/launch.h.
 */
#ifndef CONFORMANCE_PROCESS_LAUNCH_H
#define CONFORMANCE_PROCESS_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

#include "codec/family.h"

/* The API key that every client under test is given, in families that have keys: see client_key.h. */
extern const char CONFORM_KEY[];

struct client_values {
    unsigned port;
    const char *ca; /* with TLS, the file of the authority to trust; NULL: no TLS */
    const struct family *family;
    const struct profile *profile;
    const char *key;
    const char *config;
    const char *audio;   /* a WAV */
    const char *video;   /* a folder of JPEGs */
    const char *plan;    /* the plan's JSON file */
    const char *out;     /* folder for what the client played */
    const char *control; /* the address of the HTTP channel */
    const char *case_name;
};

/* Is each name in braces, in the words and in the NAME=VALUE of --env, one that is filled in? With
 * `persistent` none may be but {key}: what belongs to a case comes on standard input. Else says so on
 * standard error. */
bool client_words_check(char *const command[], char *const extra[], size_t extra_count, bool persistent);

/* Both return a NULL-ended list that the caller frees with launch_free; NULL when memory runs out. */
char **client_words(char *const command[], const struct client_values *client);
/* The runner's own environment with the variables for the client set; `extra` are the NAME=VALUE of --env. */
char **client_environment(char *const base[], char *const extra[], size_t extra_count,
                          const struct client_values *client);

#endif
