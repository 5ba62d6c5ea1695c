/* The faults and the test cards of the full-duplex family: the rows of fault.def and card.def. */
#ifndef SERVER_DUPLEX_TABLES_H
#define SERVER_DUPLEX_TABLES_H

#include "server/behaviour/behaviour.h"

extern const struct fault_kind DUPLEX_FAULTS[];
extern const struct card_alias DUPLEX_CARDS[];

#endif
