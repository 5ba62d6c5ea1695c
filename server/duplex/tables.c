/* The faults and the test cards of the full-duplex family. */
#include "server/duplex/tables.h"

#include "server/behaviour/steps.h"

#define IN_SPEECH "accept\nserve until=speech:2\n"

const struct fault_kind DUPLEX_FAULTS[] = {
#define DUPLEX_FAULT(name, value, unset, min, max, sentence, steps)                                          \
    {name, FAULT_##value, unset, min, max, sentence, steps},
#include "server/duplex/fault.def"
#undef DUPLEX_FAULT
    {NULL, FAULT_PLAIN, NULL, 0, 0, NULL, NULL}};

const struct card_alias DUPLEX_CARDS[] = {
#define DUPLEX_CARD(name, means, sentence) {name, means, sentence},
#include "server/duplex/card.def"
#undef DUPLEX_CARD
    {NULL, NULL, NULL}};
