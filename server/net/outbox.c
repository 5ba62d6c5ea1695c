#include "server/net/outbox.h"

#include <stdlib.h>

struct outbox_item {
    struct outbox_item *next;
    struct action action;
    uint8_t bytes[];
};

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
    struct outbox_item *item = malloc(sizeof *item + action->len);
    if (item == NULL)
        return OUTBOX_FULL;
    item->next = NULL;
    item->action = *action;
    item->action.borrowed_count = 0; /* the copy below has it */
    struct bytes bytes = actions_bytes(actions, action);
    if (bytes.len > 0)
        memcpy(item->bytes, bytes.data, bytes.len);
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
    const struct outbox_item *item = outbox->first;
    struct action *action;
    actions_clear(actions);
    if (item == NULL)
        return NULL;
    uint8_t *room = actions_add(actions, item->action.kind, item->action.label, item->action.len, &action);
    if (room == NULL)
        return NULL;
    size_t offset = action->offset;
    *action = item->action;
    action->offset = offset;
    if (action->len > 0)
        memcpy(room, item->bytes, action->len);
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
