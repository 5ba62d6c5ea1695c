/* What is to be said and not yet committed, answer by answer, in PCM16. Private to the client core. */
#ifndef CLIENT_INTERVIEW_ANSWERS_H
#define CLIENT_INTERVIEW_ANSWERS_H

#include "codec/wire/bytes.h"

struct answer;

struct answers {
    struct answer *first; /* is being said */
    struct answer *last;
    struct answer *done; /* kept for what was handed out of it */
    size_t samples;      /* of all of them */
};

void answers_free(struct answers *answers);
/* Copies it. False when there would be more than `samples_max`, or without memory. No samples are no answer.
 */
bool answers_add(struct answers *answers, const int16_t *samples, size_t count, size_t samples_max);
static inline bool answers_are_empty(const struct answers *answers)
{
    return answers->first == NULL;
}
/* How many samples the next chunk has: of an answer that is long enough none has fewer than the document
 * recommends, or more. 0: there is no answer, or all of it was taken. */
size_t answers_chunk(const struct answers *answers);
/* That chunk; valid until answers_release after its answer's end. */
struct bytes answers_take(struct answers *answers);
/* The first is committed. */
void answers_end(struct answers *answers);
/* The first is to be said from its beginning. */
void answers_rewind(struct answers *answers);
void answers_release(struct answers *answers);

#endif
