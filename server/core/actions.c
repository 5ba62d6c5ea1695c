#include "server/core/actions.h"

void actions_init(struct actions *actions)
{
    actions->count = 0;
    actions->borrowed_count = 0;
    buffer_init(&actions->arena, ACTIONS_BYTES_MAX);
}

void actions_free(struct actions *actions)
{
    actions->count = 0;
    actions->borrowed_count = 0;
    buffer_free(&actions->arena);
}

void actions_clear(struct actions *actions)
{
    actions->count = 0;
    actions->borrowed_count = 0;
    actions->arena.no_memory = false;
    buffer_clear(&actions->arena);
}

size_t actions_room(const struct actions *actions)
{
    return ACTIONS_MAX - actions->count;
}

void action_label_set(char label[ACTION_LABEL_MAX], const char *word)
{
    size_t len = strlen(word);
    if (len > ACTION_LABEL_MAX - 1)
        len = ACTION_LABEL_MAX - 1;
    memcpy(label, word, len);
    label[len] = '\0';
}

uint8_t *actions_add(struct actions *actions, enum action_kind kind, const char *label, size_t len,
                     struct action **out)
{
    if (actions->count == ACTIONS_MAX)
        return NULL;
    uint8_t *room = buffer_reserve(&actions->arena, len);
    if (room == NULL)
        return NULL;
    struct action *action = &actions->list[actions->count++];
    *action = (struct action){.kind = kind, .offset = actions->arena.len, .len = len};
    action_label_set(action->label, label);
    actions->arena.len += len;
    if (out != NULL)
        *out = action;
    return room;
}

struct buffer *actions_tail(struct actions *actions)
{
    return &actions->arena;
}

void actions_grown(struct actions *actions)
{
    struct action *action = &actions->list[actions->count - 1];
    action->len = actions->arena.len - action->offset;
}

void actions_take_back(struct actions *actions)
{
    actions->arena.len = actions->list[--actions->count].offset;
}

struct bytes actions_bytes_own(const struct actions *actions, const struct action *action)
{
    return bytes_of(actions->arena.data + action->offset, action->len);
}

struct bytes actions_bytes(const struct actions *actions, const struct action *action)
{
    const struct bytes *borrowed = actions->borrowed + action->borrowed_first;
    uint8_t *at = actions->arena.data + action->offset + action->borrowed_at;
    for (size_t i = 0; i < action->borrowed_count; i++) {
        memcpy(at, borrowed[i].data, borrowed[i].len);
        at += borrowed[i].len;
    }
    return actions_bytes_own(actions, action);
}

bool actions_borrow(struct actions *actions, const struct bytes *spans, size_t count)
{
    struct action *action = &actions->list[actions->count - 1];
    size_t len = 0;
    for (size_t i = 0; i < count; i++)
        len += spans[i].len;
    uint8_t *room = buffer_reserve(&actions->arena, len);
    if (room == NULL)
        return false;
    if (count <= ACTIONS_BORROWED_MAX - actions->borrowed_count) {
        action->borrowed_at = actions->arena.len - action->offset;
        action->borrowed_first = actions->borrowed_count;
        action->borrowed_count = count;
        memcpy(actions->borrowed + actions->borrowed_count, spans, count * sizeof *spans);
        actions->borrowed_count += count;
        actions->arena.len += len;
        return true;
    }
    for (size_t i = 0; i < count; i++)
        buffer_append(&actions->arena, spans[i]);
    return true;
}

uint8_t *actions_rewrite(struct actions *actions, struct action *action, size_t len)
{
    uint8_t *room = buffer_reserve(&actions->arena, len);
    if (room == NULL)
        return NULL;
    const struct bytes old = actions_bytes(actions, action);
    const size_t kept = old.len < len ? old.len : len;
    memset(room, 0, len);
    if (kept > 0)
        memcpy(room, old.data, kept);
    action->offset = actions->arena.len;
    action->len = len;
    action->borrowed_count = 0;
    actions->arena.len += len;
    return room;
}
