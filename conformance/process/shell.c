#define _GNU_SOURCE /* get_current_dir_name */
#include "conformance/process/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/wire/text.h"

static void add_word(struct text *text, const char *word)
{
    if (word[0] == SHELL_AS_IT_IS) {
        text_add(text, word + 1);
        return;
    }
    const bool plain =
        word[0] != '\0' && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                        "_-./:=,@%+") == strlen(word);
    if (plain) {
        text_add(text, word);
        return;
    }
    text_add_char(text, '\'');
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '\'')
            text_add(text, "'\\''");
        else
            text_add_char(text, *c);
    }
    text_add_char(text, '\'');
}

void shell_line(char *const words[], char *out, size_t capacity)
{
    struct text text = text_of(out, capacity);
    for (size_t i = 0; words[i] != NULL; i++) {
        if (i > 0)
            text_add_char(&text, ' ');
        add_word(&text, words[i]);
    }
}

char *shell_line_new(const char *const words[])
{
    enum { BYTES_A_QUOTE = 4, BYTES_A_WORD = 3 }; /* '\'' and two quotes with a space */
    size_t capacity = 1;
    for (size_t i = 0; words[i] != NULL; i++)
        capacity += BYTES_A_QUOTE * strlen(words[i]) + BYTES_A_WORD;
    char *line = malloc(capacity);
    if (line == NULL)
        return NULL;
    struct text text = text_of(line, capacity);
    for (size_t i = 0; words[i] != NULL; i++) {
        if (i > 0)
            text_add_char(&text, ' ');
        add_word(&text, words[i]);
    }
    return line;
}

char *shell_path_new(const char *path)
{
    char *here = path[0] == '/' ? NULL : get_current_dir_name();
    if (here == NULL)
        return strdup(path);
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    const size_t capacity = strlen(here) + strlen(path) + sizeof "/";
    char *whole = malloc(capacity);
    if (whole != NULL)
        snprintf(whole, capacity, "%s/%s", here, path);
    free(here);
    return whole;
}
