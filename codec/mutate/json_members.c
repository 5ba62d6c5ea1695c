/* Members of a JSON text that are left out, come twice or change places, and the text between values. */
#include "codec/mutate/json_view.h"

#define COUNT_OF(list) (sizeof(list) / sizeof(list)[0])

enum { TAKEN_MAX = 4096, SPACES_MAX = 4096 };

/* From the name of a member to the end of its value. */
static size_t member_len(const struct json_part *part)
{
    return part->at + part->len - part->name_at;
}

bool json_drop_member(struct mutate_edit *edit, const void *parts)
{
    const struct json_part *part = json_view_draw_member(edit, parts);
    if (part == NULL)
        return false;
    size_t from = part->name_at, len = member_len(part);
    /* With the comma, so that it stays JSON; in one of four without. */
    if (mutate_one_in(edit, 4))
        return mutate_replace(edit, from, len, bytes_of(NULL, 0));
    if (from + len < edit->len && edit->data[from + len] == ',') {
        len++;
    } else {
        while (from > 0 && edit->data[from - 1] == ' ')
            from--, len++;
        if (from > 0 && edit->data[from - 1] == ',')
            from--, len++;
    }
    return mutate_replace(edit, from, len, bytes_of(NULL, 0));
}

bool json_repeat_member(struct mutate_edit *edit, const void *parts)
{
    static const char *const FIRST[] = {":null,", ":0,", ":\"\",", ":{},", ":[],", ":false,"};
    const struct json_part *part = json_view_draw_member(edit, parts);
    if (part == NULL)
        return false;
    const size_t at = part->name_at;
    if (mutate_one_in(edit, 2)) {
        const size_t len = member_len(part);
        return edit->capacity - edit->len > len && mutate_repeat(edit, at, len, at) &&
               mutate_replace(edit, at + len, 0, bytes_of_text(","));
    }
    /* The same name, with another value in front of it. */
    const char *first = FIRST[mutate_below(edit, COUNT_OF(FIRST))];
    return edit->capacity - edit->len > part->name_len + strlen(first) &&
           mutate_repeat(edit, at, part->name_len, at) &&
           mutate_replace(edit, at + part->name_len, 0, bytes_of_text(first));
}

bool json_rename_member(struct mutate_edit *edit, const void *parts)
{
    static const char *const NAMES[] = {"\"\"",         "\"__proto__\"", "\"constructor\"", "\"type \"",
                                        "\"a\\u0000\"", "name",          "\"\\ud800\"",     "0"};
    const struct json_view *view = parts;
    const struct json_part *part = json_view_draw_member(edit, view);
    if (part == NULL || part->name_len < 2)
        return false;
    const uint8_t turned = (uint8_t)(edit->data[part->name_at + 1] ^ 0x20);
    switch (mutate_below(edit, 3)) {
    case 0:
        return part->name_len > 2 && mutate_replace(edit, part->name_at + 1, 1, bytes_of(&turned, 1));
    case 1:
        return mutate_replace(edit, part->name_at, part->name_len,
                              bytes_of_text(NAMES[mutate_below(edit, COUNT_OF(NAMES))]));
    default: {
        const struct json_part *other = json_view_draw_member(edit, view);
        return other != NULL && other->name_at + other->name_len <= part->name_at &&
               mutate_exchange(edit, other->name_at, other->name_len, part->name_at, part->name_len);
    }
    }
}

bool json_exchange_parts(struct mutate_edit *edit, const void *parts)
{
    const struct json_part *a = json_view_draw(edit, parts), *b = json_view_draw(edit, parts);
    return a != NULL && b != NULL && a->at + a->len <= b->at &&
           mutate_exchange(edit, a->at, a->len, b->at, b->len);
}

