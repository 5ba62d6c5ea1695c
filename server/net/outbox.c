#include "server/net/outbox.h"

#include <stdlib.h>

struct outbox_item {
    struct outbox_item *next;
    struct action action;
    struct bytes borrowed[]; /* as many as the action says; behind them its own bytes */
};

static uint8_t *own_of(struct outbox_item *item)
{
    return (uint8_t *)(item->borrowed + item->action.borrowed_count);
}

/* How many of its bytes are before those that are borrowed, how many are borrowed; the rest comes behind. */
static void shares_of(const struct action *action, const struct bytes *spans, size_t *before,
                      size_t *borrowed)
{
    *before = action->borrowed_count > 0 ? action->borrowed_at : action->len;
    *borrowed = 0;
    for (size_t i = 0; i < action->borrowed_count; i++)
        *borrowed += spans[i].len;
}

static bool is_silence(const struct action *action)
{
    return action->kind == ACTION_SEND_BINARY && strcmp(action->label, "silence") == 0;
}

enum outbox_status outbox_add(struct outbox *outbox, const struct actions *actions,
                              const struct action *action)
{
    if (is_silence(action) && !action->fault && outbox->bytes > OUTBOX_SILENCE_BYTES_MAX)
        return OUTBOX_DROPPED;
    if (outbox->count == OUTBOX_ITEMS_MAX || outbox->bytes > OUTBOX_BYTES_MAX ||
        (outbox->bytes > 0 && action->len > OUTBOX_BYTES_MAX - outbox->bytes))
        return OUTBOX_FULL;
    const struct bytes *spans = actions->borrowed + action->borrowed_first;
    const size_t spans_bytes = action->borrowed_count * sizeof *spans;
    size_t before, borrowed;
    shares_of(action, spans, &before, &borrowed);
    struct outbox_item *item = malloc(sizeof *item + spans_bytes + action->len - borrowed);
    if (item == NULL)
        return OUTBOX_FULL;
    item->next = NULL;
    item->action = *action;
    const uint8_t *bytes = actions_bytes_own(actions, action).data;
    if (spans_bytes > 0)
        memcpy(item->borrowed, spans, spans_bytes);
    if (before > 0)
        memcpy(own_of(item), bytes, before);
    if (action->len > before + borrowed)
        memcpy(own_of(item) + before, bytes + before + borrowed, action->len - before - borrowed);
    if (outbox->last == NULL)
        outbox->first = item;
    else
        outbox->last->next = item;
    outbox->last = item;
    outbox->count++;
    outbox->bytes += action->len;
    return OUTBOX_TAKEN;
}

const struct outbox_item *outbox_next(const struct outbox_item *item)
{
    return item->next;
}

const struct action *outbox_action(const struct outbox_item *item)
{
    return &item->action;
}

struct action *outbox_first(const struct outbox *outbox, struct actions *actions)
{
    struct outbox_item *item = outbox->first;
    struct action *action;
    size_t before, borrowed;
    actions_clear(actions);
    if (item == NULL)
        return NULL;
    uint8_t *room = actions_add(actions, item->action.kind, item->action.label, item->action.len, &action);
    if (room == NULL)
        return NULL;
    size_t offset = action->offset;
    *action = item->action;
    action->offset = offset;
    action->borrowed_first = 0;
    actions->borrowed_count = action->borrowed_count;
    shares_of(action, item->borrowed, &before, &borrowed);
    if (action->borrowed_count > 0)
        memcpy(actions->borrowed, item->borrowed, action->borrowed_count * sizeof *item->borrowed);
    if (before > 0)
        memcpy(room, own_of(item), before);
    if (action->len > before + borrowed)
        memcpy(room + before + borrowed, own_of(item) + before, action->len - before - borrowed);
    return action;
}

void outbox_drop_first(struct outbox *outbox)
{
    struct outbox_item *item = outbox->first;
    if (item == NULL)
        return;
    outbox->first = item->next;
    if (outbox->first == NULL)
        outbox->last = NULL;
    outbox->count--;
    outbox->bytes -= item->action.len;
    free(item);
}

void outbox_clear(struct outbox *outbox)
{
    while (outbox->first != NULL)
        outbox_drop_first(outbox);
}
