/* Which of some names is meant, and which may have been. */
#include "codec/options/options.h"
#include "codec/wire/nearest.h"

int option_word(const char *word, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], word) == 0)
            return i;
    return -1;
}

/* The name in a word: "tsl" of "--tsl=expired". */
static struct bytes name_in(const char *word)
{
    const char *name = word + strspn(word, "-");
    return bytes_of(name, strcspn(name, "="));
}

void option_add_near(struct text *out, const struct option_page *page, const char *word)
{
    struct nearest nearest = nearest_to(name_in(word));
    for (size_t i = 0; i < page->row_count; i++)
        if (page->rows[i].name != NULL && !page->rows[i].hidden)
            nearest_offer(&nearest, page->rows[i].name);
    if (nearest.name == NULL)
        return;
    text_add(out, "; did you mean \"--");
    text_add(out, nearest.name);
    text_add(out, "\"?");
}

void option_add_near_command(struct text *out, const struct option_page *const *pages, const char *word)
{
    struct nearest nearest = nearest_to(bytes_of_text(word));
    for (size_t i = 1; pages[i] != NULL; i++)
        nearest_offer(&nearest, pages[i]->command);
    text_add_nearest(out, &nearest);
}

static bool may_be(const struct option_row *row, struct bytes name)
{
    return row->name != NULL && strncmp(row->name, (const char *)name.data, name.len) == 0;
}

void option_add_candidates(struct text *out, const struct option_page *page, const char *word)
{
    const struct bytes name = name_in(word);
    size_t count = 0, said = 0;
    for (size_t i = 0; i < page->row_count; i++)
        count += may_be(&page->rows[i], name) ? 1 : 0;
    for (size_t i = 0; i < page->row_count; i++) {
        if (!may_be(&page->rows[i], name))
            continue;
        said++;
        text_add(out, said == 1 ? " --" : said == count ? " or --" : ", --");
        text_add(out, page->rows[i].name);
    }
}
