#include "conformance/defects/interview/tables.h"

static const struct defect_table *const TABLES[] = {&INTERVIEW_DEFECTS_CONNECT,   &INTERVIEW_DEFECTS_INPUT,
                                                    &INTERVIEW_DEFECTS_INTERRUPT, &INTERVIEW_DEFECTS_OUTPUT,
                                                    &INTERVIEW_DEFECTS_TOLD,      &INTERVIEW_DEFECTS_TYPES,
                                                    &INTERVIEW_DEFECTS_ERROR,     NULL};

const struct defect_class INTERVIEW_DEFECTS = {.tables = TABLES, .trial = &INTERVIEW_DEFECTS_TRIAL};
