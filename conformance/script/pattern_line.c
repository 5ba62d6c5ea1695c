/* Event patterns: the sides, the types of each, the filters. The tables are what SCRIPTS.md lists. */
#include "codec/wire/uuid.h"
#include "conformance/script/case_tables.h"
#include "conformance/script/check_lines.h"
#include "conformance/script/words.h"

enum { PATTERN_TYPES_MAX = 4, TYPES_SHOWN_MAX = 64, OCCURRENCE_DIGITS_MAX = 6 };

static const char *const SIDES[] = {"received", "sent", "seen", "mark", "step", NULL};
static const enum event_side SIDE_VALUES[] = {EVENT_RECEIVED, EVENT_SENT, EVENT_SEEN, EVENT_MARK, EVENT_STEP};

static const char *const RECEIVED_TYPES[] = {"upgrade", "other", "ping", "pong", "close", "end", "any", NULL};
static const char *const SENT_TYPES[] = {"ready", "silence", "speech", "fade",    "final",  "frame", "error",
                                         "text",  "ping",    "close",  "refusal", "binary", "any",   NULL};
static const char *const SEEN_TYPES[] = {"ready", "error", "closed", "state", "any", NULL};

static const char *const KINDS[] = {"silence", "speech", "other", NULL};
static const char *const FLAGS[] = {"true", "false", "yes", "no", "1", "0", NULL};

const struct value_rule FILTER_RULES[] = {
    [FILTER_KIND] = {.name = "kind",
                     .type = VALUE_CHOICE,
                     .choices = KINDS,
                     .sentence = "silence (index 0), speech (index 1), other"},
    [FILTER_INDEX] =
        {.name = "index", .type = VALUE_COUNT, .min = 0, .max = UINT32_MAX, .sentence = "the frame's index"},
    [FILTER_INTERACTION] = {.name = "interaction",
                            .type = VALUE_NAME,
                            .sentence = "$NAME.interaction, nil, or a UUID"},
    [FILTER_CODE] = {.name = "code",
                     .type = VALUE_TEXT,
                     .sentence = "an error's code, or the number of a close or a status"},
    [FILTER_TEXT] =
        {.name = "text",
         .type = VALUE_TEXT,
         .sentence =
             "of an observation (seen:) a part of its text; on the wire the whole text of the message"},
    [FILTER_TELLS] = {.name = "tells",
                      .type = VALUE_TEXT,
                      .sentence = "of an observation (seen:): one of these, with + between them, is part "
                                  "of its code or its text, in upper or lower case"},
    [FILTER_STEP] = {.name = "step", .type = VALUE_NAME, .sentence = "the name of the step that sent it"},
    [FILTER_FINAL] =
        {.name = "final",
         .type = VALUE_CHOICE,
         .choices = FLAGS,
         .sentence =
             "is_final; of a delta that was seen its end_of_turn, of a turn that it was heard to its end"},
    [FILTER_CLEAN] = {.name = "clean",
                      .type = VALUE_CHOICE,
                      .choices = FLAGS,
                      .sentence = "closed with 1000 or 1001"},
    [FILTER_BYTES] =
        {.name = "bytes", .type = VALUE_COUNT, .min = 0, .max = UINT32_MAX, .sentence = "the message's size"},
    [FILTER_HEARD] = {.name = "heard",
                      .type = VALUE_CHOICE,
                      .choices = FLAGS,
                      .sentence = "a sound was heard with the frame that was played, or stands in the "
                                  "message that was received; zeros are none"},
    [FILTER_PICTURED] = {.name = "pictured",
                         .type = VALUE_CHOICE,
                         .choices = FLAGS,
                         .sentence = "a picture was shown with the frame that was played"},
    [FILTER_LOAD] = {.name = "load",
                     .type = VALUE_NAME,
                     .sentence = "the load the client tells of sessionReady"},
    [FILTER_POSITION] = {.name = "position",
                         .type = VALUE_COUNT,
                         .min = 0,
                         .max = UINT32_MAX,
                         .sentence = "the place in the queue that the client tells"},
    [FILTER_SAMPLES] = {.name = "samples",
                        .type = VALUE_COUNT,
                        .min = 0,
                        .max = UINT32_MAX,
                        .sentence = "number of samples, of an observation that has it"},
    [FILTER_CACHE] = {.name = "cache",
                      .type = VALUE_COUNT,
                      .min = 0,
                      .max = UINT32_MAX,
                      .sentence = "the kv_cache_length that the client tells, as a number or in the text of "
                                  "a state"},
    [FILTER_INTERRUPTS] = {.name = "interrupts",
                           .type = VALUE_CHOICE,
                           .choices = FLAGS,
                           .sentence =
                               "a message of the client that asks the server to stop speaking, as an append "
                               "with force_listen does"},
    [FILTER_TIMESTAMP] = {.name = "timestamp",
                          .type = VALUE_NAME,
                          .sentence = "the timestamp of a frame, as a client tells it that tells it at all"},
    [FILTER_OWN] = {.name = "own",
                    .type = VALUE_CHOICE,
                    .choices = FLAGS,
                    .sentence =
                        "the picture shown with the frame that was played is the one that was read with "
                        "its timestamp; where no timestamps are told it is neither"},
    {.name = NULL}};

