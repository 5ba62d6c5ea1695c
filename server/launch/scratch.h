/*
 * A folder of one program's own below $TMPDIR (else /tmp) that does not outlive it for long: a file in it
 * stays locked as long as the program runs, so that the next one to ask for a folder of the same name knows
 * the folders of those that were killed by the lock that nobody holds, and removes them. It touches nothing
 * that is another user's, that has no such file in it, or whose file is locked, wherever its owner runs.
 */
#ifndef SERVER_LAUNCH_SCRATCH_H
#define SERVER_LAUNCH_SCRATCH_H

#include <stdbool.h>

enum {
    SCRATCH_PATH_MAX = 512,
    SCRATCH_ENTRIES_MAX = 20000 /* of the temporary folder that are looked at */
};

struct scratch {
    char path[SCRATCH_PATH_MAX]; /* empty: there is none */
    int lock_fd;
};

/* "$TMPDIR/NAME-XXXXXX", for this user alone. False with errno when it cannot be made: `path` says then where
 * it was tried. */
bool scratch_make(struct scratch *scratch, const char *name);
/* Removes it with all that is in it. Nothing happens where there is none. */
void scratch_remove(struct scratch *scratch);

#endif
