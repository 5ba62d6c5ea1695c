#include "codec/mutate/library/ojin_mutate.h"

#include <stdlib.h>

#include "codec/mutate/mutate.h"

enum { FAMILY_NAME_MAX = 32 };

/* NULL: there is no such form. */
static const struct mutate_form *form_by_name(const char *name)
{
    const char *slash = strchr(name, '/');
    char family[FAMILY_NAME_MAX] = "";
    if (slash == NULL || (size_t)(slash - name) >= sizeof family)
        return NULL;
    memcpy(family, name, (size_t)(slash - name));
    const struct mutate_class *mutate_class = mutate_class_by_family(family);
    return mutate_class == NULL ? NULL : mutate_form_by_name(mutate_class, slash + 1);
}

static const char *form_wanted(void)
{
    const char *form = getenv("OJIN_MUTATE");
    return form == NULL ? "ojin/frame" : form;
}

size_t ojin_mutate(const char *form, uint8_t *data, size_t len, size_t capacity, uint64_t seed)
{
    const struct mutate_form *found = form_by_name(form);
    struct seeded seeded = {.state = seed};
    struct mutation mutation;
    return found == NULL ? 0
                         : mutate_message(found, &seeded, bytes_of(NULL, 0), data, len, capacity, &mutation);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return ojin_mutate(form_wanted(), data, size, max_size, seed);
}

/* --- AFL++ --- */

struct afl_state {
    const struct mutate_form *form;
    struct seeded seeded;
    uint8_t *room;
    size_t room_len;
};

void *afl_custom_init(void *afl, unsigned seed)
{
    (void)afl;
    struct afl_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    state->seeded.state = seed;
    state->form = form_by_name(form_wanted());
    if (state->form != NULL)
        return state;
    free(state);
    return NULL;
}

size_t afl_custom_fuzz(void *context, uint8_t *data, size_t len, uint8_t **out, uint8_t *add, size_t add_len,
                       size_t max_len)
{
    struct afl_state *state = context;
    struct mutation mutation;
    if (state->room_len < max_len) {
        uint8_t *grown = realloc(state->room, max_len);
        if (grown == NULL)
            return 0;
        state->room = grown;
        state->room_len = max_len;
    }
    const size_t kept = len < max_len ? len : max_len;
    memcpy(state->room, data, kept);
    *out = state->room;
    return mutate_message(state->form, &state->seeded, bytes_of(add, add == NULL ? 0 : add_len), state->room,
                          kept, max_len, &mutation);
}

void afl_custom_deinit(void *context)
{
    struct afl_state *state = context;
    free(state->room);
    free(state);
}
