/* The faults and the test cards of the Ojin family. */
#include "server/ojin/tables.h"

#include "server/behaviour/steps.h"

#define IN_SPEECH "accept\nserve until=speech:3\n"

const struct fault_kind OJIN_FAULTS[] = {
#define OJIN_FAULT(name, value, unset, min, max, sentence, steps)                                            \
    {name, FAULT_##value, unset, min, max, sentence, steps},
#include "server/ojin/fault.def"
#undef OJIN_FAULT
    {NULL, FAULT_PLAIN, NULL, 0, 0, NULL, NULL}};

const struct card_alias OJIN_CARDS[] = {
#define OJIN_CARD(name, means, sentence) {name, means, sentence},
#include "server/ojin/card.def"
#undef OJIN_CARD
    {NULL, NULL, NULL}};