/* ---- types ---- */

struct type_list {
    const char *names[TYPES_SHOWN_MAX + 1];
    size_t count;
};

static void types_add(struct type_list *list, const char *name)
{
    if (list->count < TYPES_SHOWN_MAX && !choices_hold(list->names, name))
        list->names[list->count++] = name;
}

static void types_add_all(struct type_list *list, const char *const *names)
{
    for (size_t i = 0; names[i] != NULL; i++)
        types_add(list, names[i]);
}

static void types_of_side(const struct parser *parser, const struct script_words *words, enum event_side side,
                          struct type_list *out)
{
    *out = (struct type_list){.count = 0};
    switch (side) {
    case EVENT_RECEIVED:
        types_add_all(out, parser->class->receive_types);
        types_add_all(out, RECEIVED_TYPES);
        break;
    case EVENT_SENT:
        types_add_all(out, SENT_TYPES);
        for (size_t i = 0; parser->class->send_kinds[i].name != NULL; i++)
            types_add(out, parser->class->send_kinds[i].name);
        break;
    case EVENT_SEEN:
        types_add_all(out, words_seen(words));
        types_add_all(out, SEEN_TYPES);
        break;
    case EVENT_MARK:
    case EVENT_STEP:
        for (size_t i = 0; i < parser->name_count; i++)
            if (parser->names[i].is_mark == (side == EVENT_MARK))
                types_add(out, parser->names[i].name);
        break;
    }
}

static const char *types_expected(enum event_side side)
{
    switch (side) {
    case EVENT_RECEIVED:
        return "what the mock can receive: ";
    case EVENT_SENT:
        return "what the mock can send: ";
    case EVENT_SEEN:
        return "what a client can report: ";
    case EVENT_MARK:
        return "a mark of the server block: ";
    case EVENT_STEP:
        return "a name given with as in the server block: ";
    }
    return "";
}

static bool pattern_add_type(struct parser *parser, const struct script_words *words,
                             struct event_pattern *pattern, struct place place, struct bytes type)
{
    struct type_list types;
    char name[SCRIPT_TEXT_MAX];
    struct text text = text_of(name, sizeof name);
    text_add_bytes(&text, type);
    types_of_side(parser, words, pattern->side, &types);
    if (type.len == 0 || !choices_hold(types.names, name)) {
        char expected[SCRIPT_EXPECTED_MAX];
        choices_write(expected, types_expected(pattern->side), types.names);
        return complain_word(parser, place, expected, name, types.names);
    }
    if (pattern->type_count == PATTERN_TYPES_MAX)
        return complain_word(parser, place, "at most 4 types in a pattern", name, NULL);
    return text_keep(parser, name, &pattern->types[pattern->type_count++]);
}

