#include "server/behaviour/behaviour.h"

#include "codec/wire/nearest.h"
#include "server/behaviour/fault_steps.h"

static const char CARD_PREFIX[] = "mock.";

enum { CARD_PREFIX_BYTES = sizeof CARD_PREFIX - 1, FOUND_SHOWN_MAX = 60 };

/* What is being added, and whether names of cards count too. */
struct addition {
    struct behaviour wanted;
    const struct session_class *class;
    bool cards;
    char *error; /* BEHAVIOUR_ERROR_MAX */
};

/* "NAME" or "NAME=VALUE". */
struct part {
    struct bytes whole, name, value;
    bool has_value;
};

void behaviour_init(struct behaviour *behaviour)
{
    *behaviour = (struct behaviour){.seed = 1};
}

void behaviour_free(struct behaviour *behaviour)
{
    if (behaviour->script != NULL)
        script_free(behaviour->script);
    behaviour_init(behaviour);
}

static bool fail_name(const struct addition *addition, struct bytes name)
{
    struct text text = text_of(addition->error, BEHAVIOUR_ERROR_MAX);
    struct nearest nearest = nearest_to(name);
    for (const struct quirk_kind *kind = addition->class->quirks; kind->name != NULL; kind++)
        nearest_offer(&nearest, kind->name);
    for (const struct fault_kind *kind = faults_of(addition->class); kind->name != NULL; kind++)
        nearest_offer(&nearest, kind->name);
    for (const struct card_alias *card = card_aliases_of(addition->class);
         addition->cards && card->name != NULL; card++)
        nearest_offer(&nearest, card->name);
    text_add(&text, addition->cards ? "there is no card \"mock." : "there is no quirk or fault \"");
    text_add_printable(&text, name, FOUND_SHOWN_MAX);
    text_add_char(&text, '"');
    if (nearest.name == NULL)
        return false;
    text_add(&text, addition->cards ? "; did you mean \"mock." : "; did you mean \"");
    text_add(&text, nearest.name);
    text_add(&text, "\"?");
    return false;
}

static bool fail_second(const struct addition *addition, const struct fault_kind *kind)
{
    struct text text = text_of(addition->error, BEHAVIOUR_ERROR_MAX);
    text_add(&text, "fault ");
    text_add(&text, kind->name);
    text_add(&text, ": expected one fault at a time, there is ");
    text_add(&text, addition->wanted.fault->name);
    text_add(&text, " already");
    return false;
}

static bool fault_add(struct addition *addition, const struct fault_kind *kind, const struct part *part)
{
    if (addition->wanted.fault != NULL)
        return fail_second(addition, kind);
    addition->wanted.script =
        fault_script_new(kind, part->has_value ? &part->value : NULL, addition->wanted.seed, false,
                         addition->class, addition->error);
    if (addition->wanted.script == NULL)
        return false;
    addition->wanted.fault = kind;
    return true;
}

static bool quirk_add(struct addition *addition, struct bytes text)
{
    char sentence[QUIRK_ERROR_MAX];
    if (quirk_set(&addition->wanted.quirks, addition->class->quirks, text, sentence))
        return true;
    struct text error = text_of(addition->error, BEHAVIOUR_ERROR_MAX);
    text_add(&error, sentence);
    return false;
}

static bool is_joint(uint8_t c)
{
    return c == '+' || c == ' ';
}

/* The next part from `*at` on; false when there is none. A value that is a text takes all that is left. */
static bool part_next(const struct addition *addition, struct bytes text, size_t *at, struct part *out)
{
    while (*at < text.len && is_joint(text.data[*at]))
        (*at)++;
    if (*at == text.len)
        return false;
    size_t end = *at;
    size_t name_end = *at;
    while (name_end < text.len && !is_joint(text.data[name_end]) && text.data[name_end] != '=')
        name_end++;
    out->name = bytes_of(text.data + *at, name_end - *at);
    out->has_value = name_end < text.len && text.data[name_end] == '=';
    const struct fault_kind *fault = fault_find(addition->class, out->name);
    const bool takes_rest = out->has_value && fault != NULL && fault->value == FAULT_TEXT;
    while (end < text.len && (takes_rest || !is_joint(text.data[end])))
        end++;
    out->whole = bytes_of(text.data + *at, end - *at);
    out->value = out->has_value ? bytes_of(text.data + name_end + 1, end - name_end - 1) : bytes_of(NULL, 0);
    *at = end;
    return true;
}

