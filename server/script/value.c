#include "server/script/value.h"

#include <stdlib.h>

#include "codec/rules/requirements.h"
#include "codec/wire/measure.h"

static bool is_label_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

static bool text_is_label(const char *text)
{
    size_t len = strlen(text);
    for (size_t i = 0; i < len; i++)
        if (!is_label_byte(text[i]))
            return false;
    return len > 0 && len < ACTION_LABEL_MAX;
}

bool number_read(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    return measure_read(bytes_of_text(text), MEASURE_NUMBER, out) && *out >= min && *out <= max;
}

static void expected_range(struct text *text, const struct value_rule *rule, const char *what)
{
    text_add(text, what);
    text_add(text, " from ");
    text_add_u64(text, rule->min);
    text_add(text, " to ");
    text_add_u64(text, rule->max);
}

static void expected_or_words(struct text *text, const struct value_rule *rule)
{
    for (size_t i = 0; rule->words != NULL && rule->words[i].word != NULL; i++) {
        text_add(text, ", ");
        text_add(text, rule->words[i].word);
    }
    text_add(text, rule->counter ? " or $NAME of a repeat around it" : "");
}

static void expected_duration(struct text *text, const struct value_rule *rule)
{
    text_add(text, "a duration such as 200ms or 2s, at most ");
    text_add_duration(text, rule->max);
}

static void expected_conditions(struct text *text, const struct value_rule *rule)
{
    text_add(text, "one of ");
    for (size_t i = 0; rule->conditions[i].name != NULL; i++) {
        text_add(text, i == 0 ? "" : ", ");
        text_add(text, rule->conditions[i].name);
        text_add(text, rule->conditions[i].counted ? ":N" : "");
    }
}

void value_expected(char out[SCRIPT_EXPECTED_MAX], const struct value_rule *rule)
{
    struct text text = text_of(out, SCRIPT_EXPECTED_MAX);
    switch (rule->type) {
    case VALUE_NONE:
    case VALUE_NAME:
        text_add(&text, rule->name);
        break;
    case VALUE_TEXT:
        if (rule->choices == NULL)
            text_add(&text, rule->name);
        else
            choices_write(out, "a text in double quotes or one of ", rule->choices);
        break;
    case VALUE_LABEL:
        text_add(&text, "a name of at most 31 letters, digits, - and _");
        break;
    case VALUE_STRING:
        text_add(&text, rule->name);
        text_add(&text, " in double quotes");
        break;
    case VALUE_COUNT:
        expected_range(&text, rule, "a whole number");
        expected_or_words(&text, rule);
        break;
    case VALUE_DURATION:
        expected_duration(&text, rule);
        break;
    case VALUE_SIZE:
        expected_range(&text, rule, "a size such as 100 or 512KB");
        expected_or_words(&text, rule);
        break;
    case VALUE_HEX:
        expected_range(&text, rule, "pairs of hex digits, bytes");
        break;
    case VALUE_CHOICE:
        choices_write(out, "one of ", rule->choices);
        break;
    case VALUE_CONDITION:
        expected_conditions(&text, rule);
        break;
    case VALUE_REQUIREMENT:
        text_add(&text, "the id of a requirement that this program knows, such as OJ-CAN-03");
        break;
    case VALUE_PATTERN:
        text_add(&text, "a pattern such as sent:speech");
        break;
    }
}

static bool value_wrong(struct parser *parser, const struct value_rule *rule, struct place place,
                        const char *text)
{
    char expected[SCRIPT_EXPECTED_MAX];
    value_expected(expected, rule);
    return complain_word(parser, place, expected, text, rule->choices);
}

static bool name_too_long(struct parser *parser, const struct value_rule *rule, struct place place,
                          const char *text)
{
    char expected[SCRIPT_EXPECTED_MAX];
    struct text out = text_of(expected, sizeof expected);
    text_add(&out, rule->name);
    text_add(&out, ", at most ");
    text_add_u64(&out, SCRIPT_NAME_MAX - 1);
    text_add(&out, " bytes");
    return complain_word(parser, place, expected, text, NULL);
}

/* Without its count, which may be right. */
static bool condition_wrong(struct parser *parser, const struct value_rule *rule, struct place place,
                            struct bytes name)
{
    enum { CONDITIONS_MAX = 31 };
    const char *names[CONDITIONS_MAX + 1] = {NULL};
    char expected[SCRIPT_EXPECTED_MAX];
    char found[SCRIPT_TEXT_MAX];
    struct text text = text_of(found, sizeof found);
    for (size_t i = 0; i < CONDITIONS_MAX && rule->conditions[i].name != NULL; i++)
        names[i] = rule->conditions[i].name;
    text_add_bytes(&text, name);
    value_expected(expected, rule);
    return complain_word(parser, place, expected, found, names);
}

static bool condition_read(struct parser *parser, const struct value_rule *rule, struct place place,
                           const char *text, struct script_condition *out)
{
    const char *colon = strchr(text, ':');
    size_t len = colon == NULL ? strlen(text) : (size_t)(colon - text);
    const struct condition_rule *found = NULL;
    for (size_t i = 0; rule->conditions[i].name != NULL && found == NULL; i++)
        if (bytes_equal_text(bytes_of(text, len), rule->conditions[i].name))
            found = &rule->conditions[i];
    if (found == NULL || len >= sizeof out->name)
        return condition_wrong(parser, rule, place, bytes_of(text, len));
    *out = (struct script_condition){.count = 1};
    memcpy(out->name, text, len);
    if (colon == NULL)
        return true;
    struct place count_place = {place.line, place.column + (unsigned)len + 1};
    if (!found->counted)
        return complain_word(parser, count_place, "no count after this condition", colon + 1, NULL);
    if (!measure_read(bytes_of_text(colon + 1), MEASURE_SIZE, &out->count) || out->count == 0)
        return complain_word(parser, count_place, "a count of at least 1", colon + 1, NULL);
    return true;
}