/* ---- filters ---- */

static bool interaction_check(struct parser *parser, struct place place, const char *value)
{
    uint8_t ignored[UUID_BYTES];
    if (value[0] == '$')
        return references_check(parser, place, value, false);
    if (strcmp(value, "nil") == 0 || uuid_parse(bytes_of_text(value), ignored))
        return true;
    return complain_word(parser, place, "$NAME.interaction, nil or a UUID", value, NULL);
}

static bool step_check(struct parser *parser, struct place place, const char *value)
{
    struct type_list types;
    types_of_side(parser, NULL, EVENT_STEP, &types);
    if (choices_hold(types.names, value))
        return true;
    char expected[SCRIPT_EXPECTED_MAX];
    choices_write(expected, types_expected(EVENT_STEP), types.names);
    return complain_word(parser, place, expected, value, types.names);
}

bool filter_kind_of(const char *name, enum filter_kind *out)
{
    for (size_t i = 0; FILTER_RULES[i].name != NULL; i++) {
        if (strcmp(FILTER_RULES[i].name, name) != 0)
            continue;
        *out = (enum filter_kind)i;
        return true;
    }
    return false;
}

static bool filter_unknown(struct parser *parser, struct place place, const char *name)
{
    const char *names[FILTER_OWN + 2] = {NULL};
    for (size_t i = 0; FILTER_RULES[i].name != NULL; i++)
        names[i] = FILTER_RULES[i].name;
    char expected[SCRIPT_EXPECTED_MAX];
    choices_write(expected, "a filter: ", names);
    return complain_word(parser, place, expected, name, names);
}

bool pattern_add_filter(struct parser *parser, struct event_pattern *pattern, struct place name_place,
                        const char *name, struct place value_place, const char *value)
{
    enum filter_kind kind;
    struct value read;
    if (!filter_kind_of(name, &kind))
        return filter_unknown(parser, name_place, name);
    for (size_t i = 0; i < pattern->filter_count; i++)
        if (strcmp(pattern->filters[i].name, name) == 0)
            return complain_word(parser, name_place, "each filter once", name, NULL);
    if (pattern->filter_count == SCRIPT_FILTERS_MAX)
        return complain_word(parser, name_place, "at most 8 filters in a pattern", name, NULL);
    if (!value_read(parser, &FILTER_RULES[kind], value_place, value, false, &read))
        return false;
    if (kind == FILTER_INTERACTION && !interaction_check(parser, value_place, value))
        return false;
    if (kind == FILTER_STEP && !step_check(parser, value_place, value))
        return false;
    if (pattern->filters == NULL)
        pattern->filters = arena_take(parser->kept, SCRIPT_FILTERS_MAX * sizeof *pattern->filters);
    if (pattern->filters == NULL)
        return complain_memory(parser);
    struct event_filter *filter = &pattern->filters[pattern->filter_count++];
    filter->kind = kind;
    filter->name = FILTER_RULES[kind].name;
    return value_keep(parser, &read, SCRIPT_TEXT_MAX, &filter->value);
}

/* ---- the text of a pattern ---- */

static struct place place_after(struct place place, size_t bytes)
{
    return (struct place){place.line, place.column + (unsigned)bytes};
}

/* One of several with commas between them, into the pattern. */
typedef bool part_take(struct parser *parser, const struct script_words *words, struct event_pattern *pattern,
                       struct place place, struct bytes part);

/* One "name=value" of the brackets. */
static bool bracket_filter(struct parser *parser, const struct script_words *words,
                           struct event_pattern *pattern, struct place place, struct bytes text)
{
    (void)words;
    char name[SCRIPT_TEXT_MAX];
    char value[SCRIPT_TEXT_MAX];
    const uint8_t *equals = text.len == 0 ? NULL : memchr(text.data, '=', text.len);
    struct text name_text = text_of(name, sizeof name);
    struct text value_text = text_of(value, sizeof value);
    size_t name_len = equals == NULL ? text.len : (size_t)(equals - text.data);
    text_add_bytes(&name_text, bytes_of(text.data, name_len));
    if (equals == NULL)
        return complain_word(parser, place, "name=value in the brackets", name, NULL);
    text_add_bytes(&value_text, bytes_of(equals + 1, text.len - name_len - 1));
    return pattern_add_filter(parser, pattern, place, name, place_after(place, name_len + 1), value);
}

