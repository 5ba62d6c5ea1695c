#include "conformance/script/words.h"

/* Those of some families, of all of these together. */
static const char *const PLAN[] = {"cancel", "force-listen", NULL};
static const char *const CONDITIONS[] = {"listen", "turn", NULL};
static const char *const SEEN[] = {"frame",  "played", "cancelled", "queue",      "delta",  "heard",
                                   "listen", "turn",   "status",    "transcript", "result", NULL};

const char *const *words_plan(const struct script_words *words)
{
    return words == NULL ? PLAN : words->plan;
}

const char *const *words_seen(const struct script_words *words)
{
    return words == NULL ? SEEN : words->seen;
}

static bool check(struct parser *parser, struct place place, const char *what, const char *const *all,
                  const char *const *own, const char *word)
{
    char expected[SCRIPT_EXPECTED_MAX];
    struct text text = text_of(expected, sizeof expected);
    if (!choices_hold(all, word) || choices_hold(own, word))
        return true;
    text_add(&text, "a ");
    text_add(&text, what);
    text_add(&text, " of the family ");
    text_add(&text, parser->class->family->name);
    return complain_word(parser, place, expected, word, own);
}

bool words_plan_check(struct parser *parser, const struct script_words *words, struct place place,
                      const char *word)
{
    return check(parser, place, "plan step", PLAN, words_plan(words), word);
}

bool words_condition_check(struct parser *parser, const struct script_words *words, struct place place,
                           const char *word)
{
    return check(parser, place, "condition", CONDITIONS, words == NULL ? CONDITIONS : words->conditions,
                 word);
}
