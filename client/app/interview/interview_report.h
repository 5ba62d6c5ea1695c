/* What an interview came to: who said what, the evaluations and the errors, gathered while it goes on. */
#ifndef CLIENT_APP_INTERVIEW_INTERVIEW_REPORT_H
#define CLIENT_APP_INTERVIEW_INTERVIEW_REPORT_H

#include <stdio.h>

#include "client/app/report_parts.h"
#include "client/interview/client.h"

enum { INTERVIEW_LINES_MAX = 1000, INTERVIEW_RESULTS_MAX = 200 };

/* An answer of the candidate, or a reply as far as it was heard. */
struct interview_line {
    double from_s; /* since the first upgrade */
    double to_s;
    bool ai;
    bool whole; /* heard to its end, else it was cut off; an answer is whole */
    bool told;  /* its words came */
    char text[OBSERVATION_TEXT_MAX];
};

struct interview_result_line {
    char function[OBSERVATION_CODE_MAX];
    char result[OBSERVATION_TEXT_MAX];
};

struct interview_report {
    size_t line_count; /* that are kept */
    struct interview_line lines[INTERVIEW_LINES_MAX];
    size_t result_count;
    struct interview_result_line results[INTERVIEW_RESULTS_MAX];
    uint64_t answers; /* committed, as far as they are known here */
    bool saying;      /* of the next answer something was said, from there on: */
    uint64_t said_at, said_to;
    bool hearing; /* of the next reply something was heard, from there on: */
    uint32_t heard_at;
    bool cut; /* the latest reply was cut off: its transcript, which may still come, was not all heard */
    char words[OBSERVATION_TEXT_MAX]; /* the transcript of the reply that is coming; empty: none yet */
    char error[REPORT_ERROR_MAX];     /* the latest of this connection; empty: none */
    bool closed;
    uint16_t close_code;
    char close_reason[OBSERVATION_TEXT_MAX];
    struct interview_client_summary summary; /* once it is over */
    struct client_progress progress;
};

/* Every CLIENT_OBSERVE action. The line of which the words are known with it; NULL: none. */
const struct interview_line *interview_report_observe(struct interview_report *report,
                                                      const struct observation *seen);
/* After each step: what the client said in it, and how many answers it committed. */
void interview_report_said(struct interview_report *report, const struct interview_client *client);
/* "[   1.20 -    3.45] ai: Thank you. Tell me more." */
void interview_line_print(const struct interview_line *line, FILE *out);
void interview_report_print(const struct interview_report *report, FILE *out);
/* False when the file cannot be written. */
bool interview_report_write_transcript(const struct interview_report *report, const char *path);
bool interview_report_write_json(const struct interview_report *report, const char *path);

#endif
