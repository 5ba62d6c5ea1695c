#include "server/interview/question.h"

#include "server/interview/question_samples.h"

struct interview_question interview_question_of(enum interview_saying saying)
{
    /* The texts that fixtures/speech has for them. */
    const struct interview_question questions[INTERVIEW_SAYING_COUNT] = {
        {"Welcome to the interview. Please tell me about yourself.", INTERVIEW_SAMPLES_1,
         INTERVIEW_SAMPLES_1_COUNT},
        {"Thank you. What is the hardest problem that you have solved?", INTERVIEW_SAMPLES_2,
         INTERVIEW_SAMPLES_2_COUNT},
        {"I see. How do you like to work with others?", INTERVIEW_SAMPLES_3, INTERVIEW_SAMPLES_3_COUNT},
        {"Could you tell me a little more about that?", INTERVIEW_SAMPLES_4, INTERVIEW_SAMPLES_4_COUNT},
        {"Thank you for your time. That was my last question.", INTERVIEW_SAMPLES_5,
         INTERVIEW_SAMPLES_5_COUNT},
    };
    return questions[saying];
}
