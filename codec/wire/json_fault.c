#include "codec/wire/json_fault.h"

void json_fault_write(struct text *out, const struct json_fault *fault)
{
    text_add(out, fault->member);
    text_add(out, ": expected ");
    text_add(out, fault->expected);
    text_add(out, ", found ");
    text_add(out, fault->found);
}

/* "video_frames" is also the name of "video_frames[1]". */
static bool is_member(const char *member, const char *name)
{
    const size_t len = strlen(name);
    return strncmp(member, name, len) == 0 && (member[len] == '\0' || member[len] == '[');
}

const struct json_fault *json_fault_of(const struct json_faults *faults, const char *member)
{
    for (size_t i = 0; i < faults->count && i < JSON_FAULTS_MAX; i++) {
        if (is_member(faults->list[i].member, member))
            return &faults->list[i];
    }
    return NULL;
}
