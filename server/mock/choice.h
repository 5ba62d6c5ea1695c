/*
 * Which behaviour a session gets: what --quirk and --fault say, or what the card asks for that the client
 * brings as its config_id ("mock.drop=3", see server/behaviour/behaviour.h), on top of that.
 *
 * Cards are understood once and kept as long as the server runs, since sessions borrow their scripts and the
 * sentence that says what is wrong with one; there are at most CHOICE_CARDS_MAX different ones.
 */
#ifndef SERVER_MOCK_CHOICE_H
#define SERVER_MOCK_CHOICE_H

#include "server/behaviour/behaviour.h"
#include "server/engine/engine.h"

enum {
    CHOICE_CARDS_MAX = 1024,
    CHOICE_CARD_BYTES_MAX = 512,
    CHOICE_ERROR_MAX = BEHAVIOUR_ERROR_MAX + 100,
    CHOICE_LINE_MAX = 800
};

struct card; /* one that was asked for */

struct choice {
    const struct behaviour *base; /* borrowed */
    const struct session_class *session_class;
    struct card *cards;
    size_t card_count;
    /* A sentence for people; `wrong`: the card is none, and the client will be told so by MODEL_NOT_FOUND. */
    void (*say)(void *context, const char *line, bool wrong);
    void *context;
};

void choice_free(struct choice *choice);
/* Changes what the engine for this request is made with, by the card that it brings. */
void choice_card(struct choice *choice, const struct http_head *head, struct engine_config *config);
/* The same, after the fault that every session of the mock's own endpoint has when it has no other. */
void choice_apply(struct choice *choice, const struct http_head *head, struct engine_config *config);

#endif
