#include "server/launch/launch.h"

#include <errno.h>
#include <stdlib.h>

#include "codec/wire/buffer.h"
#include "codec/wire/text.h"

static bool add(struct buffer *out, const char *text)
{
    return buffer_append(out, bytes_of_text(text));
}

static bool add_encoded(struct buffer *out, const char *value)
{
    bool good = true;
    for (const char *c = value; good && *c != '\0'; c++) {
        const bool bare = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                          strchr("-._~", *c) != NULL;
        if (bare) {
            good = buffer_append(out, bytes_of(c, 1));
            continue;
        }
        char escape[4];
        struct text text = text_of(escape, sizeof escape);
        text_add_char(&text, '%');
        text_add_hex(&text, bytes_of(c, 1));
        good = add(out, escape);
    }
    return good;
}

/* A path or a query, with config and key in their places. */
static bool add_template(struct buffer *out, const char *template, const struct launch_values *values)
{
    static const char CONFIG[] = "{config}", KEY[] = "{key}";
    bool good = true;
    for (const char *at = template; good && *at != '\0';) {
        const bool is_config = strncmp(at, CONFIG, sizeof CONFIG - 1) == 0;
        const bool is_key = strncmp(at, KEY, sizeof KEY - 1) == 0;
        if (is_config || is_key)
            good = add_encoded(out, is_config ? values->config : values->key);
        else
            good = buffer_append(out, bytes_of(at, 1));
        at += is_config ? sizeof CONFIG - 1 : is_key ? sizeof KEY - 1 : 1;
    }
    return good;
}

static bool add_url(struct buffer *out, const struct launch_values *values)
{
    return add(out, values->origin) && add_template(out, values->path, values);
}

static bool add_query(struct buffer *out, const struct launch_values *values)
{
    return *values->query == '\0' || (add(out, "?") && add_template(out, values->query, values));
}

/* Adds what `name` stands for; `*known` tells whether it stands for anything. */
static bool add_value(struct buffer *out, struct bytes name, const struct launch_values *values, bool *known)
{
    *known = true;
    if (bytes_equal_text(name, "key"))
        return add(out, values->key);
    if (bytes_equal_text(name, "config"))
        return add(out, values->config);
    if (bytes_equal_text(name, "origin"))
        return add(out, values->origin);
    if (bytes_equal_text(name, "url"))
        return add_url(out, values);
    if (bytes_equal_text(name, "full_url"))
        return add_url(out, values) && add_query(out, values);
    for (size_t i = 0; i < values->more_count; i++)
        if (bytes_equal_text(name, values->more[i].name))
            return add(out, values->more[i].value);
    *known = false;
    return true;
}

/* How long the name in braces is that begins here, braces included; 0: none does. */
static size_t name_length(const char *brace)
{
    size_t len = 1;
    if (*brace != '{')
        return 0;
    while ((brace[len] >= 'a' && brace[len] <= 'z') || brace[len] == '_')
        len++;
    return len > 1 && brace[len] == '}' ? len + 1 : 0;
}

/* Two braces before a name, or a shell's dollar. */
static bool is_escaped(const char *word, const char *brace)
{
    return brace > word && (brace[-1] == '{' || brace[-1] == '$');
}

const char *launch_name_find(const char *word, size_t *len)
{
    for (const char *c = word; *c != '\0'; c++) {
        *len = name_length(c);
        if (*len > 0 && !is_escaped(word, c))
            return c;
    }
    return NULL;
}

static bool fill(struct buffer *out, const char *word, const struct launch_values *values)
{
    bool good = true;
    for (const char *c = word; good && *c != '\0'; c++) {
        const size_t len = name_length(c);
        bool known = false;
        if (len > 0 && !is_escaped(word, c))
            good = add_value(out, bytes_of(c + 1, len - 2), values, &known);
        if (known)
            c += len - 1;
        else if (good && !(c[0] == '{' && name_length(c + 1) > 0))
            good = buffer_append(out, bytes_of(c, 1));
    }
    return good && buffer_append(out, bytes_of("", 1));
}

/* The caller frees it; NULL with errno set when it cannot be. */
static char *filled_in(const char *word, const struct launch_values *values)
{
    struct buffer out;
    buffer_init(&out, LAUNCH_WORD_BYTES_MAX);
    errno = E2BIG; /* unless memory runs out, which says so itself */
    if (fill(&out, word, values))
        return (char *)out.data;
    buffer_free(&out);
    return NULL;
}

static size_t list_length(char *const list[])
{
    size_t count = 0;
    while (list[count] != NULL)
        count++;
    return count;
}

void launch_free(char **list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        free(list[i]);
    free(list);
}

char **launch_words(char *const command[], const struct launch_values *values)
{
    const size_t count = list_length(command);
    char **words = calloc(count + 1, sizeof *words);
    for (size_t i = 0; words != NULL && i < count; i++) {
        words[i] = filled_in(command[i], values);
        if (words[i] == NULL) {
            launch_free(words);
            return NULL;
        }
    }
    return words;
}

/* Sets or replaces NAME=VALUE in a list that has room for one more. */
static bool set_variable(char **list, const char *assignment, const struct launch_values *values)
{
    const char *equals = strchr(assignment, '=');
    const size_t name_len = equals == NULL ? strlen(assignment) : (size_t)(equals - assignment);
    char *filled = filled_in(assignment, values);
    if (filled == NULL)
        return false;
    size_t i = 0;
    while (list[i] != NULL && !(strncmp(list[i], assignment, name_len) == 0 && list[i][name_len] == '='))
        i++;
    free(list[i]);
    list[i] = filled;
    return true;
}

/* Room for `count` variables more; the list is freed when there is none. */
static char **list_grow(char **list, size_t count)
{
    const size_t had = list == NULL ? 0 : list_length(list);
    char **longer = list == NULL ? NULL : realloc(list, (had + count + 1) * sizeof *longer);
    if (longer == NULL) {
        launch_free(list);
        return NULL;
    }
    for (size_t i = had; i < had + count + 1; i++)
        longer[i] = NULL;
    return longer;
}

char **launch_set(char **list, char *const assignments[], size_t count, const struct launch_values *values)
{
    char **longer = list_grow(list, count);
    for (size_t i = 0; longer != NULL && i < count; i++) {
        if (!set_variable(longer, assignments[i], values)) {
            launch_free(longer);
            return NULL;
        }
    }
    return longer;
}

char **launch_set_all(char **list, const char *const assignments[], const struct launch_values *values)
{
    size_t count = 0;
    while (assignments[count] != NULL)
        count++;
    char **longer = list_grow(list, count);
    for (size_t i = 0; longer != NULL && i < count; i++) {
        if (!set_variable(longer, assignments[i], values)) {
            launch_free(longer);
            return NULL;
        }
    }
    return longer;
}

char **launch_environment(char *const base[], const struct launch_values *values)
{
    const size_t count = list_length(base);
    char **list = calloc(count + 1, sizeof *list);
    if (list == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        list[i] = strdup(base[i]);
        if (list[i] == NULL) {
            launch_free(list);
            return NULL;
        }
    }
    return launch_set_all(list, values->variables, values);
}