/* A value of another message in the place of one of this, or as a further element or member. */
bool json_take_part(struct mutate_edit *edit, const void *parts)
{
    struct json_parts others;
    const struct json_part *part = json_view_draw(edit, parts);
    json_parts_read(edit->other, &others);
    if (part == NULL || others.count == 0)
        return false;
    const struct json_part *other = &others.list[mutate_below(edit, others.count)];
    if (other->len > TAKEN_MAX)
        return false;
    struct bytes taken = bytes_of(edit->other.data + other->at, other->len);
    if (other->name_len == 0 || part->name_len == 0 || mutate_one_in(edit, 2))
        return mutate_replace(edit, part->at, part->len, taken);
    taken = bytes_of(edit->other.data + other->name_at, member_len(other));
    return edit->capacity - edit->len > taken.len && mutate_replace(edit, part->name_at, 0, taken) &&
           mutate_replace(edit, part->name_at + taken.len, 0, bytes_of_text(","));
}

bool json_cut(struct mutate_edit *edit, const void *parts)
{
    const struct json_view *view = parts;
    const struct json_part *part = json_view_draw(edit, view);
    if (part == NULL)
        return false;
    const size_t places[] = {part->at,
                             part->at + 1,
                             part->at + part->len / 2,
                             part->at + part->len - 1,
                             part->at + part->len,
                             part->name_len > 0 ? part->name_at : part->at};
    const size_t at = places[mutate_below(edit, COUNT_OF(places))];
    return at < view->at + view->len &&
           mutate_replace(edit, at, view->at + view->len - at, bytes_of(NULL, 0));
}

/* Where one of {}[],:" stands at a part's edge. */
static bool find_mark(struct mutate_edit *edit, const struct json_view *view, size_t *at)
{
    const struct json_part *part = json_view_draw(edit, view);
    if (part == NULL || part->len == 0)
        return false;
    const size_t places[] = {part->at, part->at + part->len - 1, part->at + part->len,
                             part->at == view->at ? part->at : part->at - 1,
                             part->name_len > 0 ? part->name_at : part->at};
    *at = places[mutate_below(edit, COUNT_OF(places))];
    return *at < view->at + view->len;
}

bool json_drop_mark(struct mutate_edit *edit, const void *parts)
{
    size_t at;
    return find_mark(edit, parts, &at) && mutate_replace(edit, at, 1, bytes_of(NULL, 0));
}

bool json_add_mark(struct mutate_edit *edit, const void *parts)
{
    static const char *const MARKS[] = {",", ":", "{", "}", "[", "]", "\"", "\\", "/**/", "//", ";", "\x01"};
    size_t at;
    return find_mark(edit, parts, &at) &&
           mutate_replace(edit, at, 0, bytes_of_text(MARKS[mutate_below(edit, COUNT_OF(MARKS))]));
}

bool json_add_outside(struct mutate_edit *edit, const void *parts)
{
    static const char *const BEHIND[] = {"}", "]", ",", "x", "null", "{}", "\n", " \t\r\n", "\"", "0"};
    static const char *const FRONT[] = {"\xef\xbb\xbf", "[",    "x",        " ",   "\n", ",",
                                        "{}",           "null", "\xff\xfe", ")]}'"};
    const struct json_view *view = parts;
    if (mutate_one_in(edit, 4))
        return mutate_repeat(edit, view->at, view->len, view->at);
    if (mutate_one_in(edit, 2))
        return mutate_replace(edit, view->at + view->len, 0,
                              bytes_of_text(BEHIND[mutate_below(edit, COUNT_OF(BEHIND))]));
    return mutate_replace(edit, view->at, 0, bytes_of_text(FRONT[mutate_below(edit, COUNT_OF(FRONT))]));
}

bool json_add_space(struct mutate_edit *edit, const void *parts)
{
    static const char *const SPACES[] = {" ", "\n", "\t", "\r\n", "\f", "\xc2\xa0", "\xe2\x80\xa8"};
    size_t at;
    if (!find_mark(edit, parts, &at))
        return false;
    const char *space = SPACES[mutate_below(edit, COUNT_OF(SPACES))];
    return json_view_fill(edit, at, 0, "", space, 1 + mutate_below(edit, SPACES_MAX), "");
}
