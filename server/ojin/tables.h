/* The faults and the test cards of the Ojin family: the rows of fault.def and card.def. */
#ifndef SERVER_OJIN_TABLES_H
#define SERVER_OJIN_TABLES_H

#include "server/behaviour/behaviour.h"

extern const struct fault_kind OJIN_FAULTS[];
extern const struct card_alias OJIN_CARDS[];

#endif
