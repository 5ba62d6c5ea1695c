#include "client/interview/answers.h"

#include <stdlib.h>

#include "client/interview/client.h"

struct answer {
    struct answer *next;
    size_t samples;
    size_t taken;
    uint8_t pcm[];
};

static void free_list(struct answer **list)
{
    for (struct answer *answer; (answer = *list) != NULL;) {
        *list = answer->next;
        free(answer);
    }
}

void answers_free(struct answers *answers)
{
    free_list(&answers->first);
    free_list(&answers->done);
    *answers = (struct answers){.samples = 0};
}

void answers_release(struct answers *answers)
{
    free_list(&answers->done);
}

bool answers_add(struct answers *answers, const int16_t *samples, size_t count, size_t samples_max)
{
    if (count > samples_max - answers->samples)
        return false;
    if (count == 0)
        return true;
    struct answer *answer = malloc(sizeof *answer + count * INTERVIEW_SAMPLE_BYTES);
    if (answer == NULL)
        return false;
    *answer = (struct answer){.samples = count};
    for (size_t i = 0; i < count; i++) {
        const uint16_t sample = (uint16_t)samples[i];
        answer->pcm[i * INTERVIEW_SAMPLE_BYTES] = (uint8_t)(sample & 0xFF);
        answer->pcm[i * INTERVIEW_SAMPLE_BYTES + 1] = (uint8_t)(sample >> 8);
    }
    if (answers->last != NULL)
        answers->last->next = answer;
    else
        answers->first = answer;
    answers->last = answer;
    answers->samples += count;
    return true;
}

size_t answers_chunk(const struct answers *answers)
{
    const size_t left = answers->first == NULL ? 0 : answers->first->samples - answers->first->taken;
    if (left <= INTERVIEW_CHUNK_SAMPLES_MAX)
        return left;
    /* What is left then is enough for a chunk as well. */
    if (left < INTERVIEW_CLIENT_CHUNK_SAMPLES + INTERVIEW_CHUNK_SAMPLES_MIN)
        return INTERVIEW_CHUNK_SAMPLES_MIN;
    return INTERVIEW_CLIENT_CHUNK_SAMPLES;
}

struct bytes answers_take(struct answers *answers)
{
    struct answer *answer = answers->first;
    const size_t count = answers_chunk(answers);
    const struct bytes chunk =
        bytes_of(answer->pcm + answer->taken * INTERVIEW_SAMPLE_BYTES, count * INTERVIEW_SAMPLE_BYTES);
    answer->taken += count;
    return chunk;
}

void answers_end(struct answers *answers)
{
    struct answer *answer = answers->first;
    answers->first = answer->next;
    if (answers->first == NULL)
        answers->last = NULL;
    answers->samples -= answer->samples;
    answer->next = answers->done;
    answers->done = answer;
}

void answers_rewind(struct answers *answers)
{
    if (answers->first != NULL)
        answers->first->taken = 0;
}
