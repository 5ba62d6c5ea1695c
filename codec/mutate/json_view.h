/* The JSON text under change, between the files of codec/mutate that change it. */
#ifndef CODEC_MUTATE_JSON_VIEW_H
#define CODEC_MUTATE_JSON_VIEW_H

#include "codec/mutate/edit.h"
#include "codec/mutate/json_parts.h"

struct json_view {
    size_t at, len;          /* in the message */
    struct json_parts parts; /* places as in the message */
};

/* A part, drawn; NULL when there is none. */
const struct json_part *json_view_draw(struct mutate_edit *edit, const struct json_view *view);
/* One of that kind, a member; NULL when some tries meet none. */
const struct json_part *json_view_draw_kind(struct mutate_edit *edit, const struct json_view *view,
                                            enum json_part_kind kind);
const struct json_part *json_view_draw_member(struct mutate_edit *edit, const struct json_view *view);

/* Puts in the place of a span `count` times `before`, the span itself, and `count` times `after`. */
bool json_view_wrap(struct mutate_edit *edit, size_t at, size_t len, const char *before, const char *after,
                    size_t count);
/* Puts `before`, `count` times `with` and `after` in the place of a span. */
bool json_view_fill(struct mutate_edit *edit, size_t at, size_t len, const char *before, const char *with,
                    size_t count, const char *after);

/* The changes, each told a `struct json_view`. Of values: */
bool json_change_type(struct mutate_edit *edit, const void *view);
bool json_change_value(struct mutate_edit *edit, const void *view);
bool json_change_number(struct mutate_edit *edit, const void *view);
bool json_change_string(struct mutate_edit *edit, const void *view);
bool json_change_escapes(struct mutate_edit *edit, const void *view);
bool json_change_coding(struct mutate_edit *edit, const void *view);
bool json_change_coded(struct mutate_edit *edit, const void *view);
bool json_change_length(struct mutate_edit *edit, const void *view);
bool json_change_depth(struct mutate_edit *edit, const void *view);
/* Of members and of the text itself: */
bool json_drop_member(struct mutate_edit *edit, const void *view);
bool json_repeat_member(struct mutate_edit *edit, const void *view);
bool json_rename_member(struct mutate_edit *edit, const void *view);
bool json_exchange_parts(struct mutate_edit *edit, const void *view);
bool json_take_part(struct mutate_edit *edit, const void *view);
bool json_cut(struct mutate_edit *edit, const void *view);
bool json_drop_mark(struct mutate_edit *edit, const void *view);
bool json_add_mark(struct mutate_edit *edit, const void *view);
bool json_add_outside(struct mutate_edit *edit, const void *view);
bool json_add_space(struct mutate_edit *edit, const void *view);

#endif
