#include "conformance/runner/pictures_ahead.h"

#include "codec/family.h"

static bool shows_the_size_of_the_run(const struct worker_job *job)
{
    return job->options != NULL && job->script->class->family->picture_width > 0 &&
           job->script->picture_width == 0;
}

struct persona *pictures_ahead(const struct worker_job *jobs, size_t count)
{
    char error[PERSONA_ERROR_MAX];
    const struct worker_job *first = NULL;
    size_t showing = 0;
    for (size_t i = 0; i < count; i++) {
        if (!shows_the_size_of_the_run(&jobs[i]))
            continue;
        first = first != NULL ? first : &jobs[i];
        showing++;
    }
    if (showing < PICTURES_AHEAD_CASES_MIN)
        return NULL;
    struct persona *persona = persona_new(first->options->width, first->options->height, error);
    while (persona != NULL && persona_prepare(persona))
        continue;
    return persona;
}

struct persona *pictures_of(const struct worker_job *job, char error[PERSONA_ERROR_MAX])
{
    const bool sized = job->script->picture_width > 0;
    const unsigned width = sized ? job->script->picture_width : job->options->width;
    const unsigned height = sized ? job->script->picture_height : job->options->height;
    struct persona *drawn = job->persona;
    if (drawn != NULL && persona_width(drawn) == width && persona_height(drawn) == height)
        return drawn;
    return persona_new(width, height, error);
}
