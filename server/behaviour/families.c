#include "server/behaviour/families.h"

#include <assert.h>

#include "codec/wire/nearest.h"

enum { SHOWN_MAX = 60 };

/* "FAMILY:NAME=VALUE", parted. */
struct asked {
    struct bytes family; /* empty: all */
    struct bytes name;
    struct bytes rest; /* NAME=VALUE and what follows */
};

static struct asked asked_read(struct bytes text)
{
    struct asked asked = {.rest = text};
    size_t at = 0;
    while (at < text.len && strchr("=+ ,:", text.data[at]) == NULL)
        at++;
    if (at < text.len && text.data[at] == ':') {
        asked.family = bytes_of(text.data, at);
        asked.rest = bytes_of(text.data + at + 1, text.len - at - 1);
        for (at = 0; at < asked.rest.len && strchr("=+ ,", asked.rest.data[at]) == NULL;)
            at++;
    }
    asked.name = bytes_of(asked.rest.data, at);
    return asked;
}

static bool is_meant(const struct asked *asked, const struct session_class *class)
{
    return asked->family.len == 0 || bytes_equal_text(asked->family, class->family->name);
}

typedef bool knows_function(const struct session_class *class, struct bytes name);

static bool knows_quirk(const struct session_class *class, struct bytes name)
{
    return quirk_row(class->quirks, name) >= 0;
}

static bool knows_fault(const struct session_class *class, struct bytes name)
{
    return fault_find(class, name) != NULL;
}

static bool anybody_knows(const struct family_behaviour *list, size_t count, struct bytes text,
                          knows_function *knows)
{
    const struct asked asked = asked_read(text);
    for (size_t i = 0; i < count; i++)
        if (is_meant(&asked, list[i].class) && knows(list[i].class, asked.name))
            return true;
    return false;
}

bool families_know_quirk(const struct family_behaviour *list, size_t count, struct bytes text)
{
    return anybody_knows(list, count, text, knows_quirk);
}

bool families_know_fault(const struct family_behaviour *list, size_t count, struct bytes text)
{
    return anybody_knows(list, count, text, knows_fault);
}

/* ---- said of wrong names ---- */

static const char *nearest_of(const struct family_behaviour *list, size_t count, const struct asked *asked,
                              bool *is_fault)
{
    struct nearest nearest = nearest_to(asked->name);
    *is_fault = false;
    for (size_t i = 0; i < count; i++) {
        if (!is_meant(asked, list[i].class))
            continue;
        const char *before = nearest.name;
        for (const struct quirk_kind *row = list[i].class->quirks; row->name != NULL; row++)
            nearest_offer(&nearest, row->name);
        *is_fault = *is_fault && nearest.name == before;
        before = nearest.name;
        for (const struct fault_kind *row = faults_of(list[i].class); row->name != NULL; row++)
            nearest_offer(&nearest, row->name);
        *is_fault = *is_fault || nearest.name != before;
    }
    return nearest.name;
}

const char *families_nearest(const struct family_behaviour *list, size_t count, struct bytes text,
                             bool *is_fault)
{
    const struct asked asked = asked_read(text);
    return nearest_of(list, count, &asked, is_fault);
}

static bool fail_family(const struct family_behaviour *list, size_t count, const struct asked *asked,
                        char error[BEHAVIOUR_ERROR_MAX])
{
    struct text text = text_of(error, BEHAVIOUR_ERROR_MAX);
    text_add(&text, "no family \"");
    text_add_printable(&text, asked->family, SHOWN_MAX);
    text_add(&text, "\" is served: expected ");
    for (size_t i = 0; i < count; i++) {
        text_add(&text, i == 0 ? "" : i + 1 == count ? " or " : ", ");
        text_add(&text, list[i].class->family->name);
    }
    text_add(&text, " before \":\"");
    return false;
}

/* The name is of none of the families that are meant. */
static bool fail_name(const struct family_behaviour *list, size_t count, const struct asked *asked,
                      const char *kind, char error[BEHAVIOUR_ERROR_MAX])
{
    struct text text = text_of(error, BEHAVIOUR_ERROR_MAX);
    bool is_meant_by_any = false, is_fault;
    for (size_t i = 0; i < count; i++)
        is_meant_by_any = is_meant_by_any || is_meant(asked, list[i].class);
    if (!is_meant_by_any)
        return fail_family(list, count, asked, error);
    const char *nearest = nearest_of(list, count, asked, &is_fault);
    text_add(&text, "there is no ");
    text_add(&text, kind);
    text_add(&text, " \"");
    text_add_printable(&text, asked->name, SHOWN_MAX);
    text_add_char(&text, '"');
    if (nearest == NULL)
        return false;
    text_add(&text, is_fault ? "; did you mean the fault \"" : "; did you mean the quirk \"");
    text_add(&text, nearest);
    text_add(&text, "\"?");
    return false;
}

/* ---- quirks ---- */

static bool is_separator(uint8_t c)
{
    return c == ' ' || c == ',';
}

/* One of them, in each family that knows it and takes its value. */
static bool quirk_set_one(struct family_behaviour *list, size_t count, struct bytes text,
                          struct quirks changed[], char error[BEHAVIOUR_ERROR_MAX])
{
    const struct asked asked = asked_read(text);
    bool known = false, set = false;
    for (size_t i = 0; i < count; i++) {
        char sentence[QUIRK_ERROR_MAX];
        if (!is_meant(&asked, list[i].class) || !knows_quirk(list[i].class, asked.name))
            continue;
        if (quirk_set(&changed[i], list[i].class->quirks, asked.rest, sentence)) {
            list[i].is_set = set = true;
        } else if (!known) { /* of values that none takes the first family's are told */
            struct text first = text_of(error, BEHAVIOUR_ERROR_MAX);
            text_add(&first, sentence);
        }
        known = true;
    }
    return set || (!known && fail_name(list, count, &asked, "quirk", error));
}

bool families_set_quirks(struct family_behaviour *list, size_t count, struct bytes text,
                         char error[BEHAVIOUR_ERROR_MAX])
{
    struct quirks changed[BEHAVIOUR_FAMILIES_MAX];
    assert(count <= BEHAVIOUR_FAMILIES_MAX);
    error[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        changed[i] = list[i].behaviour.quirks;
        list[i].is_set = false;
    }
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && !is_separator(text.data[end]))
            end++;
        if (end > at && !quirk_set_one(list, count, bytes_of(text.data + at, end - at), changed, error))
            return false;
        at = end + 1;
    }
    for (size_t i = 0; i < count; i++)
        list[i].behaviour.quirks = changed[i];
    return true;
}

/* ---- faults ---- */

bool families_add_fault(struct family_behaviour *list, size_t count, struct bytes text,
                        char error[BEHAVIOUR_ERROR_MAX])
{
    const struct asked asked = asked_read(text);
    char sentence[BEHAVIOUR_ERROR_MAX];
    bool known = false, set = false;
    error[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        list[i].is_set = false;
        if (!is_meant(&asked, list[i].class) || !knows_fault(list[i].class, asked.name))
            continue;
        list[i].is_set = behaviour_add(&list[i].behaviour, list[i].class, asked.rest, sentence);
        set = set || list[i].is_set;
        if (!list[i].is_set && !known)
            memcpy(error, sentence, sizeof sentence);
        known = true;
    }
    if (set)
        error[0] = '\0';
    return set || (!known && fail_name(list, count, &asked, "fault", error));
}
