#include <stdlib.h>

#include "conformance/defects/shell.h"

enum { KEPT_BYTES_MAX = 512 * 1024 * 1024 };

#define FAMILY(name, prefix) extern const struct defect_class prefix##_DEFECTS;
#include "conformance/defects/families.inc"
#undef FAMILY

static const struct {
    const char *family;
    const struct defect_class *class;
} CLASSES[] = {
#define FAMILY(name, prefix) {#name, &prefix##_DEFECTS},
#include "conformance/defects/families.inc"
#undef FAMILY
};

enum { CLASS_COUNT = sizeof CLASSES / sizeof CLASSES[0] };

const struct defect_class *defect_class_by_family(const char *family)
{
    for (size_t i = 0; i < CLASS_COUNT; i++)
        if (strcmp(CLASSES[i].family, family) == 0)
            return CLASSES[i].class;
    return NULL;
}

const struct defect *defect_at(size_t n)
{
    for (size_t i = 0; i < CLASS_COUNT; i++)
        for (const struct defect_table *const *table = CLASSES[i].class->tables; *table != NULL; table++) {
            if (n < (*table)->count)
                return &(*table)->rows[n];
            n -= (*table)->count;
        }
    return NULL;
}

const struct defect *defect_trial_at(size_t n)
{
    for (size_t i = 0; i < CLASS_COUNT; i++) {
        const struct defect_table *trial = CLASSES[i].class->trial;
        if (n < trial->count)
            return &trial->rows[n];
        n -= trial->count;
    }
    return NULL;
}

const struct defect *defect_by_name(const char *name)
{
    const struct defect *defect = NULL;
    for (size_t n = 0; (defect = defect_at(n)) != NULL; n++)
        if (strcmp(defect->name, name) == 0)
            return defect;
    for (size_t n = 0; (defect = defect_trial_at(n)) != NULL; n++)
        if (strcmp(defect->name, name) == 0)
            return defect;
    return NULL;
}

static void pass_up(void *context, struct buffer *bytes)
{
    struct defect_state *state = context;
    ws_filter_pass(&state->up, bytes, state->defect->request, state->defect->up, state);
}

static void pass_down(void *context, struct buffer *bytes)
{
    struct defect_state *state = context;
    ws_filter_pass(&state->down, bytes, state->defect->response, state->defect->down, state);
}

void defect_begin(const struct defect *defect, const char *key, struct defect_run *out)
{
    *out = (struct defect_run){.seams = defect->seams, .state = {.defect = defect, .due_us = UINT64_MAX}};
    if (defect->request != NULL || defect->up != NULL)
        out->seams.channel.up = pass_up;
    if (defect->response != NULL || defect->down != NULL)
        out->seams.channel.down = pass_down;
    buffer_init(&out->state.bytes, KEPT_BYTES_MAX);
    buffer_init(&out->state.instead, KEPT_BYTES_MAX);
    ws_filter_init(&out->state.up);
    ws_filter_init(&out->state.down);
    struct text text = text_of(out->state.key, sizeof out->state.key);
    text_add(&text, key != NULL ? key : "");
    out->seams.channel.context = &out->state;
    defect_shell_init(out);
    out->seams.shell = &out->shell;
}

void defect_end(struct defect_run *run)
{
    defect_shell_release(run);
    free(run->state.stash);
    buffer_free(&run->state.bytes);
    buffer_free(&run->state.instead);
    ws_filter_free(&run->state.up);
    ws_filter_free(&run->state.down);
}

bool defect_is_in_core(const struct defect *defect)
{
    const struct conform_seams *seams = &defect->seams;
    return !defect->crashes && defect->request == NULL && defect->up == NULL && defect->response == NULL &&
           defect->down == NULL && seams->channel.up == NULL && seams->channel.down == NULL &&
           seams->channel.ended == NULL && !seams->channel.trust_all && !seams->channel.trust_none &&
           !seams->channel.unpacks_nothing && !seams->says_key && seams->sample_rate == 0 &&
           seams->converted == NULL && seams->wav_header_bytes == 0 && seams->as_it_is == NULL;
}

bool defect_breaks(const struct defect *defect, const char *requirement)
{
    if (strcmp(defect->requirement, requirement) == 0)
        return true;
    for (size_t i = 0; i < DEFECT_IMPLIES_MAX && defect->implies[i] != NULL; i++)
        if (strcmp(defect->implies[i], requirement) == 0)
            return true;
    return false;
}