/* Splits `text` at commas and hands each part on. */
static bool split_parts(struct parser *parser, const struct script_words *words,
                        struct event_pattern *pattern, struct place place, struct bytes text, part_take *take)
{
    size_t start = 0;
    for (size_t i = 0; i <= text.len; i++) {
        if (i < text.len && text.data[i] != ',')
            continue;
        if (!take(parser, words, pattern, place_after(place, start), bytes_of(text.data + start, i - start)))
            return false;
        start = i + 1;
    }
    return true;
}

static bool pattern_side(struct parser *parser, const struct value *value, struct event_pattern *out,
                         size_t *side_len)
{
    char side[SCRIPT_TEXT_MAX];
    struct text text = text_of(side, sizeof side);
    const char *colon = strchr(value->text, ':');
    *side_len = colon == NULL ? strlen(value->text) : (size_t)(colon - value->text);
    text_add_bytes(&text, bytes_of(value->text, *side_len));
    for (size_t i = 0; SIDES[i] != NULL && colon != NULL; i++) {
        if (strcmp(SIDES[i], side) != 0)
            continue;
        out->side = SIDE_VALUES[i];
        return true;
    }
    return complain_word(parser, value->place, "SIDE:TYPE with a side received, sent, seen, mark or step",
                         side, SIDES);
}

/* Takes the ":N" off the end of `types`, when there is one. */
static bool occurrence_take(struct parser *parser, struct place place, struct bytes *types, uint64_t *out)
{
    size_t at = types->len;
    *out = 1;
    while (at > 0 && types->data[at - 1] != ':')
        at--;
    if (at == 0)
        return true;
    struct bytes digits = bytes_of(types->data + at, types->len - at);
    uint64_t number = 0;
    for (size_t i = 0; i < digits.len && digits.len <= OCCURRENCE_DIGITS_MAX; i++)
        number = digits.data[i] >= '0' && digits.data[i] <= '9'
                     ? number * 10 + (uint64_t)(digits.data[i] - '0')
                     : UINT32_MAX;
    if (number == 0 || number >= UINT32_MAX) {
        char found[SCRIPT_TEXT_MAX];
        struct text text = text_of(found, sizeof found);
        text_add_bytes(&text, digits);
        return complain_word(parser, place_after(place, at), "a count from 1 to 999999 after the colon",
                             found, NULL);
    }
    *out = number;
    types->len = at - 1;
    return true;
}

bool pattern_read(struct parser *parser, const struct script_words *words, const struct value *value,
                  struct event_pattern *out)
{
    size_t side_len = 0;
    *out = (struct event_pattern){.set = true};
    if (!pattern_side(parser, value, out, &side_len) ||
        !value_keep(parser, value, SCRIPT_TEXT_MAX, &out->text))
        return false;
    const char *types = value->text + side_len + 1;
    size_t types_len = strcspn(types, "[");
    struct place place = place_after(value->place, side_len + 1);
    struct bytes list = bytes_of(types, types_len);
    if (!occurrence_take(parser, place, &list, &out->occurrence) ||
        !split_parts(parser, words, out, place, list, pattern_add_type))
        return false;
    if (types[types_len] == '\0')
        return true;
    const char *filters = types + types_len + 1;
    size_t filters_len = strcspn(filters, "]");
    place = place_after(place, types_len + 1);
    if (filters[filters_len] == '\0' || filters[filters_len + 1] != '\0')
        return complain_word(parser, place, "filters that end in \"]\" at the end of the pattern", filters,
                             NULL);
    return split_parts(parser, words, out, place, bytes_of(filters, filters_len), bracket_filter);
}
