#include "server/mock/lists.h"

#include <stdio.h>

#include "codec/wire/json_writer.h"
#include "codec/wire/text.h"

enum { LINE_BYTES_MAX = 16384, LABEL_BYTES_MAX = 128 };

/* One line of a list, whatever it is a list of. */
struct row {
    const char *family;
    const char *name;
    const char *value; /* NULL: the list has no values */
    const char *unset; /* "" or NULL: none */
    bool has_range;
    uint64_t min, max;
    const char *choices;
    const char *means; /* of a card; NULL: no card */
    const char *sentence;
};

typedef void row_function(void *context, const struct row *row);

/* ---- the rows of each list ---- */

static void profiles_walk(const struct session_class *class, row_function *each, void *context)
{
    for (const struct profile *const *profile = class->family->profiles; *profile != NULL; profile++)
        each(context, &(struct row){.family = (*profile)->family,
                                    .name = (*profile)->name,
                                    .sentence = (*profile)->title});
}

static struct row quirk_as_row(const struct session_class *class, const struct quirk_kind *kind)
{
    static const char *const values[] = {
        [QUIRK_FLAG] = "flag", [QUIRK_NUMBER] = "number", [QUIRK_DURATION] = "duration",
        [QUIRK_SIZE] = "size", [QUIRK_CHOICE] = "choice", [QUIRK_SET] = "set"};
    return (struct row){.family = class->family->name,
                        .name = kind->name,
                        .value = values[kind->value],
                        .unset = kind->unset,
                        .has_range = kind->value == QUIRK_NUMBER || kind->value == QUIRK_DURATION ||
                                     kind->value == QUIRK_SIZE,
                        .min = kind->min,
                        .max = kind->max,
                        .choices =
                            kind->value == QUIRK_CHOICE || kind->value == QUIRK_SET ? kind->choices : NULL,
                        .sentence = kind->sentence};
}

static struct row fault_as_row(const struct session_class *class, const struct fault_kind *kind)
{
    static const char *const values[] = {[FAULT_PLAIN] = "plain",
                                         [FAULT_NUMBER] = "number",
                                         [FAULT_DURATION] = "duration",
                                         [FAULT_TEXT] = "text",
                                         [FAULT_BAD_CLOSE_CODE] = "number"};
    return (struct row){.family = class->family->name,
                        .name = kind->name,
                        .value = values[kind->value],
                        .unset = kind->unset,
                        .has_range = kind->value == FAULT_NUMBER || kind->value == FAULT_DURATION,
                        .min = kind->min,
                        .max = kind->max,
                        .sentence = kind->sentence};
}

static void quirks_walk(const struct session_class *class, row_function *each, void *context)
{
    for (const struct quirk_kind *kind = class->quirks; kind->name != NULL; kind++) {
        const struct row row = quirk_as_row(class, kind);
        each(context, &row);
    }
}

static void faults_walk(const struct session_class *class, row_function *each, void *context)
{
    for (const struct fault_kind *kind = faults_of(class); kind->name != NULL; kind++) {
        const struct row row = fault_as_row(class, kind);
        each(context, &row);
    }
}

static void card_walk_one(row_function *each, void *context, const char *name, struct row row)
{
    char card[LABEL_BYTES_MAX];
    snprintf(card, sizeof card, "mock.%s", name);
    row.name = card;
    each(context, &row);
}

/* Names of their own first, then each quirk and fault, with what value it takes. */
static void cards_walk(const struct session_class *class, row_function *each, void *context)
{
    for (const struct card_alias *card = card_aliases_of(class); card->name != NULL; card++)
        card_walk_one(
            each, context, card->name,
            (struct row){.family = class->family->name, .means = card->means, .sentence = card->sentence});
    for (const struct quirk_kind *kind = class->quirks; kind->name != NULL; kind++) {
        struct row row = quirk_as_row(class, kind);
        row.means = kind->name;
        card_walk_one(each, context, kind->name, row);
    }
    for (const struct fault_kind *kind = faults_of(class); kind->name != NULL; kind++) {
        struct row row = fault_as_row(class, kind);
        row.means = kind->name;
        card_walk_one(each, context, kind->name, row);
    }
}

static void walk(enum mock_list list, const struct session_class *class, row_function *each, void *context)
{
    switch (list) {
    case MOCK_LIST_NONE:
        return;
    case MOCK_LIST_PROFILES:
        profiles_walk(class, each, context);
        return;
    case MOCK_LIST_QUIRKS:
        quirks_walk(class, each, context);
        return;
    case MOCK_LIST_FAULTS:
        faults_walk(class, each, context);
        return;
    case MOCK_LIST_CARDS:
        cards_walk(class, each, context);
        return;
    }
}

/* ---- for people ---- */

