/* How values are read that are alike in any program. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "codec/options/options.h"

bool option_number(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < min || value > max)
        return false;
    *out = value;
    return true;
}

static void *member(const struct option_given *given, void *out, size_t bytes)
{
    assert(given->row->bytes == bytes);
    (void)bytes;
    return (char *)out + given->row->at;
}

bool option_flag(struct option_given *given, void *out)
{
    *(bool *)member(given, out, sizeof(bool)) = true;
    return true;
}

void option_conceal(struct option_given *given, char *copy)
{
    const size_t len = strlen(given->value);
    memcpy(copy, given->value, len + 1);
    memset(given->value, 'x', len);
    given->value = copy;
}

bool option_text(struct option_given *given, void *out)
{
    *(const char **)member(given, out, sizeof(const char *)) = given->value;
    return true;
}

bool option_count(struct option_given *given, void *out)
{
    uint64_t number;
    if (!option_number(given->value, given->row->min, given->row->max, &number))
        return false;
    if (given->row->bytes == sizeof number)
        *(uint64_t *)member(given, out, sizeof number) = number;
    else
        *(unsigned *)member(given, out, sizeof(unsigned)) = (unsigned)number;
    return true;
}

static bool done(struct option_given *given)
{
    given->done = true;
    return true;
}

bool option_help(struct option_given *given, void *out)
{
    (void)out;
    options_help(stdout, given->program, given->page);
    return done(given);
}

bool option_version(struct option_given *given, void *out)
{
    (void)out;
    given->program->print_version(stdout, given->program->name);
    return done(given);
}

bool option_man(struct option_given *given, void *out)
{
    (void)out;
    options_man(stdout, given->program);
    return done(given);
}

bool option_completion(struct option_given *given, void *out)
{
    (void)out;
    if (options_completion(stdout, given->program, given->value))
        return done(given);
    fprintf(stderr, "%s: --completion '%s': expected bash, zsh or fish\n", given->program->name,
            given->value);
    return false;
}
