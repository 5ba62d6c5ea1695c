/*
 * A process in a group of its own, and the end of all that it started.
 */
#ifndef SERVER_LAUNCH_PROCESS_H
#define SERVER_LAUNCH_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

enum { PROCESS_STREAMS = 3, PROCESS_INHERITS = -1 };

/* From now on what a descendant leaves behind becomes our child, where process_end_all finds it. */
void process_adopt_orphans(void);

/*
 * Starts `argv` (ended by NULL, found by PATH, no shell) with environment `envp`, as the leader of a new
 * group, with signals as they are by default. `streams` are the descriptors that become its 0, 1 and 2, or
 * PROCESS_INHERITS. It is killed when we die. -1 with errno set when it cannot be started; nothing is then
 * left of it.
 */
pid_t process_start(char *const argv[], char *const envp[], const int streams[PROCESS_STREAMS]);

/* Ends the group of `leader` (with TERM first while it is `running`, KILL shortly after), and every other
 * child of ours; waits for them. */
void process_end_all(pid_t leader, bool running);

#endif