static bool is_text(const struct row *row)
{
    return row->value != NULL && strcmp(row->value, "text") == 0;
}

/* "cancel-late[=800ms]": how it is written, and what it is without a value; of a text, which may be long,
 * that stands behind the sentence. */
static void label_write(char out[LABEL_BYTES_MAX], const struct row *row)
{
    const bool shows_value = row->unset != NULL && *row->unset != '\0';
    snprintf(out, LABEL_BYTES_MAX, "%s%s%s%s", row->name, shows_value ? "[=" : "",
             !shows_value   ? ""
             : is_text(row) ? "TEXT"
                            : row->unset,
             shows_value ? "]" : "");
}

static void width_take(void *context, const struct row *row)
{
    size_t *width = context;
    char label[LABEL_BYTES_MAX];
    label_write(label, row);
    if (strlen(label) > *width)
        *width = strlen(label);
}

static void row_show(void *context, const struct row *row)
{
    const size_t *width = context;
    char label[LABEL_BYTES_MAX];
    label_write(label, row);
    printf("%-*s  %s", (int)*width, label, row->sentence);
    if (row->choices != NULL)
        printf(" (%s)", row->choices);
    if (is_text(row) && row->unset != NULL && *row->unset != '\0')
        printf(" (TEXT: %s)", row->unset);
    if (row->means != NULL && strcmp(row->means, row->name + strlen("mock.")) != 0)
        printf(" (%s)", row->means);
    putchar('\n');
}

static const char *foot_of(enum mock_list list)
{
    switch (list) {
    case MOCK_LIST_NONE:
    case MOCK_LIST_PROFILES:
        return "";
    case MOCK_LIST_QUIRKS:
        return "\nIn brackets: the value that NAME alone stands for. N, TIME and TEXT are the value. "
               "NAME=off switches a quirk off.\n";
    case MOCK_LIST_FAULTS:
        return "\nIn brackets: the value that NAME alone stands for. N, TIME and TEXT are the value. \"In "
               "speech\" means "
               "after the third\nspeech frame, in the full-duplex family after the second delta, in the "
               "interview\nfamily after the second ai_audio_chunk.\n";
    case MOCK_LIST_CARDS:
        return "\nA card is a config_id, or the id of an interview in the path. Those of quirks and faults "
               "take a "
               "value too\n(mock.drop=3), and \"+\" joins several (mock.cancel-late=2s+fade). In a query "
               "\"=\" is "
               "written %3D and \"+\" %2B:\nconfig_id=mock.cancel-late%3D2s%2Bfade.\n";
    }
    return "";
}

/* ---- for scripts ---- */

static void choices_put(struct json_writer *json, const char *choices)
{
    json_open(json, "choices", '[');
    for (const char *at = choices; *at != '\0';) {
        const size_t len = strcspn(at, " ");
        json_bytes(json, NULL, bytes_of(at, len));
        at += len + (at[len] == '\0' ? 0 : 1);
    }
    json_close(json, ']');
}

static void value_put(struct json_writer *json, const struct row *row)
{
    const bool has_default = row->unset != NULL && *row->unset != '\0';
    json_text(json, "value", row->value);
    json_text(json, "default", has_default ? row->unset : NULL);
    if (row->choices != NULL)
        choices_put(json, row->choices);
    if (!row->has_range)
        return;
    json_u64(json, "min", row->min);
    json_u64(json, "max", row->max);
}

static void row_print_json(void *context, const struct row *row)
{
    size_t *count = context;
    struct buffer line;
    buffer_init(&line, LINE_BYTES_MAX);
    struct json_writer json = json_writer_of(&line);
    json_open(&json, NULL, '{');
    json_text(&json, "family", row->family);
    json_text(&json, "name", row->name);
    if (row->value != NULL)
        value_put(&json, row);
    if (row->means != NULL)
        json_text(&json, "means", row->means);
    json_text(&json, row->value == NULL && row->means == NULL ? "title" : "sentence", row->sentence);
    json_close(&json, '}');
    printf("%s%.*s", (*count)++ == 0 ? "" : ",\n ", (int)line.len, (const char *)line.data);
    buffer_free(&line);
}

void list_print(enum mock_list list, const struct family_behaviour *families, size_t count, bool json)
{
    size_t printed = 0;
    if (json)
        putchar('[');
    for (size_t i = 0; i < count; i++) {
        const struct session_class *class = families[i].class;
        size_t width = 0;
        if (json) {
            walk(list, class, row_print_json, &printed);
            continue;
        }
        if (count > 1)
            printf("%s%s: %s\n", i == 0 ? "" : "\n", class->family->name, class->family->title);
        walk(list, class, width_take, &width);
        walk(list, class, row_show, &width);
    }
    if (json)
        puts("]");
    else
        fputs(foot_of(list), stdout);
}
