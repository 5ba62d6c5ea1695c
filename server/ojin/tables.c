/* The faults and the test cards of the Ojin family. */
#include "server/ojin/tables.h"

#define UNTIL_READY "accept\nserve until=ready\n"
#define IN_SPEECH   "accept\nserve until=speech:3\n"
#define THEN_SERVE  "serve\n"
/* As long as a wait can be, often enough for any test. */
#define FOR_GOOD "repeat 1000 {\nwait 1800s\n}\n"

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
