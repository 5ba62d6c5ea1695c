#include "conformance/fuzz/fuzz_seeds.h"

#include <stdlib.h>

enum { SEED_OPTIONS_MAX = 6, SEED_LINE_MAX = 160, SEEDS_BYTES_MAX = 1024 * 1024 };

/* Messages as a script sends them, by the family; each line is an order of them. The first is that of a good
 * session. Sound and pictures are short, so that most of the bytes are structure. */
struct flows {
    const char *family;
    const char *of[FUZZ_FLOWS_MAX];
};

static const struct flows FLOWS[] = {
    {"ojin",
     {"ready; silence; speech interaction=fresh; speech; final",
      "ready; silence payloads=1:8,2:16; speech interaction=fresh payloads=1:8,2:16; speech "
      "payloads=2:16,1:8; fade "
      "payloads=1:8,2:16; silence payloads=1:8",
      "ready; speech interaction=fresh payloads=1:8,2:16; final payloads=1:8,2:16",
      "ready; speech interaction=fresh payloads=1:8,2:16; error code=INTERNAL_ERROR; silence "
      "payloads=1:8,2:16",
      "ready; speech interaction=fresh payloads=1:8,2:4000; final payloads=none",
      "ready; speech interaction=fresh payloads=7:4050; final payloads=none",
      "ready load=0.5; speech payloads=1:8,1:4,2:16,7:5; speech payloads=none; final payloads=none",
      "error code=TIMEOUT interaction=nil; text text=\"No backend servers available\""}},
    {"duplex",
     {"queue_done; created; listen; delta samples=240 audio=coded end_of_turn=true text=Hello; listen; "
      "closed",
      "queue_done; created; listen; delta samples=4 audio=coded end_of_turn=false text=Hello; delta "
      "samples=4 "
      "audio=coded end_of_turn=true text=\"\"; listen; closed",
      "queued position=2; queue_update position=1; queue_done; created; delta samples=2 audio=coded "
      "end_of_turn=true; error; closed",
      "queue_done; created; delta audio=empty end_of_turn=false text=Hi; delta samples=8 audio=coded "
      "end_of_turn=true; "
      "listen",
      "queued; error code=queue_full",
      "queue_done; created; delta samples=700 audio=coded end_of_turn=true; closed"}},
    {"interview",
     {"status status=connected; transcript speaker=ai text=Hello; function_result; ai_audio_chunk "
      "samples=240 audio=coded "
      "transcript=Hello is_final=true",
      "status status=connecting; status status=connected; transcript speaker=ai text=Hello; ai_audio_chunk "
      "samples=4 "
      "audio=coded is_final=false; ai_audio_chunk samples=4 audio=coded is_final=true",
      "status status=connected; transcript speaker=candidate text=Yes; function_result; ai_audio_chunk "
      "samples=4 "
      "audio=coded transcript=Hi is_final=true",
      "status status=connected; ai_audio_chunk audio=empty is_final=true; error; status status=disconnected",
      "error", "status status=connected; ai_audio_chunk samples=1400 audio=coded is_final=true"}},
};

static const struct flows *flows_of(const char *family)
{
    for (size_t i = 0; i < sizeof FLOWS / sizeof FLOWS[0]; i++)
        if (strcmp(FLOWS[i].family, family) == 0)
            return &FLOWS[i];
    return NULL;
}

struct making {
    struct fuzz_seeds *seeds;
    const struct session_class *class;
    struct session *session;
    struct actions actions;
    size_t offsets[FUZZ_SEEDS_MAX]; /* of their bytes, which still grow */
};

/* "speech interaction=fresh": its kind and options, which are cut apart in place. */
static size_t options_of(char *line, struct compose_option options[SEED_OPTIONS_MAX])
{
    size_t count = 0;
    char *at = strchr(line, ' ');
    while (at != NULL && count < SEED_OPTIONS_MAX) {
        *at++ = '\0';
        char *value = strchr(at, '=');
        if (value == NULL)
            break;
        *value++ = '\0';
        const bool quoted = *value == '"';
        char *end = quoted ? strchr(value + 1, '"') : strchr(value, ' ');
        options[count++] = (struct compose_option){.name = at, .value = quoted ? value + 1 : value};
        if (quoted && end != NULL)
            *end++ = '\0';
        at = end != NULL && *end == ' ' ? end : NULL;
    }
    return count;
}

