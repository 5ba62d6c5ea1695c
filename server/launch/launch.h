/*
 * How a client learns where its service is: the words of its command and its environment, filled in.
 *
 * In words and in the values of variables: {url} {full_url} (with its query) {origin} {key} {config}, and the
 * caller's own names. A name is lower-case letters and underscores; two braces before it, {{url}, stand for
 * one that begins no name, and so does ${url}, which is a shell's. A name in braces that stands for nothing
 * is left as it is, and what was filled in is not looked at again.
 */
#ifndef SERVER_LAUNCH_LAUNCH_H
#define SERVER_LAUNCH_LAUNCH_H

#include <stddef.h>

/* What one word or NAME=VALUE may grow to; also what Linux passes on. */
enum { LAUNCH_WORD_BYTES_MAX = 128 * 1024 };

struct launch_value {
    const char *name; /* without its braces */
    const char *value;
};

struct launch_values {
    const char *origin; /* "ws://127.0.0.1:7700" */
    const char *path;   /* "/realtime", "/interviews/{config}/connect" */
    const char *query;  /* of {full_url}: "config_id={config}"; "": none. In path and query {config} and {key}
                           are  percent-encoded */
    const char *const *variables; /* that launch_environment sets, "OJIN_URL={url}"; ended by NULL */
    const char *key;
    const char *config;
    const struct launch_value *more; /* the caller's own names */
    size_t more_count;
};

/* All three return a NULL-ended list that the caller frees with launch_free; NULL with errno set when memory
 * runs out (ENOMEM) or a word grows too long (E2BIG). */
char **launch_words(char *const command[], const struct launch_values *values);
/* `base` with the variables of `values` set. */
char **launch_environment(char *const base[], const struct launch_values *values);
/* `list` with the NAME=TEMPLATE of `assignments` set or replaced, in their order. Takes over `list`, frees it
 * when it fails, and gives NULL for NULL. */
char **launch_set(char **list, char *const assignments[], size_t count, const struct launch_values *values);
/* The same with a list that is ended by NULL. */
char **launch_set_all(char **list, const char *const assignments[], const struct launch_values *values);
void launch_free(char **list);
/* The first name that is to be filled in, from its brace on; `*len` is with both braces. NULL: none. */
const char *launch_name_find(const char *word, size_t *len);

#endif
