/*
 * A player, as its parts know it: player.c plays a session, player_client.c tells the client what to do,
 * player_judge.c says what came of it. Private to this folder.
 */
#ifndef CONFORMANCE_FUZZ_HOST_PLAYER_PARTS_H
#define CONFORMANCE_FUZZ_HOST_PLAYER_PARTS_H

#include <stdio.h>
#include <uv.h>

#include "conformance/fuzz/host/client_process.h"
#include "conformance/fuzz/host/player.h"
#include "conformance/fuzz/host/scripts_in_play.h"
#include "conformance/fuzz/host/surroundings.h"
#include "conformance/process/artefacts.h"
#include "conformance/process/client_key.h"
#include "conformance/process/cpu_wait.h"
#include "server/net/mock_server.h"

struct fuzz_player {
    const struct fuzz_player_options *options;
    uv_loop_t loop;
    uv_timer_t poll;
    struct mock_server *server;
    struct scripts_in_play scripts;
    struct client_process client;
    struct surroundings surroundings;
    char key[CLIENT_KEY_MAX];
    char folder[FOLDER_PATH_MAX]; /* of a client with a process for each session: its plan */
    char plan_path[FOLDER_PATH_MAX + 16], out_path[FOLDER_PATH_MAX + 16];
    char audio_path[FOLDER_PATH_MAX];
    uint64_t usual_us;
    uint64_t began_us, limit_us;
    struct cpu_wait wait; /* for a core, of the client and of us: a late machine is nobody's hang */
    uint64_t waited_us, own_waited_us;
    uint64_t cpu_began_us; /* of the client's, at the first look in a session: most are over before */
    uint64_t memory_began; /* of the client, when it was new and had played a session */
    bool late, grown, own_end;
    char error[PLAYER_ERROR_MAX];
};

/* Notes a sentence, the first alone. False. */
static inline bool player_fail(struct fuzz_player *player, const char *what, const char *why)
{
    if (player->error[0] == '\0')
        snprintf(player->error, sizeof player->error, "%s: %s", what, why);
    return false;
}

/* Tells the client what to do in the session at hand: in a line, or by starting it. False: player_fail. */
bool player_begin_client(struct fuzz_player *player);

/* What came of the session, by how the client ended or did not. */
void player_judge(struct fuzz_player *player, struct played *out);

#endif
