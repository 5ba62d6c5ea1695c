#include "codec/mutate/json_view.h"

enum { DRAWS_MAX = 16 };

const struct json_part *json_view_draw(struct mutate_edit *edit, const struct json_view *view)
{
    return view->parts.count == 0 ? NULL : &view->parts.list[mutate_below(edit, view->parts.count)];
}

const struct json_part *json_view_draw_kind(struct mutate_edit *edit, const struct json_view *view,
                                            enum json_part_kind kind)
{
    for (unsigned i = 0; i < DRAWS_MAX; i++) {
        const struct json_part *part = json_view_draw(edit, view);
        if (part != NULL && part->kind == kind)
            return part;
    }
    return NULL;
}

const struct json_part *json_view_draw_member(struct mutate_edit *edit, const struct json_view *view)
{
    for (unsigned i = 0; i < DRAWS_MAX; i++) {
        const struct json_part *part = json_view_draw(edit, view);
        if (part != NULL && part->name_len > 0)
            return part;
    }
    return NULL;
}

static uint8_t *put(uint8_t *out, const char *text, size_t count)
{
    const size_t len = strlen(text);
    for (size_t i = 0; i < count && len > 0; i++, out += len)
        memcpy(out, text, len);
    return out;
}

bool json_view_wrap(struct mutate_edit *edit, size_t at, size_t len, const char *before, const char *after,
                    size_t count)
{
    const size_t in_front = count * strlen(before), behind = count * strlen(after);
    if (edit->capacity - edit->len < in_front + behind)
        return false;
    uint8_t *out = behind == 0 ? NULL : mutate_insert(edit, at + len, behind);
    if (out != NULL)
        (void)put(out, after, count);
    out = mutate_insert(edit, at, in_front);
    if (out != NULL)
        (void)put(out, before, count);
    return in_front + behind > 0;
}

bool json_view_fill(struct mutate_edit *edit, size_t at, size_t len, const char *before, const char *with,
                    size_t count, const char *after)
{
    const size_t room = strlen(before) + count * strlen(with) + strlen(after);
    if (room <= len || edit->capacity - edit->len < room - len)
        return false;
    (void)mutate_insert(edit, at, room - len);
    (void)put(put(put(edit->data + at, before, 1), with, count), after, 1);
    return true;
}