static bool counter_is_known(const struct parser *parser, struct bytes name)
{
    for (size_t i = 0; i < parser->counter_count; i++)
        if (bytes_equal_text(name, parser->counters[i]->as))
            return true;
    return false;
}

bool name_is_defined(const struct parser *parser, struct bytes name, bool mark)
{
    for (size_t i = 0; i < parser->name_count; i++)
        if (parser->names[i].is_mark == mark && bytes_equal_text(name, parser->names[i].name))
            return true;
    return false;
}

/* One reference, after its "$": how many bytes it takes; 0 when it is unknown. */
static size_t reference_length(const struct parser *parser, const char *text, bool counters)
{
    static const char SUFFIX[] = ".interaction";
    size_t len = 0;
    if (text[0] == '$')
        return 1;
    while (is_label_byte(text[len]))
        len++;
    struct bytes name = bytes_of(text, len);
    if (strncmp(text + len, SUFFIX, sizeof SUFFIX - 1) == 0)
        return name_is_defined(parser, name, false) ? len + sizeof SUFFIX - 1 : 0;
    return counters && len > 0 && counter_is_known(parser, name) ? len : 0;
}

bool references_check(struct parser *parser, struct place place, const char *text, bool counters)
{
    const char *expected = counters
                               ? "$NAME of a repeat around it or $NAME.interaction of a step named before"
                               : "$NAME.interaction of a step of the server block";
    for (const char *at = strchr(text, '$'); at != NULL; at = strchr(at, '$')) {
        size_t len = reference_length(parser, at + 1, counters);
        if (len == 0)
            return complain_word(parser, place, expected, text, NULL);
        at += 1 + len;
    }
    return true;
}

static bool number_in_range(const struct value_rule *rule, const struct value *value)
{
    return value->number >= rule->min && value->number <= rule->max;
}

/* All that the counter comes to must be in range. */
static bool counter_read(const struct parser *parser, const struct value_rule *rule, const char *name,
                         struct value *out)
{
    for (size_t i = parser->counter_count; i > 0; i--) {
        const struct server_step *repeat = parser->counters[i - 1];
        if (strcmp(repeat->as, name) != 0)
            continue;
        out->counter = repeat->as;
        out->number = repeat->from;
        return repeat->from >= rule->min && repeat->to <= rule->max;
    }
    return false;
}

static bool number_value_read(const struct parser *parser, const struct value_rule *rule, const char *text,
                              struct value *out)
{
    if (rule->counter && text[0] == '$' && text[1] != '\0')
        return counter_read(parser, rule, text + 1, out);
    for (size_t i = 0; rule->words != NULL && rule->words[i].word != NULL; i++) {
        if (strcmp(rule->words[i].word, text) != 0)
            continue;
        out->number = rule->words[i].number;
        return true;
    }
    const enum measure measure = rule->type == VALUE_COUNT ? MEASURE_NUMBER : MEASURE_SIZE;
    const bool read = measure_read(bytes_of_text(text), measure, &out->number);
    return read && number_in_range(rule, out);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool hex_is_good(const struct value_rule *rule, const char *text)
{
    const size_t len = strlen(text);
    for (size_t i = 0; i < len; i++)
        if (hex_digit(text[i]) < 0)
            return false;
    return len % 2 == 0 && len / 2 >= rule->min && len / 2 <= rule->max;
}

struct script_number value_number(const struct value *value)
{
    return (struct script_number){.number = value->number, .counter = value->counter};
}

struct bytes value_hex(const struct value *value)
{
    const size_t len = strlen(value->text) / 2;
    uint8_t *data = malloc(len + 1);
    for (size_t i = 0; data != NULL && i < len; i++)
        data[i] = (uint8_t)(hex_digit(value->text[2 * i]) * 16 + hex_digit(value->text[2 * i + 1]));
    return bytes_of(data, len);
}

bool value_read(struct parser *parser, const struct value_rule *rule, struct place place, const char *text,
                bool is_string, struct value *out)
{
    struct value value = {.set = true, .place = place, .text = text, .is_string = is_string};
    bool good = false;
    switch (rule->type) {
    case VALUE_NONE:
    case VALUE_PATTERN:
        good = !is_string;
        break;
    case VALUE_NAME:
        if (strlen(text) >= SCRIPT_NAME_MAX)
            return name_too_long(parser, rule, place, text);
        good = !is_string;
        break;
    case VALUE_LABEL:
        good = !is_string && text_is_label(text);
        break;
    case VALUE_STRING:
        good = is_string && strlen(text) < SCRIPT_TEXT_MAX;
        break;
    case VALUE_TEXT:
        good = is_string || rule->choices == NULL || choices_hold(rule->choices, text);
        break;
    case VALUE_COUNT:
    case VALUE_SIZE:
        good = !is_string && number_value_read(parser, rule, text, &value);
        break;
    case VALUE_DURATION:
        good = !is_string && measure_read(bytes_of_text(text), MEASURE_DURATION, &value.number) &&
               number_in_range(rule, &value);
        break;
    case VALUE_HEX:
        good = hex_is_good(rule, text);
        break;
    case VALUE_CHOICE:
        good = !is_string && choices_hold(rule->choices, text);
        break;
    case VALUE_CONDITION:
        good = true;
        if (!condition_read(parser, rule, place, text, &value.condition))
            return false;
        break;
    case VALUE_REQUIREMENT:
        value.requirement = requirement_by_id(text);
        good = value.requirement != NULL;
        break;
    }
    if (!good)
        return value_wrong(parser, rule, place, text);
    *out = value;
    return true;
}
