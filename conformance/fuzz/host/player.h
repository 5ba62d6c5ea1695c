/*
 * Plays sessions with a client, one after another: one mock within this process, one process of the client
 * for many sessions or one for each. Watches how the client ends, what it says, its memory and its core.
 */
#ifndef CONFORMANCE_FUZZ_HOST_PLAYER_H
#define CONFORMANCE_FUZZ_HOST_PLAYER_H

#include <signal.h>

#include "client/core/observation.h"
#include "conformance/fuzz/finding.h"
#include "conformance/fuzz/fuzz_session.h"

enum { PLAYER_ERROR_MAX = 1400 };

/* Borrowed for the player's life. */
struct fuzz_player_options {
    const struct session_class *class;
    const struct profile *profile;
    char *const *command;     /* ended by NULL */
    char *const *environment; /* NAME=VALUE */
    size_t environment_count;
    bool persistent;
    const char *speech_folder, *video_folder;
    uint64_t timeout_ms; /* for a session; 0: by how long right ones take */
    uint64_t memory_max; /* bytes that the client may grow by */
    const volatile sig_atomic_t *interrupted;
};

struct fuzz_player;

/* NULL with a sentence. */
struct fuzz_player *fuzz_player_new(const struct fuzz_player_options *options, char error[PLAYER_ERROR_MAX]);
void fuzz_player_free(struct fuzz_player *player);

/* What a session came to, until the next is played. */
struct played {
    struct fuzz_outcome outcome; /* FUZZ_WELL, CRASH, HANG, SPIN or MEMORY */
    bool connected;
    int exit_code; /* of its process, or what it said */
    const struct observation *seen;
    size_t seen_count;
    uint64_t took_us;
    uint64_t cpu_us; /* of a core; only where much was sent (fuzz_session_flood) */
};

/* Plays one; `patience`: how many times longer than usual it may take. False: our own failure, or
 * interrupted; fuzz_player_error says which. After a finding the client's process is gone. */
bool fuzz_player_play(struct fuzz_player *player, const struct fuzz_session *session, unsigned patience,
                      struct played *out);
/* Ends the client's process: the next session begins with a new one. */
void fuzz_player_stop_client(struct fuzz_player *player);
/* How long a right session took, for how long others may take. */
void fuzz_player_set_usual_us(struct fuzz_player *player, uint64_t usual_us);
/* The end of what the client wrote in the latest session, without its key. */
void fuzz_player_said(const struct fuzz_player *player, char out[FUZZ_SAID_MAX]);
/* A sentence; empty: nothing is wrong. */
const char *fuzz_player_error(const struct fuzz_player *player);

#endif
