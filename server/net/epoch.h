/* Unix time at the server's time 0, when the machine has slept or its clock was set. */
#ifndef SERVER_NET_EPOCH_H
#define SERVER_NET_EPOCH_H

#include <stdint.h>

/* The epoch that `wall_ms` of Unix time asks for at the server's `now_ms`: `epoch_ms` itself as long as the
 * two clocks are at most a second apart. */
uint64_t epoch_for(uint64_t epoch_ms, uint64_t now_ms, uint64_t wall_ms);

#endif
