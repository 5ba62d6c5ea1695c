/*
 * What a case leaves behind: a folder with the plan and, once it is over, the wire journal, the client's
 * output, the script and repro.sh, which runs the case again.
 */
#ifndef CONFORMANCE_PROCESS_ARTEFACTS_H
#define CONFORMANCE_PROCESS_ARTEFACTS_H

#include "codec/wire/bytes.h"
#include "server/journal/journal.h"

enum { FOLDER_PATH_MAX = 768, ARTEFACT_PATH_MAX = 1024 };

/* The names of the two that other commands read. */
#define ARTEFACT_JOURNAL "wire.jsonl"
#define ARTEFACT_SCRIPT  "case.session"

/* Makes `out_folder` and a folder in it named after the case and profile, or the profile and which try it is
 * ("ojin_cancel_late-speech.oris-1.0"), emptied if it was there; its absolute path goes to `path`. False with
 * errno set. */
bool artefacts_begin(const char *out_folder, const char *case_name, const char *profile,
                     char path[FOLDER_PATH_MAX]);
/* False with errno set. */
bool artefacts_write(const char *folder, const char *name, struct bytes data);
bool artefacts_write_journal(const char *folder, const struct journal *journal);
/* Writes an executable script that runs `line` from the folder this process is in. */
bool artefacts_write_repro(const char *folder, const char *line);
/* The journal that is meant by a path: of a case's folder the one in it, written to `room`; else the path. */
const char *artefacts_journal_in(const char *path, char room[ARTEFACT_PATH_MAX]);
/* The script beside a case's journal, written to `room`; NULL: there is none. */
const char *artefacts_script_beside(const char *journal, char room[ARTEFACT_PATH_MAX]);
/* Removes the folder. */
void artefacts_remove(const char *folder);

/* Makes a folder, with those it is in. False with errno set. */
bool artefacts_make(const char *path);
/* Around a run: is the folder for what its cases leave there already? One that was not is removed at the end
 * when nothing was left in it. */
bool artefacts_stand(const char *out_folder);
void artefacts_end(const char *out_folder, bool stood);

#endif
