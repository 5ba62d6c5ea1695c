/* The faults and the test cards of the interview family. */
#include "server/interview/tables.h"

#include "server/behaviour/steps.h"

#define IN_SPEECH "accept\nserve until=speech:2\n"

const struct fault_kind INTERVIEW_FAULTS[] = {
#define INTERVIEW_FAULT(name, value, unset, min, max, sentence, steps)                                       \
    {name, FAULT_##value, unset, min, max, sentence, steps},
#include "server/interview/fault.def"
#undef INTERVIEW_FAULT
    {NULL, FAULT_PLAIN, NULL, 0, 0, NULL, NULL}};

const struct card_alias INTERVIEW_CARDS[] = {
#define INTERVIEW_CARD(name, means, sentence) {name, means, sentence},
#include "server/interview/card.def"
#undef INTERVIEW_CARD
    {NULL, NULL, NULL}};
