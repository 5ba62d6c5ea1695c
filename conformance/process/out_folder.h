/*
 * The folder for what the cases of a run leave (--out), which one run at a time has for itself: cases empty
 * their folder in it before they begin, so two runs would delete each other's.
 *
 * A file in it, OUT_FOLDER_LOCK, is locked while the run lasts and removed at its end; one that a killed run
 * left is not locked.
 */
#ifndef CONFORMANCE_PROCESS_OUT_FOLDER_H
#define CONFORMANCE_PROCESS_OUT_FOLDER_H

#include <stdbool.h>

#include "conformance/process/artefacts.h"

#define OUT_FOLDER_LOCK ".in-use"

struct out_folder {
    const char *path; /* borrowed */
    bool stood;       /* it was there before */
    int lock;         /* -1: none could be taken, as where the file system has no locks */
    char lock_path[ARTEFACT_PATH_MAX];
};

/* Makes the folder and takes it. False where another run has it, which is said on standard error with that
 * run's process; `command` is ojin-conform's. Where no lock is to be had for another reason it is true: what
 * is wrong with the folder is said by what writes there. */
bool out_folder_take(const char *command, const char *path, struct out_folder *out);
/* A folder that was not there before is removed when nothing was left in it. */
void out_folder_leave(struct out_folder *out);

#endif
