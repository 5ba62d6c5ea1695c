#define _GNU_SOURCE
#include "conformance/run/memory_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/media/sound.h"
#include "codec/ojin/constants.h"
#include "conformance/judge/plan_writer.h"
#include "conformance/memory/memory.h"
#include "conformance/report/case_picture.h"
#include "conformance/report/wire_tail.h"
#include "conformance/run/host_clock.h"
#include "conformance/run/launch.h"
#include "server/persona/persona.h"

enum { SPEECH_FILES_MAX = 32 };

/* Sound files are read once for all cases. */
struct speech_cache {
    size_t count;
    char paths[SPEECH_FILES_MAX][CLIENT_PLAN_PATH_MAX];
    struct sound sounds[SPEECH_FILES_MAX];
};

static const struct sound *cached_speech(struct speech_cache *cache, const char *path)
{
    char error[SOUND_ERROR_MAX] = "too many sound files";
    for (size_t i = 0; i < cache->count; i++) {
        if (strcmp(cache->paths[i], path) == 0)
            return &cache->sounds[i];
    }
    if (cache->count == SPEECH_FILES_MAX ||
        !sound_read(path, OJIN_SAMPLE_RATE, &cache->sounds[cache->count], error)) {
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
        const struct sound *sound = cached_speech(cache, plan->steps[i].file);
        if (sound == NULL)
            return false;
        plan->steps[i].samples = sound->samples;
        plan->steps[i].sample_count = sound->sample_count;
        *exact = *exact && sound->exact;
    }
    return true;
}

static bool run_sized(const struct run_options *options, struct persona *persona, struct speech_cache *cache,
                      struct client_plan *plan, struct run_case *run_case)
{
    const bool sized = run_case->script->picture_width > 0;
    struct memory_case memory_case = {
        .script = run_case->script,
        .profile = run_case->profile,
        .persona = persona,
        .picture_width = sized ? run_case->script->picture_width : options->width,
        .picture_height = sized ? run_case->script->picture_height : options->height,
        .seed = options->seed,
        .key = CONFORM_KEY,
        .config_id = run_case->script->config,
        .plan = plan};
    if (!make_plan(options, run_case, cache, plan, &memory_case.speech_exact))
        return false;
    const uint64_t began_ms = host_clock_ms();
    struct memory_result *result = memory_run(&memory_case);
    if (result == NULL) {
        fprintf(stderr, "ojin-conform: %s: out of memory\n", run_case->script->name);
        return false;
    }
    struct judge_input input = {.script = run_case->script,
                                .inferred = options->inferred,
                                .strict = options->strict,
                                .tier = TIER_OBSERVE};
    memory_result_judge_input(result, &input);
    judge_case(&input, &run_case->result);
    if (options->reports.of[REPORT_HTML] != NULL) {
        const struct picture_source source = {.journal = input.journal,
                                              .result = &run_case->result,
                                              .observations = input.observations,
                                              .observation_count = input.observation_count};
        struct text picture = text_of(run_case->picture, sizeof run_case->picture);
        case_picture_write(&picture, &source);
    }
    struct text tail = text_of(run_case->wire_tail, sizeof run_case->wire_tail);
    wire_tail_write(&tail, input.journal, &run_case->result, WIRE_TAIL_LINES);
    run_case->ran = true;
    run_case->duration_ms = host_clock_ms() - began_ms;
    memory_result_free(result);
    return true;
}

/* A case with pictures of a size of its own has a persona of its own. */
static bool run_one(const struct run_options *options, struct persona *persona, struct speech_cache *cache,
                    struct client_plan *plan, struct run_case *run_case)
{
    const struct script *script = run_case->script;
    if (script->picture_width == 0)
        return run_sized(options, persona, cache, plan, run_case);
    char error[PERSONA_ERROR_MAX];
    struct persona *own = persona_new(script->picture_width, script->picture_height, error);
    const bool good = own != NULL && run_sized(options, own, cache, plan, run_case);
    if (own == NULL)
        fprintf(stderr, "ojin-conform: %s: %s\n", script->name, error);
    else
        persona_free(own);
    return good;
}

bool memory_cases_run(const struct run_options *options, struct run_case *cases, size_t count)
{
    char error[PERSONA_ERROR_MAX];
    struct persona *persona = persona_new(options->width, options->height, error);
    struct speech_cache *cache = calloc(1, sizeof *cache);
    struct client_plan *plan = calloc(1, sizeof *plan);
    bool good = persona != NULL && cache != NULL && plan != NULL;
    if (!good)
        fprintf(stderr, "ojin-conform: %s\n", persona == NULL ? error : "out of memory");
    for (size_t i = 0; good && i < count; i++) {
        if (!cases[i].script->transport)
            good = run_one(options, persona, cache, plan, &cases[i]);
    }
    for (size_t i = 0; cache != NULL && i < cache->count; i++)
        sound_free(&cache->sounds[i]);
    free(cache);
    free(plan);
    persona_free(persona);
    return good;
}
