/*
 * The scripts that the mock plays: that of the session at hand, and those of sessions before it whose
 * connections are not over yet. Private to this folder.
 */
#ifndef CONFORMANCE_FUZZ_HOST_SCRIPTS_IN_PLAY_H
#define CONFORMANCE_FUZZ_HOST_SCRIPTS_IN_PLAY_H

#include "conformance/fuzz/fuzz_session.h"
#include "conformance/script/case_script.h"

struct scripts_in_play {
    struct played_script *first; /* that of the session at hand; NULL: none so far */
};

/* Makes the session's script the one at hand, and frees those that nobody uses. False with a sentence. */
bool scripts_play(struct scripts_in_play *scripts, const struct fuzz_session *session,
                  char error[SCRIPT_ERROR_MAX]);
/* The one at hand; NULL: none so far. */
const struct case_script *scripts_current(const struct scripts_in_play *scripts);
/* A connection begins with the one at hand (NULL: there is none), and is over. */
const struct script *scripts_take(struct scripts_in_play *scripts);
void scripts_release(struct scripts_in_play *scripts, const struct script *script);
/* Once no connection is left. */
void scripts_free(struct scripts_in_play *scripts);

#endif
