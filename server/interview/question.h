/*
 * What the interviewer says: a small interview at 24 kHz, made into the program from fixtures/speech when it
 * is built.
 */
#ifndef SERVER_INTERVIEW_QUESTION_H
#define SERVER_INTERVIEW_QUESTION_H

#include <stddef.h>
#include <stdint.h>

/* The first ones are the questions, in their order. */
enum interview_saying {
    INTERVIEW_QUESTION_FIRST,
    INTERVIEW_QUESTION_LAST = 2,
    INTERVIEW_FOLLOW_UP, /* after an answer that was too short */
    INTERVIEW_FAREWELL,  /* after the last answer */
    INTERVIEW_SAYING_COUNT
};

struct interview_question {
    const char *text;
    const int16_t *samples; /* 24 kHz mono */
    size_t sample_count;
};

struct interview_question interview_question_of(enum interview_saying saying);

#endif
