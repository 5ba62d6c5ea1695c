/* The faults and the test cards of the interview family: the rows of fault.def and card.def. */
#ifndef SERVER_INTERVIEW_TABLES_H
#define SERVER_INTERVIEW_TABLES_H

#include "server/behaviour/behaviour.h"

extern const struct fault_kind INTERVIEW_FAULTS[];
extern const struct card_alias INTERVIEW_CARDS[];

#endif
