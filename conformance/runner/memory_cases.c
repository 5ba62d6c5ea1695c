#define _GNU_SOURCE
#include "conformance/runner/memory_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/app/pictures.h"
#include "codec/media/jpeg.h"
#include "codec/media/sound.h"
#include "conformance/judge/plan_writer.h"
#include "conformance/judge/results.h"
#include "conformance/memory/memory.h"
#include "conformance/process/client_key.h"
#include "conformance/process/host_clock.h"
#include "conformance/report/case_picture.h"
#include "conformance/report/wire_tail.h"
#include "conformance/runner/repro.h"
#include "server/persona/persona.h"

enum { SPEECH_FILES_MAX = 32, PERSONAS_MAX = 8 };

/* Sound files are read once for all cases. */
struct speech_cache {
    size_t count;
    char paths[SPEECH_FILES_MAX][CLIENT_PLAN_PATH_MAX];
    struct sound sounds[SPEECH_FILES_MAX];
};

struct sized_persona {
    unsigned width, height;
    struct persona *persona;
};

struct memory_cases {
    const struct run_options *options;
    struct pictures pictures;
    struct sized_persona personas[PERSONAS_MAX]; /* the last of them is made anew when more are asked for */
    struct speech_cache cache;
    struct client_plan plan;
};

static const struct sound *cached_speech(struct speech_cache *cache, const char *path, unsigned rate)
{
    char error[SOUND_ERROR_MAX] = "too many sound files";
    for (size_t i = 0; i < cache->count; i++) {
        if (strcmp(cache->paths[i], path) == 0 && cache->sounds[i].sample_rate == rate)
            return &cache->sounds[i];
    }
    if (cache->count == SPEECH_FILES_MAX || !sound_read(path, rate, &cache->sounds[cache->count], error)) {
        fprintf(stderr, "ojin-conform: %s\n", error);
        return NULL;
    }
    snprintf(cache->paths[cache->count], CLIENT_PLAN_PATH_MAX, "%s", path);
    return &cache->sounds[cache->count++];
}

/* The plan goes through its JSON, as it does to a client in a process of its own. */
static bool make_plan(const struct run_options *options, const struct run_case *run_case,
                      struct speech_cache *cache, struct client_plan *plan, bool *exact)
{
    struct buffer json;
    char error[200] = "it is too long";
    buffer_init(&json, SCRIPT_BYTES_MAX);
    const bool good = plan_write(run_case->script, run_case->profile->name, options->speech_folder, &json) &&
                      client_plan_parse(buffer_bytes(&json), plan, error);
    buffer_free(&json);
    if (!good) {
        fprintf(stderr, "ojin-conform: plan of %s: %s\n", run_case->script->name, error);
        return false;
    }
    *exact = true;
    for (size_t i = 0; i < plan->step_count; i++) {
        if (plan->steps[i].what != DO_SPEAK)
            continue;
        const struct sound *sound =
            cached_speech(cache, plan->steps[i].file, run_case->script->class->messages->input_rate);
        if (sound == NULL)
            return false;
        plan->steps[i].samples = sound->samples;
        plan->steps[i].sample_count = sound->sample_count;
        *exact = *exact && sound->exact;
    }
    return true;
}

static void judge(const struct run_options *options, const struct memory_result *result,
                  struct run_case *run_case)
{
    struct judge_input input = {.script = run_case->script,
                                .profile = run_case->profile,
                                .inferred = options->inferred,
                                .strict = options->strict,
                                .tier = TIER_OBSERVE};
    memory_result_judge_input(result, &input);
    judge_case(&input, &run_case->result);
    if (!options->memory) /* a selftest's: nobody reads more of it */
        return;
    const struct picture_source source = {.journal = input.journal,
                                          .result = &run_case->result,
                                          .messages = input.script->class->messages,
                                          .observations = input.observations,
                                          .observation_count = input.observation_count};
    struct text picture = text_of(run_case->picture, sizeof run_case->picture);
    if (evidence_is_wanted(&run_case->result))
        evidence_take(&source, &run_case->evidence);
    if (report_paths_picture(&options->reports, options->shard_count > 0))
        case_picture_write(&picture, &source);
    struct text tail = text_of(run_case->wire_tail, sizeof run_case->wire_tail);
    wire_tail_write(&tail, input.journal, &run_case->result, WIRE_TAIL_LINES);
    if (!evidence_is_wanted(&run_case->result) && !results_are_worth_keeping(&run_case->result))
        return;
    char *line = repro_line(options, run_case->script->name, run_case->profile->name, TIER_OBSERVE);
    if (line != NULL && strlen(line) < sizeof run_case->repro)
        memcpy(run_case->repro, line, strlen(line) + 1);
    free(line);
}

