#include "codec/wire/help_words.h"

#include "codec/wire/nearest.h"

enum { WORD_BYTES_MAX = 40, INDENT_MAX = 6 };

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Letters, digits and dashes from here on. */
static size_t name_length(const char *at)
{
    size_t len = 0;
    while (is_letter(at[len]) || (at[len] >= '0' && at[len] <= '9') || at[len] == '-')
        len++;
    return len;
}

/* The name of the option that the line begins with, without its dashes; empty: none. */
static struct bytes option_of_line(const char *line)
{
    const size_t indent = strspn(line, " ");
    const char *at = line + indent;
    if (at[0] == '-' && is_letter(at[1]) && strncmp(at + 2, ", ", 2) == 0)
        at += 4;
    if (indent == 0 || indent > INDENT_MAX || strncmp(at, "--", 2) != 0)
        return bytes_of(at, 0);
    return bytes_of(at + 2, name_length(at + 2));
}

static struct bytes command_of_line(const char *line)
{
    if (strncmp(line, "  ", 2) != 0 || !is_letter(line[2]))
        return bytes_of(line, 0);
    const size_t len = name_length(line + 2);
    return bytes_of(line + 2, line[2 + len] == ' ' ? len : 0);
}

static void add_near(struct text *out, struct bytes word, const char *help,
                     struct bytes of_line(const char *), const char *dashes)
{
    char name[WORD_BYTES_MAX], best[WORD_BYTES_MAX];
    struct nearest nearest = nearest_to(word);
    for (const char *line = help; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        const struct bytes found = of_line(line);
        if (found.len == 0 || found.len >= sizeof name)
            continue;
        memcpy(name, found.data, found.len);
        name[found.len] = '\0';
        nearest_offer(&nearest, name);
        if (nearest.name != name)
            continue;
        memcpy(best, name, sizeof best);
        nearest.name = best;
    }
    if (nearest.name == NULL)
        return;
    text_add(out, "; did you mean \"");
    text_add(out, dashes);
    text_add(out, nearest.name);
    text_add(out, "\"?");
}

void text_add_near_option(struct text *out, const char *word, const char *help)
{
    const char *name = word + strspn(word, "-");
    add_near(out, bytes_of(name, strcspn(name, "=")), help, option_of_line, "--");
}

void text_add_near_command(struct text *out, const char *word, const char *help)
{
    add_near(out, bytes_of_text(word), help, command_of_line, "");
}
