/*
 * The loudspeaker: holds the sound of the deltas that came, and says what is played when. Private to the
 * client core. Its clock counts samples at DUPLEX_OUTPUT_RATE from a start; what was played never overlaps,
 * and a pause between two pieces is silence.
 *
 * It starts when the turn is there whole or more than a second of it is, else DUPLEX_PLAYER_MARGIN_US after
 * its first sound came, and later by what that lacks of a second: the middle deltas come a second apart. Runs
 * empty in the middle of a turn: a gap, after which it waits for the margin again.
 */
#ifndef CLIENT_DUPLEX_PLAYER_H
#define CLIENT_DUPLEX_PLAYER_H

#include "codec/duplex/constants.h"
#include "codec/wire/bytes.h"

/* A delta; freed by the player. */
struct held_delta {
    struct held_delta *next;
    size_t samples;
    size_t played;
    bool begun;
    bool end_of_turn;
    size_t text_len;
    char *text;   /* in the same block, NUL-terminated */
    uint8_t *pcm; /* the same: float32, little-endian */
};

struct duplex_player {
    uint64_t start_us; /* time of sample 0 */
    uint64_t next_at;  /* sample at which what is played next belongs, at the earliest */
    bool running;
    uint64_t run_us; /* not running and something is held: when it starts */
    struct held_delta *first;
    struct held_delta *last;
    struct held_delta *done; /* played out in this step; what was handed out points into them */
    size_t delta_count;
    uint64_t samples;      /* held and not yet played */
    bool sounds;           /* some sound of the turn that is coming has come */
    bool in_turn;          /* something of a turn came whose end was not played */
    uint64_t turn_samples; /* played of it */
    uint64_t gaps;
};

/* A stretch that is due. */
struct played_piece {
    uint64_t at;
    struct bytes pcm;
    struct bytes text; /* of the delta that begins here; empty: none, or it goes on */
    bool begins;       /* a delta begins here */
    bool ends_turn;    /* the turn is over, at its end */
    uint64_t turn_samples;
};

void duplex_player_start(struct duplex_player *player, uint64_t now_us);
void duplex_player_free(struct duplex_player *player);
/* Copies text and pcm. False when memory runs out. */
bool duplex_player_add(struct duplex_player *player, uint64_t now_us, struct bytes pcm, struct bytes text,
                       bool end_of_turn);
/* The next stretch of at most `samples_max` that is due at `now_us`; false: none. Valid until
 * duplex_player_release. */
bool duplex_player_take(struct duplex_player *player, uint64_t now_us, size_t samples_max,
                        struct played_piece *out);
/* Drops all that is held and ends the turn: returns how many samples. */
uint64_t duplex_player_drop(struct duplex_player *player);
/* Frees what was taken. */
void duplex_player_release(struct duplex_player *player);
/* When the next piece of `samples_max` is due, or less when a delta ends before; UINT64_MAX: nothing is held.
 */
uint64_t duplex_player_deadline_us(const struct duplex_player *player, size_t samples_max);
/* Where the clock stands: not before what was played. */
uint64_t duplex_player_at(const struct duplex_player *player, uint64_t now_us);

#endif
