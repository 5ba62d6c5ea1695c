#include "server/mock/choice.h"

#include <stdlib.h>

#include "codec/wire/text.h"

static const char TOO_MANY[] = "no more than 1024 different cards can be had";

enum { CARD_SHOWN_MAX = 200 };

struct card {
    struct card *next;
    struct behaviour behaviour;
    bool sets[QUIRKS_MAX]; /* which quirks */
    bool wrong;
    char error[CHOICE_ERROR_MAX];
    size_t len;
    uint8_t id[CHOICE_CARD_BYTES_MAX];
};

void choice_free(struct choice *choice)
{
    while (choice->cards != NULL) {
        struct card *card = choice->cards;
        choice->cards = card->next;
        behaviour_free(&card->behaviour);
        free(card);
    }
    choice->card_count = 0;
}

/* The config id of a request, decoded; false when there is none, or none that could be a card. */
static bool config_id_of(const struct choice *choice, const struct http_head *head,
                         uint8_t out[CHOICE_CARD_BYTES_MAX], size_t *len)
{
    return session_config_of(choice->session_class, head, out, CHOICE_CARD_BYTES_MAX, len) &&
           card_is(bytes_of(out, *len));
}

static struct card *card_find(const struct choice *choice, struct bytes id)
{
    struct card *card = choice->cards;
    while (card != NULL && !bytes_equal(bytes_of(card->id, card->len), id))
        card = card->next;
    return card;
}

/* Which quirks it sets shows where it comes to the same whatever was there before. */
static void card_find_quirks(struct card *card, const struct session_class *class, struct bytes id)
{
    char error[BEHAVIOUR_ERROR_MAX];
    struct behaviour other;
    behaviour_init(&other);
    memset(&other.quirks, 0xff, sizeof other.quirks);
    if (card_add(&other, class, id, error))
        for (size_t row = 0; row < QUIRKS_MAX; row++)
            card->sets[row] = other.quirks.value[row] == card->behaviour.quirks.value[row];
    behaviour_free(&other);
}

static void card_read(const struct choice *choice, struct card *card)
{
    char sentence[BEHAVIOUR_ERROR_MAX];
    const struct bytes id = bytes_of(card->id, card->len);
    struct text error = text_of(card->error, sizeof card->error);
    behaviour_init(&card->behaviour);
    card->behaviour.seed = choice->base->seed;
    card->wrong = !card_add(&card->behaviour, choice->session_class, id, sentence);
    text_add(&error, sentence);
    text_add(&error, " (see ojin-mock --list cards)");
    if (!card->wrong)
        card_find_quirks(card, choice->session_class, id);
}

static struct card *card_new(struct choice *choice, struct bytes id)
{
    struct card *card = choice->card_count < CHOICE_CARDS_MAX ? calloc(1, sizeof *card) : NULL;
    if (card == NULL)
        return NULL;
    card->len = id.len;
    memcpy(card->id, id.data, id.len);
    card_read(choice, card);
    card->next = choice->cards;
    choice->cards = card;
    choice->card_count++;
    return card;
}

static void say_right(const struct choice *choice, const struct card *card)
{
    char line[CHOICE_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    text_add(&text, "a client asks for ");
    text_add_printable(&text, bytes_of(card->id, card->len), CARD_SHOWN_MAX);
    if (card->behaviour.fault != NULL && fault_is_random(card->behaviour.fault)) {
        text_add(&text, " (seed ");
        text_add_u64(&text, card->behaviour.seed);
        text_add_char(&text, ')');
    }
    choice->say(choice->context, line, false);
}

static void say_wrong(const struct choice *choice, const char *why)
{
    char line[CHOICE_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    text_add(&text, "a client asks in vain: ");
    text_add(&text, why);
    choice->say(choice->context, line, true);
}

static void card_apply(const struct choice *choice, const struct card *card, struct engine_config *config)
{
    if (card == NULL || card->wrong) {
        config->session.config_fault = card == NULL ? TOO_MANY : card->error;
        config->script = NULL;
        say_wrong(choice, config->session.config_fault);
        return;
    }
    say_right(choice, card);
    config->session.config_id = NULL;
    for (size_t row = 0; row < QUIRKS_MAX; row++)
        if (card->sets[row])
            config->session.quirks.value[row] = card->behaviour.quirks.value[row];
    if (card->behaviour.script != NULL)
        config->script = card->behaviour.script;
}

void choice_card(struct choice *choice, const struct http_head *head, struct engine_config *config)
{
    uint8_t id[CHOICE_CARD_BYTES_MAX];
    size_t len = 0;
    if (!config_id_of(choice, head, id, &len))
        return;
    struct card *card = card_find(choice, bytes_of(id, len));
    if (card == NULL)
        card = card_new(choice, bytes_of(id, len));
    card_apply(choice, card, config);
}

void choice_apply(struct choice *choice, const struct http_head *head, struct engine_config *config)
{
    if (config->script == NULL)
        config->script = choice->base->script;
    choice_card(choice, head, config);
}