/* The message of one line, added to the seeds; its index, or FUZZ_SEEDS_MAX. */
static size_t seed_make(struct making *making, const char *line, size_t len)
{
    char copy[SEED_LINE_MAX];
    char error[200];
    struct compose_option options[SEED_OPTIONS_MAX];
    struct fuzz_seeds *seeds = making->seeds;
    if (seeds->count == FUZZ_SEEDS_MAX || len >= sizeof copy)
        return FUZZ_SEEDS_MAX;
    memcpy(copy, line, len);
    copy[len] = '\0';
    const size_t count = options_of(copy, options);
    actions_clear(&making->actions);
    if (!making->class->compose(making->session, 0, copy, options, count, &making->actions, error) ||
        making->actions.count == 0)
        return FUZZ_SEEDS_MAX;
    const struct action *action = &making->actions.list[0];
    struct fuzz_seed *seed = &seeds->of[seeds->count];
    making->offsets[seeds->count] = seeds->bytes.len;
    *seed = (struct fuzz_seed){.is_binary = action->kind == ACTION_SEND_BINARY};
    action_label_set(seed->kind, copy);
    seed->data = actions_bytes(&making->actions, action);
    return buffer_append(&seeds->bytes, seed->data) ? seeds->count++ : FUZZ_SEEDS_MAX;
}

static bool flow_make(struct making *making, const char *flow)
{
    struct fuzz_seeds *seeds = making->seeds;
    const size_t n = seeds->flow_count;
    for (const char *at = flow; *at != '\0';) {
        const size_t len = strcspn(at, ";");
        const size_t seed = seed_make(making, at, len);
        if (seed == FUZZ_SEEDS_MAX || seeds->flow_lengths[n] == FUZZ_FLOW_LENGTH_MAX)
            return false;
        seeds->flows[n][seeds->flow_lengths[n]++] = seed;
        at += len;
        at += strspn(at, "; ");
    }
    seeds->flow_count++;
    return true;
}

static bool make_all(struct making *making, const struct flows *flows)
{
    for (size_t i = 0; i < FUZZ_FLOWS_MAX && flows->of[i] != NULL; i++)
        if (!flow_make(making, flows->of[i]))
            return false;
    for (size_t i = 0; i < making->seeds->count; i++)
        making->seeds->of[i].data.data = making->seeds->bytes.data + making->offsets[i];
    return true;
}

struct fuzz_seeds *fuzz_seeds_new(const struct session_class *class, const struct profile *profile,
                                  struct persona *persona)
{
    const struct flows *flows = flows_of(class->family->name);
    const struct session_config config = {
        .profile = profile, .seed = 1, .epoch_ms = UINT64_C(1767225600000), .persona = persona};
    struct making making = {.seeds = calloc(1, sizeof *making.seeds), .class = class};
    if (flows == NULL || making.seeds == NULL) {
        free(making.seeds);
        return NULL;
    }
    buffer_init(&making.seeds->bytes, SEEDS_BYTES_MAX);
    actions_init(&making.actions);
    making.session = class->create(&config);
    bool good = making.session != NULL;
    if (good)
        class->step(making.session, &(struct session_event){.kind = SESSION_OPENED}, &making.actions);
    good = good && make_all(&making, flows);
    if (making.session != NULL)
        class->destroy(making.session);
    actions_free(&making.actions);
    if (good)
        return making.seeds;
    fuzz_seeds_free(making.seeds);
    return NULL;
}

void fuzz_seeds_free(struct fuzz_seeds *seeds)
{
    if (seeds == NULL)
        return;
    buffer_free(&seeds->bytes);
    free(seeds);
}
