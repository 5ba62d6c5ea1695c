#include "conformance/defects/defect.h"

static const struct defect_table *const TABLES[] = {&DEFECTS_CONNECT, &DEFECTS_READY, &DEFECTS_INPUT,
                                                    &DEFECTS_FRAME,   &DEFECTS_PLAY,  &DEFECTS_TURN,
                                                    &DEFECTS_ERROR,   &DEFECTS_CLOSE};

enum { TABLE_COUNT = sizeof TABLES / sizeof TABLES[0], KEPT_BYTES_MAX = 512 * 1024 * 1024 };

size_t defect_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < TABLE_COUNT; i++)
        count += TABLES[i]->count;
    return count;
}

const struct defect *defect_at(size_t n)
{
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        if (n < TABLES[i]->count)
            return &TABLES[i]->rows[n];
        n -= TABLES[i]->count;
    }
    return NULL;
}

size_t defect_trial_count(void)
{
    return DEFECTS_TRIAL.count;
}

const struct defect *defect_trial_at(size_t n)
{
    return n < DEFECTS_TRIAL.count ? &DEFECTS_TRIAL.rows[n] : NULL;
}

const struct defect *defect_by_name(const char *name)
{
    for (size_t n = 0; n < defect_count(); n++)
        if (strcmp(defect_at(n)->name, name) == 0)
            return defect_at(n);
    for (size_t n = 0; n < defect_trial_count(); n++)
        if (strcmp(defect_trial_at(n)->name, name) == 0)
            return defect_trial_at(n);
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
    *out = (struct defect_run){.seams = defect->seams, .state = {.defect = defect}};
    if (defect->request != NULL || defect->up != NULL)
        out->seams.channel.up = pass_up;
    if (defect->response != NULL || defect->down != NULL)
        out->seams.channel.down = pass_down;
    buffer_init(&out->state.bytes, KEPT_BYTES_MAX);
    ws_filter_init(&out->state.up);
    ws_filter_init(&out->state.down);
    struct text text = text_of(out->state.key, sizeof out->state.key);
    text_add(&text, key != NULL ? key : "");
    out->seams.client.context = &out->state;
    out->seams.channel.context = &out->state;
}

void defect_end(struct defect_run *run)
{
    buffer_free(&run->state.bytes);
    ws_filter_free(&run->state.up);
    ws_filter_free(&run->state.down);
}

bool defect_is_in_core(const struct defect *defect)
{
    const struct conform_seams *seams = &defect->seams;
    return !defect->crashes && defect->request == NULL && defect->up == NULL && defect->response == NULL &&
           defect->down == NULL && seams->channel.ended == NULL && !seams->channel.trust_all &&
           !seams->channel.trust_none && !seams->channel.unpacks_nothing && !seams->says_key &&
           seams->sample_rate == 0;
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

bool defect_holds(struct bytes message, const char *text)
{
    const size_t len = strlen(text);
    for (size_t i = 0; i + len <= message.len; i++)
        if (memcmp(message.data + i, text, len) == 0)
            return true;
    return false;
}
