/*
 * Any words of a command, and any NAME=VALUE: filled in, or refused as too long. What holds no name in braces
 * stays as it is, what was filled in is not looked at again, and a variable that is set twice is there once.
 *
 * The input: words, each ended by a zero byte. The first is the key, which may hold braces itself.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/launch/launch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { WORDS_MAX = 16, INPUT_BYTES_MAX = 4096 };

struct given {
    char *text; /* owned; ended by a zero */
    char *words[WORDS_MAX + 1];
    size_t count;
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void given_init(struct given *given, const uint8_t *data, size_t len)
{
    *given = (struct given){.text = malloc(len + 1)};
    check(given->text != NULL);
    if (len > 0)
        memcpy(given->text, data, len);
    given->text[len] = '\0';
    for (size_t at = 0; at < len && given->count < WORDS_MAX; at += strlen(given->text + at) + 1)
        given->words[given->count++] = given->text + at;
}

static size_t list_count(char *const list[])
{
    size_t count = 0;
    while (list[count] != NULL)
        count++;
    return count;
}

static void check_words(char *const given[], const struct launch_values *values)
{
    char **words = launch_words(given, values);
    check(words != NULL || errno == E2BIG);
    for (size_t n = 0; words != NULL && given[n] != NULL; n++) {
        size_t len = 0;
        check(words[n] != NULL && strlen(words[n]) < LAUNCH_WORD_BYTES_MAX);
        const char *name = launch_name_find(given[n], &len);
        check(name == NULL || (len > 2 && name[0] == '{' && name[len - 1] == '}'));
        check(strchr(given[n], '{') != NULL || strcmp(words[n], given[n]) == 0);
        check(strcmp(given[n], "{key}") != 0 || strcmp(words[n], values->key) == 0);
    }
    check(words == NULL || list_count(words) == list_count(given));
    launch_free(words);
}

/* The place of NAME=… in the list, -1 when it is not there. */
static int place_of(char *const list[], const char *assignment)
{
    const size_t name = strcspn(assignment, "=");
    for (int n = 0; list[n] != NULL; n++)
        if (strncmp(list[n], assignment, name) == 0 && list[n][name] == '=')
            return n;
    return -1;
}

/* Those that are NAME=VALUE, as launch_set wants them. */
static size_t assignments_of(const struct given *given, char *out[WORDS_MAX])
{
    size_t count = 0;
    for (size_t n = 0; n < given->count; n++)
        if (strchr(given->words[n], '=') != NULL)
            out[count++] = given->words[n];
    return count;
}

static void check_environment(const struct given *given, const struct launch_values *values)
{
    static char home[] = "HOME=/nowhere";
    char *const base[] = {home, NULL};
    char *assignments[WORDS_MAX];
    const size_t count = assignments_of(given, assignments);
    char **list = launch_environment(base, values);
    check(list == NULL || place_of(list, "SERVICE_URL=") == 1);
    list = launch_set(list, assignments, count, values);
    check(list != NULL || errno == E2BIG);
    if (list == NULL)
        return;
    const size_t variables = list_count(list);
    check(variables <= count + 2);
    for (size_t n = 0; n < count; n++) /* a name may hold braces that are filled in, too */
        check(strchr(assignments[n], '{') != NULL || place_of(list, assignments[n]) >= 0);
    char **again = launch_set(list, assignments, count, values);
    check(again != NULL);
    launch_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const char *const variables[] = {"SERVICE_URL={url}", NULL};
    static const struct launch_value more[] = {{"audio", "/nowhere/speech.wav"}};
    struct given given;
    given_init(&given, data, len < INPUT_BYTES_MAX ? len : (size_t)INPUT_BYTES_MAX);
    const struct launch_values values = {.origin = "ws://127.0.0.1:1",
                                         .path = "/realtime/{config}",
                                         .query = "key={key}",
                                         .variables = variables,
                                         .key = given.count > 0 ? given.words[0] : "",
                                         .config = "a config",
                                         .more = more,
                                         .more_count = sizeof more / sizeof more[0]};
    check_words(given.words, &values);
    check_environment(&given, &values);
    free(given.text);
    return 0;
}
