/* The quirks of the interview family: the rows of quirk.def. */
#ifndef SERVER_INTERVIEW_QUIRK_H
#define SERVER_INTERVIEW_QUIRK_H

#include "server/core/quirk.h"

enum interview_quirk {
#define INTERVIEW_QUIRK(enumerator, name, value, unset, min, max, choices, sentence)                         \
    INTERVIEW_QUIRK_##enumerator,
#include "server/interview/quirk.def"
#undef INTERVIEW_QUIRK
    INTERVIEW_QUIRK_COUNT
};

/* In the order of the enum, ended by a NULL name. */
extern const struct quirk_kind INTERVIEW_QUIRKS[];

/* The words of latency, in the order of the table. */
enum interview_latency {
    INTERVIEW_LATENCY_UNSAID,
    INTERVIEW_LATENCY_TARGET,
    INTERVIEW_LATENCY_ACCEPTABLE,
    INTERVIEW_LATENCY_DEGRADED,
    INTERVIEW_LATENCY_COUNT
};

/* The words of no-interview. */
enum interview_no_interview {
    INTERVIEW_IS_THERE,
    INTERVIEW_IS_UNKNOWN,
    INTERVIEW_IS_INACTIVE,
    INTERVIEW_THERE_COUNT
};

/* The words of odd-results. */
enum interview_odd_result {
    INTERVIEW_RESULT_USUAL,
    INTERVIEW_RESULT_NULL,
    INTERVIEW_RESULT_LIST,
    INTERVIEW_RESULT_TEXT,
    INTERVIEW_RESULT_NUMBER,
    INTERVIEW_RESULT_NESTED,
    INTERVIEW_RESULT_COUNT
};

#endif
