/*
 * A round of the loop: every socket and everything that is due is looked at once. What a client sends and
 * what a script says can be any number of frames, so a round has a budget of them, in number and time, for
 * all connections together. Who finds it spent does one frame, and goes on in the next round. What goes out
 * at the pace of a session is not counted.
 */
#include "server/net/net.h"

enum { ROUND_FRAMES = 64, ROUND_US = 1000 };

void round_begin(struct mock_server *server)
{
    server->round_number++;
    server->round_frames = 0;
    server->round_us = 0;
    server->round_newcomers = 0;
    server->round_newcomers_us = 0;
    server->http_had_turn = false;
}

bool round_is_over(const struct mock_server *server)
{
    return server->round_frames >= ROUND_FRAMES || server->round_us >= ROUND_US;
}

void round_spend(struct mock_server *server, uint64_t *since_us)
{
    const uint64_t now_us = mock_server_now_us(server);
    server->round_us += now_us - *since_us;
    server->round_frames++;
    *since_us = now_us;
}
