/*
 * The loudspeaker of a client that plays what it is sent in its own time: holds the sound that came, and says
 * what is played when. Its clock counts samples from a start; what was played never overlaps, and a pause
 * between two pieces is silence.
 *
 * It starts when the turn is there whole or more than the usual piece and the margin of it are, else a margin
 * after its first sound came, and later by what that lacks of a usual piece: in a family whose pieces come at
 * the pace at which they are played, the next one comes only then. Runs empty in the middle of a turn: a gap,
 * after which it waits for the margin again.
 */
#ifndef CLIENT_CORE_PLAYER_H
#define CLIENT_CORE_PLAYER_H

#include "codec/wire/bytes.h"

/* How the sound of a family comes. */
struct player_format {
    unsigned rate_hz;
    size_t sample_bytes;
    uint64_t margin_us;
    size_t piece_samples; /* of a usual piece, where they come at the pace at which they are played; else 0 */
};

/* A piece of a turn as it came: a delta. Freed by the player. */
struct held_delta {
    struct held_delta *next;
    size_t samples;
    size_t played;
    bool begun;
    bool end_of_turn;
    size_t text_len;
    char *text;   /* in the same block, NUL-terminated */
    uint8_t *pcm; /* the same */
};

struct player {
    const struct player_format *format;
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

/* `format` is borrowed. */
void player_init(struct player *player, const struct player_format *format);
/* The clock begins; what is held is dropped, and the gaps are counted on. */
void player_start(struct player *player, uint64_t now_us);
void player_free(struct player *player);
/* Copies text and pcm. False when memory runs out. */
bool player_add(struct player *player, uint64_t now_us, struct bytes pcm, struct bytes text,
                bool end_of_turn);
/* The next stretch of at most `samples_max` that is due at `now_us`; false: none. Valid until
 * player_release. */
bool player_take(struct player *player, uint64_t now_us, size_t samples_max, struct played_piece *out);
/* Drops all that is held and ends the turn: returns how many samples. */
uint64_t player_drop(struct player *player);
/* Frees what was taken. */
void player_release(struct player *player);
/* When the next piece of `samples_max` is due, or less when a delta ends before; UINT64_MAX: nothing is held.
 */
uint64_t player_deadline_us(const struct player *player, size_t samples_max);
/* What the clock shows … */
uint64_t player_clock(const struct player *player, uint64_t now_us);
/* … and where something may be played: not before what was played. */
uint64_t player_at(const struct player *player, uint64_t now_us);

#endif