static const struct card_alias *alias_find(const struct addition *addition, const struct part *part)
{
    const struct card_alias *card = card_aliases_of(addition->class);
    for (; addition->cards && !part->has_value && card->name != NULL; card++)
        if (bytes_equal_text(part->name, card->name))
            return card;
    return NULL;
}

/* A quirk or a fault. */
static bool part_add(struct addition *addition, const struct part *part)
{
    const struct fault_kind *fault = fault_find(addition->class, part->name);
    if (fault != NULL)
        return fault_add(addition, fault, part);
    if (quirk_row(addition->class->quirks, part->name) >= 0)
        return quirk_add(addition, part->whole);
    return fail_name(addition, part->name);
}

static bool alias_add(struct addition *addition, const struct card_alias *card)
{
    struct part part;
    for (size_t at = 0; part_next(addition, bytes_of_text(card->means), &at, &part);)
        if (!part_add(addition, &part))
            return false;
    return true;
}

static bool all_add(struct addition *addition, struct bytes text)
{
    struct part part;
    size_t at = 0;
    if (!part_next(addition, text, &at, &part))
        return fail_name(addition, text);
    do {
        const struct card_alias *card = alias_find(addition, &part);
        if (card != NULL ? !alias_add(addition, card) : !part_add(addition, &part))
            return false;
    } while (part_next(addition, text, &at, &part));
    return true;
}

static bool add(struct behaviour *behaviour, const struct session_class *class, struct bytes text, bool cards,
                char error[BEHAVIOUR_ERROR_MAX])
{
    struct addition addition = {.wanted = *behaviour, .class = class, .cards = cards, .error = error};
    error[0] = '\0';
    if (all_add(&addition, text)) {
        *behaviour = addition.wanted;
        return true;
    }
    if (addition.wanted.script != behaviour->script)
        script_free(addition.wanted.script);
    return false;
}

bool behaviour_add(struct behaviour *behaviour, const struct session_class *class, struct bytes text,
                   char error[BEHAVIOUR_ERROR_MAX])
{
    return add(behaviour, class, text, false, error);
}

struct script *fault_live_steps(const struct session_class *class, struct bytes text, uint64_t seed,
                                char error[BEHAVIOUR_ERROR_MAX])
{
    struct addition addition = {.class = class, .error = error};
    struct part part, more;
    size_t at = 0;
    error[0] = '\0';
    if (!part_next(&addition, text, &at, &part)) {
        fail_name(&addition, text);
        return NULL;
    }
    const struct fault_kind *kind = fault_find(class, part.name);
    const bool one = !part_next(&addition, text, &at, &more);
    if (kind != NULL && one)
        return fault_script_new(kind, part.has_value ? &part.value : NULL, seed, true, class, error);
    if (kind == NULL && quirk_row(class->quirks, part.name) < 0) {
        fail_name(&addition, part.name);
        return NULL;
    }
    struct text sentence = text_of(error, BEHAVIOUR_ERROR_MAX);
    text_add(&sentence, "expected one fault; quirks are set apart");
    return NULL;
}

bool card_is(struct bytes config_id)
{
    return config_id.len >= CARD_PREFIX_BYTES && memcmp(config_id.data, CARD_PREFIX, CARD_PREFIX_BYTES) == 0;
}

bool card_add(struct behaviour *behaviour, const struct session_class *class, struct bytes config_id,
              char error[BEHAVIOUR_ERROR_MAX])
{
    const struct bytes name =
        card_is(config_id) ? bytes_of(config_id.data + CARD_PREFIX_BYTES, config_id.len - CARD_PREFIX_BYTES)
                           : config_id;
    return add(behaviour, class, name, true, error);
}
