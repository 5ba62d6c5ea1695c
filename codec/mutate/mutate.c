#include "codec/mutate/mutate.h"

#include "codec/mutate/edit.h"

const struct mutate_form *mutate_form_by_name(const struct mutate_class *mutate_class, const char *name)
{
    for (const struct mutate_form *form = mutate_class->forms; form->name != NULL; form++)
        if (strcmp(form->name, name) == 0)
            return form;
    return NULL;
}

const struct mutate_form *mutate_form_of(const struct mutate_class *mutate_class, bool is_binary,
                                         bool from_client)
{
    for (const struct mutate_form *form = mutate_class->forms; form->name != NULL; form++)
        if (form->is_binary == is_binary && (from_client ? form->from_client : form->from_server))
            return form;
    return NULL;
}

size_t mutate_message(const struct mutate_form *form, struct seeded *seeded, struct bytes other,
                      uint8_t *data, size_t len, size_t capacity, struct mutation *mutation)
{
    struct mutate_edit edit = {
        .form = form, .seeded = seeded, .other = other, .data = data, .len = len, .capacity = capacity};
    if (!form->change(&edit) && !mutate_any_bytes(&edit))
        edit.told = (struct mutation){.what = NULL};
    *mutation = edit.told;
    return edit.len;
}