/* All but the persona, the shell and the track. `key` is filled in. */
static bool prepare(struct memory_cases *memory, const struct run_case *run_case, char key[CLIENT_KEY_MAX],
                    struct memory_case *out)
{
    const struct run_options *options = memory->options;
    const bool sized = run_case->script->picture_width > 0;
    *out = (struct memory_case){.script = run_case->script,
                                .client = client_class_by_family(run_case->script->class->family->name),
                                .profile = run_case->profile,
                                .picture_width = sized ? run_case->script->picture_width : options->width,
                                .picture_height = sized ? run_case->script->picture_height : options->height,
                                .seed = options->seed,
                                .key = key,
                                .config_id = run_case->script->config,
                                .plan = &memory->plan,
                                .pictures = memory->pictures.list,
                                .picture_count = memory->pictures.count,
                                .picture_size = jpeg_picture_size};
    if (!client_key_make(run_case->script->class, key) ||
        !make_plan(options, run_case, &memory->cache, &memory->plan, &out->speech_exact))
        return false;
    if (out->client == NULL)
        fprintf(stderr, "ojin-conform: %s: there is no client of its family to run it in memory with\n",
                run_case->script->name);
    return out->client != NULL;
}

static bool run_with(struct memory_cases *memory, struct persona *persona, const struct client_shell *shell,
                     struct memory_track *track, struct run_case *run_case)
{
    char key[CLIENT_KEY_MAX];
    struct memory_case memory_case;
    if (!prepare(memory, run_case, key, &memory_case))
        return false;
    memory_case.persona = persona;
    memory_case.shell = shell;
    memory_case.track = track;
    const uint64_t began_ms = host_clock_ms();
    struct memory_result *result = memory_run(&memory_case);
    if (result == NULL) {
        fprintf(stderr, "ojin-conform: %s: out of memory\n", run_case->script->name);
        return false;
    }
    judge(memory->options, result, run_case);
    run_case->ran = true;
    run_case->duration_ms = host_clock_ms() - began_ms;
    memory_result_free(result);
    return true;
}

/* Pictures of that size; made once, as long as there is room. NULL with what is wrong on standard error. */
static struct persona *persona_of(struct memory_cases *memory, unsigned width, unsigned height)
{
    char error[PERSONA_ERROR_MAX];
    struct sized_persona *slot = &memory->personas[0];
    for (; slot < memory->personas + PERSONAS_MAX - 1 && slot->persona != NULL; slot++)
        if (slot->width == width && slot->height == height)
            return slot->persona;
    persona_free(slot->persona);
    *slot = (struct sized_persona){
        .width = width, .height = height, .persona = persona_new(width, height, error)};
    if (slot->persona == NULL)
        fprintf(stderr, "ojin-conform: pictures of %ux%u: %s\n", width, height, error);
    return slot->persona;
}

static bool run_one(struct memory_cases *memory, struct run_case *run_case, const struct client_shell *shell,
                    struct memory_track *track)
{
    const struct case_script *script = run_case->script;
    const bool sized = script->picture_width > 0;
    struct persona *persona = persona_of(memory, sized ? script->picture_width : memory->options->width,
                                         sized ? script->picture_height : memory->options->height);
    return persona != NULL && run_with(memory, persona, shell, track, run_case);
}

bool memory_cases_run_one(struct memory_cases *memory, struct run_case *run_case,
                          const struct client_shell *shell)
{
    return run_one(memory, run_case, shell, NULL);
}

bool memory_cases_keep_one(struct memory_cases *memory, struct run_case *run_case, struct memory_track *track)
{
    return run_one(memory, run_case, NULL, track);
}

bool memory_cases_same_one(struct memory_cases *memory, const struct run_case *run_case,
                           const struct client_shell *shell, const struct memory_track *track)
{
    char key[CLIENT_KEY_MAX];
    struct memory_case memory_case;
    if (!prepare(memory, run_case, key, &memory_case))
        return false;
    memory_case.shell = shell;
    return memory_has_session(&memory_case, track);
}

struct memory_cases *memory_cases_new(const struct run_options *options)
{
    struct memory_cases *memory = calloc(1, sizeof *memory);
    if (memory == NULL) {
        fputs("ojin-conform: out of memory\n", stderr);
        return NULL;
    }
    memory->options = options;
    if (pictures_make(&memory->pictures))
        return memory;
    fputs("ojin-conform: out of memory\n", stderr);
    memory_cases_free(memory);
    return NULL;
}

void memory_cases_free(struct memory_cases *memory)
{
    if (memory == NULL)
        return;
    for (size_t i = 0; i < memory->cache.count; i++)
        sound_free(&memory->cache.sounds[i]);
    for (size_t i = 0; i < PERSONAS_MAX; i++)
        persona_free(memory->personas[i].persona);
    pictures_free(&memory->pictures);
    free(memory);
}

bool memory_cases_run(const struct run_options *options, struct run_case *cases, size_t count)
{
    struct memory_cases *memory = memory_cases_new(options);
    bool good = memory != NULL;
    for (size_t i = 0; good && i < count; i++) {
        if (!cases[i].script->transport)
            good = memory_cases_run_one(memory, &cases[i], NULL);
    }
    memory_cases_free(memory);
    return good;
}
