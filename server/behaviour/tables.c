/* The tables of faults and cards, one of each a family. */
#include "server/behaviour/behaviour.h"

#define UNTIL_READY "accept\nserve until=ready\n"
#define IN_SPEECH   "accept\nserve until=speech:3\n"
#define THEN_SERVE  "serve\n"
/* As long as a wait can be, often enough for any test. */
#define FOR_GOOD "repeat 1000 {\nwait 1800s\n}\n"

static const struct fault_kind OJIN_FAULTS[] = {
#define OJIN_FAULT(name, value, unset, min, max, sentence, steps)                                            \
    {name, FAULT_##value, unset, min, max, sentence, steps},
#include "server/ojin/fault.def"
#undef OJIN_FAULT
    {NULL, FAULT_PLAIN, NULL, 0, 0, NULL, NULL}};

static const struct card_alias OJIN_CARDS[] = {
#define OJIN_CARD(name, means, sentence) {name, means, sentence},
#include "server/ojin/card.def"
#undef OJIN_CARD
    {NULL, NULL, NULL}};

struct family_tables {
    const char *family;
    const struct fault_kind *faults;
    const struct card_alias *cards;
};

static const struct family_tables FAMILIES_TABLES[] = {{"ojin", OJIN_FAULTS, OJIN_CARDS}};

static const struct family_tables *tables_of(const char *family)
{
    static const struct family_tables none = {"", &OJIN_FAULTS[sizeof OJIN_FAULTS / sizeof *OJIN_FAULTS - 1],
                                              &OJIN_CARDS[sizeof OJIN_CARDS / sizeof *OJIN_CARDS - 1]};
    for (size_t i = 0; i < sizeof FAMILIES_TABLES / sizeof *FAMILIES_TABLES; i++)
        if (strcmp(FAMILIES_TABLES[i].family, family) == 0)
            return &FAMILIES_TABLES[i];
    return &none;
}

const struct fault_kind *faults_of(const char *family)
{
    return tables_of(family)->faults;
}

const struct card_alias *card_aliases_of(const char *family)
{
    return tables_of(family)->cards;
}

const struct fault_kind *fault_find(const char *family, struct bytes name)
{
    for (const struct fault_kind *kind = faults_of(family); kind->name != NULL; kind++)
        if (bytes_equal_text(name, kind->name))
            return kind;
    return NULL;
}
