/* The sound of the questions, as generate_samples writes it. Private to question.c. */
#ifndef SERVER_INTERVIEW_QUESTION_SAMPLES_H
#define SERVER_INTERVIEW_QUESTION_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

extern const size_t INTERVIEW_SAMPLES_1_COUNT;
extern const int16_t INTERVIEW_SAMPLES_1[];
extern const size_t INTERVIEW_SAMPLES_2_COUNT;
extern const int16_t INTERVIEW_SAMPLES_2[];
extern const size_t INTERVIEW_SAMPLES_3_COUNT;
extern const int16_t INTERVIEW_SAMPLES_3[];
extern const size_t INTERVIEW_SAMPLES_4_COUNT;
extern const int16_t INTERVIEW_SAMPLES_4[];
extern const size_t INTERVIEW_SAMPLES_5_COUNT;
extern const int16_t INTERVIEW_SAMPLES_5[];

#endif
