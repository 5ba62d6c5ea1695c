#include "conformance/selection/name_pattern.h"

#include <stddef.h>

/* One character of a set, maybe behind a `\`; moves `at` past it. False: the pattern ends first. */
static bool member_take(const char **at, unsigned char *out)
{
    if (**at == '\\' && (*at)[1] != '\0')
        (*at)++;
    *out = (unsigned char)**at;
    if (**at == '\0')
        return false;
    (*at)++;
    return true;
}

/* Of a set, from behind its `[`: is the character in it? NULL: it has no end. Else what stands behind it. */
static const char *set_match(const char *at, unsigned char character, bool *matches)
{
    const bool negated = *at == '!' || *at == '^';
    bool in = false;
    if (negated)
        at++;
    for (bool first = true; first || *at != ']'; first = false) {
        unsigned char low, high;
        if (!member_take(&at, &low))
            return NULL;
        high = low;
        if (at[0] == '-' && at[1] != ']' && at[1] != '\0') {
            at++;
            if (!member_take(&at, &high))
                return NULL;
        }
        in = in || (low <= character && character <= high);
    }
    *matches = in != negated;
    return at + 1;
}

/* What stands in the pattern for one character, from `at` on: does it match this one? What stands behind it;
 * NULL: it does not. */
static const char *one_match(const char *at, char character)
{
    bool matches = false;
    const char *behind = NULL;
    switch (*at) {
    case '?':
        return at + 1;
    case '[':
        behind = set_match(at + 1, (unsigned char)character, &matches);
        if (behind != NULL)
            return matches ? behind : NULL;
        break;
    case '\\':
        at += at[1] != '\0' ? 1 : 0;
        break;
    }
    return *at != '\0' && *at == character ? at + 1 : NULL;
}

/* Where it does not match on, the latest `*` takes one character more; an earlier one never has to. */
bool name_pattern_matches(const char *pattern, const char *name)
{
    const char *star = NULL;  /* behind the latest … */
    const char *taken = NULL; /* … which has taken up to here */
    while (*name != '\0' || *pattern == '*') {
        if (*pattern == '*') {
            star = ++pattern;
            taken = name;
            continue;
        }
        const char *behind = one_match(pattern, *name);
        if (behind != NULL) {
            pattern = behind;
            name++;
        } else if (star != NULL) {
            pattern = star;
            name = ++taken;
        } else {
            return false;
        }
    }
    return *pattern == '\0';
}
