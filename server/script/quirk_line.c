/* Quirks in scripts: the quirk step, and quirk= of serve. */
#include <stdlib.h>

#include "server/script/server_lines.h"

static const uint64_t NOT_SET = UINT64_MAX;

enum { QUIRK_TEXT_MAX = 200, QUIRK_NAMES_SHOWN_MAX = QUIRKS_MAX };

static bool name_wrong(struct parser *parser, struct place place, const char *name)
{
    const char *names[QUIRK_NAMES_SHOWN_MAX + 1] = {NULL};
    const struct quirk_kind *kinds = parser->class->quirks;
    for (size_t i = 0; kinds != NULL && kinds[i].name != NULL && i < QUIRK_NAMES_SHOWN_MAX; i++)
        names[i] = kinds[i].name;
    return complain_word(parser, place,
                         names[0] == NULL ? "no quirk: this family has none"
                                          : "the name of a quirk (--list quirks)",
                         name, names);
}

/* "quirk NAME: expected X, found Y": X of it, for an error with a place. */
static bool value_wrong(struct parser *parser, struct place place, const char *sentence, const char *value)
{
    static const char EXPECTED[] = ": expected ";
    const char *start = strstr(sentence, EXPECTED);
    const char *end = strstr(sentence, ", found ");
    char expected[SCRIPT_EXPECTED_MAX];
    struct text text = text_of(expected, sizeof expected);
    if (start != NULL && end != NULL && end > start) {
        start += sizeof EXPECTED - 1;
        text_add_bytes(&text, bytes_of(start, (size_t)(end - start)));
    } else {
        text_add(&text, "another value (");
        text_add(&text, sentence);
        text_add(&text, ")");
    }
    return complain_word(parser, place, expected, value, NULL);
}

/* `setting`: NAME or NAME=VALUE, which begins at `place`. */
static bool quirk_add(struct parser *parser, struct place place, const char *setting,
                      struct server_step *step)
{
    struct quirks quirks;
    char error[QUIRK_ERROR_MAX];
    char name[SCRIPT_NAME_MAX];
    size_t name_len = strcspn(setting, "=");
    struct text text = text_of(name, sizeof name);
    text_add_bytes(&text, bytes_of(setting, name_len));
    int row =
        parser->class->quirks == NULL ? -1 : quirk_row(parser->class->quirks, bytes_of(setting, name_len));
    if (row < 0)
        return name_wrong(parser, place, name);
    if (step->quirks == NULL)
        step->quirks = calloc(SCRIPT_QUIRKS_MAX, sizeof *step->quirks);
    if (step->quirks == NULL)
        return complain_memory(parser);
    memset(&quirks, 0xff, sizeof quirks);
    struct place value_place = place;
    if (setting[name_len] != '\0')
        value_place.column += (unsigned)name_len + 1;
    if (!quirk_set(&quirks, parser->class->quirks, bytes_of_text(setting), error))
        return value_wrong(parser, value_place, error,
                           setting[name_len] == '\0' ? name : setting + name_len + 1);
    for (size_t n = 0; n < QUIRKS_MAX; n++) {
        if (quirks.value[n] == NOT_SET)
            continue;
        if (step->quirk_count == SCRIPT_QUIRKS_MAX)
            return complain_word(parser, place, "at most 32 quirks", name, NULL);
        step->quirks[step->quirk_count++] = (struct script_quirk){.row = n, .value = quirks.value[n]};
    }
    return true;
}

/* The settings as text, for whoever shows the step. */
static bool quirk_keep(struct parser *parser, const char *list, struct place place, struct server_step *step)
{
    const struct token token = {.kind = TOKEN_OPTION, .place = place, .text = "quirk", .value = list};
    return step_add_option(parser, step, &token);
}

bool quirk_take_list(struct parser *parser, const struct value *list, struct server_step *step)
{
    struct place place = list->place;
    place.column += list->is_string ? 1 : 0;
    for (const char *at = list->text; *at != '\0';) {
        char setting[QUIRK_TEXT_MAX];
        struct text text = text_of(setting, sizeof setting);
        struct place setting_place = {place.line, place.column + (unsigned)(at - list->text)};
        size_t len = strcspn(at, " ,");
        text_add_bytes(&text, bytes_of(at, len));
        if (len > 0 && !quirk_add(parser, setting_place, setting, step))
            return false;
        at += len + (at[len] != '\0');
    }
    if (step->quirk_count == 0)
        return complain_word(parser, list->place, "quirk=\"NAME[=VALUE] …\"", list->text, NULL);
    return quirk_keep(parser, list->text, list->place, step);
}

bool quirk_build(struct parser *parser, const struct node *node, struct server_step *step)
{
    char list[SCRIPT_TEXT_MAX];
    struct text all = text_of(list, sizeof list);
    for (const struct item *item = node->items->next; item != NULL; item = item->next) {
        const struct token *token = &item->token;
        char setting[QUIRK_TEXT_MAX];
        struct text text = text_of(setting, sizeof setting);
        text_add(&text, token->text);
        if (token->kind == TOKEN_OPTION) {
            text_add(&text, "=");
            text_add(&text, token->value);
        }
        if (!quirk_add(parser, token->place, setting, step))
            return false;
        text_add(&all, all.len > 0 ? " " : "");
        text_add(&all, setting);
    }
    if (step->quirk_count == 0)
        return complain(parser, node->end, "the name of a quirk", node->found_at_end);
    return quirk_keep(parser, list, node->items->token.place, step);
}
