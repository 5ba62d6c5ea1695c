/* Of the members of one name the last counts: the others are taken out of what was read. */
#include <stdlib.h>

#include "codec/wire/json.h"
#include "codec/wire/json_names.h"

struct placed {
    cJSON *item;
    size_t at;
};

/* By name, then by place. */
static int placed_compare(const void *a, const void *b)
{
    const struct placed *left = a, *right = b;
    const int order = strcmp(left->item->string, right->item->string);
    if (order != 0)
        return order;
    return left->at < right->at ? -1 : 1;
}

/* No object has more members than json_check lets pass. */
static void object_settle(cJSON *object, struct placed members[JSON_MEMBERS_MAX])
{
    size_t count = 0;
    for (cJSON *item = object->child; item != NULL && count < JSON_MEMBERS_MAX; item = item->next, count++)
        members[count] = (struct placed){item, count};
    qsort(members, count, sizeof *members, placed_compare);
    for (size_t i = 1; i < count; i++)
        if (strcmp(members[i - 1].item->string, members[i].item->string) == 0)
            cJSON_Delete(cJSON_DetachItemViaPointer(object, members[i - 1].item));
}

/* Down and on, with the way back up in a stack. */
static void value_settle(cJSON *value, struct placed members[JSON_MEMBERS_MAX])
{
    cJSON *way[JSON_DEPTH_MAX + 1];
    size_t depth = 0;
    for (cJSON *at = value; at != NULL;) {
        if (cJSON_IsObject(at))
            object_settle(at, members);
        if (at->child != NULL) {
            way[depth++] = at;
            at = at->child;
            continue;
        }
        while (depth > 0 && at->next == NULL)
            at = way[--depth];
        at = depth == 0 ? NULL : at->next;
    }
}

struct wire_error json_parse_last(struct bytes text, cJSON **out)
{
    bool repeats = false;
    cJSON *value = NULL;
    struct wire_error error = json_check_and_keep(text, &repeats, &value);
    if (error.status != WIRE_OK)
        return error;
    struct placed *members = repeats ? malloc(JSON_MEMBERS_MAX * sizeof *members) : NULL;
    if (repeats && members == NULL) {
        cJSON_Delete(value);
        return (struct wire_error){.status = WIRE_NO_SPACE, .field = "memory"};
    }
    if (repeats)
        value_settle(value, members);
    free(members);
    *out = value;
    return error;
}

bool json_repeats(struct bytes text)
{
    bool repeats = false;
    return json_check_last(text, &repeats).status == WIRE_OK && repeats;
}
