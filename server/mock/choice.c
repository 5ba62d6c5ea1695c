#include "server/mock/choice.h"

#include <stdlib.h>

#include "codec/wire/text.h"

/* A config id that nobody can bring: an empty one counts as missing. */
static const char NO_CONFIG[] = "";

enum { CARD_SHOWN_MAX = 200 };

struct card {
    struct card *next;
    struct behaviour behaviour;
    bool wrong;
    char error[BEHAVIOUR_ERROR_MAX];
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
static bool config_id_of(const struct http_head *head, uint8_t out[CHOICE_CARD_BYTES_MAX], size_t *len)
{
    struct bytes raw;
    return http_head_parameter(head, "config_id", 0, &raw) && raw.len <= CHOICE_CARD_BYTES_MAX &&
           form_decode(raw, out, len) && card_is(bytes_of(out, *len));
}

static struct card *card_find(const struct choice *choice, struct bytes id)
{
    struct card *card = choice->cards;
    while (card != NULL && !bytes_equal(bytes_of(card->id, card->len), id))
        card = card->next;
    return card;
}

static struct card *card_new(struct choice *choice, struct bytes id)
{
    struct card *card = choice->card_count < CHOICE_CARDS_MAX ? calloc(1, sizeof *card) : NULL;
    if (card == NULL)
        return NULL;
    behaviour_init(&card->behaviour);
    card->behaviour.quirks = choice->base->quirks;
    card->behaviour.seed = choice->base->seed;
    card->wrong = !card_add(&card->behaviour, choice->session_class, id, card->error);
    card->len = id.len;
    memcpy(card->id, id.data, id.len);
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
    text_add(&text, " (see --list cards)");
    choice->say(choice->context, line, true);
}

static void card_apply(const struct choice *choice, const struct card *card, struct engine_config *config)
{
    if (card == NULL || card->wrong) {
        say_wrong(choice, card == NULL ? "no more than 1024 different cards can be had" : card->error);
        config->session.config_id = NO_CONFIG;
        config->script = NULL;
        return;
    }
    say_right(choice, card);
    config->session.config_id = NULL;
    config->session.quirks = card->behaviour.quirks;
    if (card->behaviour.script != NULL)
        config->script = card->behaviour.script;
}

void choice_apply(struct choice *choice, const struct http_head *head, struct engine_config *config)
{
    uint8_t id[CHOICE_CARD_BYTES_MAX];
    size_t len = 0;
    config->session.quirks = choice->base->quirks;
    config->script = choice->base->script;
    if (!config_id_of(head, id, &len))
        return;
    struct card *card = card_find(choice, bytes_of(id, len));
    if (card == NULL)
        card = card_new(choice, bytes_of(id, len));
    card_apply(choice, card, config);
}
