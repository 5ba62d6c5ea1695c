#include "codec/mutate/json_change.h"

#include "codec/mutate/json_view.h"

static const struct mutate_row ROWS[] = {
    {"another type of message", 10, false, json_change_type},
    {"value of a wrong type", 24, false, json_change_value},
    {"number at a limit", 10, false, json_change_number},
    {"string of odd characters", 8, false, json_change_string},
    {"character as an escape", 4, false, json_change_escapes},
    {"base64 out of form", 8, false, json_change_coding},
    {"content of base64", 2, true, json_change_coded},
    {"long value", 4, false, json_change_length},
    {"deep nesting", 5, false, json_change_depth},
    {"member left out", 10, false, json_drop_member},
    {"member repeated", 6, false, json_repeat_member},
    {"member renamed", 6, false, json_rename_member},
    {"values exchanged", 4, false, json_exchange_parts},
    {"value of another message", 6, false, json_take_part},
    {"JSON cut off", 6, false, json_cut},
    {"mark left out", 5, false, json_drop_mark},
    {"mark too many", 5, false, json_add_mark},
    {"text around JSON", 4, false, json_add_outside},
    {"white space", 2, false, json_add_space},
};

bool mutate_json(struct mutate_edit *edit, size_t at, size_t len)
{
    struct json_view view = {.at = at, .len = len};
    json_parts_read(bytes_of(edit->data + at, len), &view.parts);
    if (view.parts.count == 0)
        return false;
    for (size_t i = 0; i < view.parts.count; i++) {
        view.parts.list[i].at += at;
        view.parts.list[i].name_at += at;
    }
    return mutate_by_rows(edit, ROWS, sizeof ROWS / sizeof ROWS[0], &view);
}

bool mutate_json_form(struct mutate_edit *edit)
{
    return mutate_json(edit, 0, edit->len);
}
