/* What the steps of many faults begin or end with: for the fault.def of families. */
#ifndef SERVER_BEHAVIOUR_STEPS_H
#define SERVER_BEHAVIOUR_STEPS_H

#define UNTIL_READY "accept\nserve until=ready\n"
#define THEN_SERVE  "serve\n"
/* As long as a wait can be, often enough for any test. */
#define FOR_GOOD "repeat 1000 {\nwait 1800s\n}\n"

#endif
