/* For tests of scripts and of cases: long texts, and what a script became in words. */
#ifndef SERVER_TESTS_SCRIPT_TEXTS_H
#define SERVER_TESTS_SCRIPT_TEXTS_H

#include <stdlib.h>

#include "codec/wire/text.h"
#include "server/script/script.h"

/* `before`, `part` as often as `count` says, `after`; to be freed. */
static inline char *repeated(const char *before, const char *part, size_t count, const char *after)
{
    size_t size = strlen(before) + strlen(part) * count + strlen(after) + 1;
    char *data = malloc(size);
    if (data == NULL)
        abort();
    struct text text = text_of(data, size);
    text_add(&text, before);
    for (size_t i = 0; i < count; i++)
        text_add(&text, part);
    text_add(&text, after);
    return data;
}

static inline void add_number(struct text *out, const char *before, uint64_t number)
{
    if (number == 0)
        return;
    text_add(out, before);
    text_add_u64(out, number);
}

static inline void add_word(struct text *out, const char *before, const char *word)
{
    if (word[0] == '\0')
        return;
    text_add(out, before);
    text_add(out, word);
}

static inline void add_condition(struct text *out, const char *before,
                                 const struct script_condition *condition)
{
    add_word(out, before, condition->name);
    if (condition->name[0] != '\0')
        add_number(out, ":", condition->count);
}

#endif
