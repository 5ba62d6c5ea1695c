/*
 * What defects do to the sound that a client holds for playing (client/core/player.h), in any family whose
 * clients have a loudspeaker of their own. A piece is a delta, or a chunk.
 */
#ifndef CONFORMANCE_DEFECTS_PLAYING_H
#define CONFORMANCE_DEFECTS_PLAYING_H

#include "client/core/player.h"
#include "conformance/defects/defect.h"

/* Before a message is taken: does one come that brings a piece? Uses `seen` and `count` of the state. */
void defect_note_piece(struct defect_state *state, const struct player *player, bool comes);
/* The piece that was added since; NULL: none, or it was asked for already. */
struct held_delta *defect_fresh_piece(struct defect_state *state, const struct player *player);

/* Only its first `samples` are played … */
void defect_cut_piece(struct player *player, struct held_delta *piece, uint64_t samples);
/* … or only what keeps at most `samples` held; `piece` is the newest. */
void defect_hold_at_most(struct player *player, struct held_delta *piece, uint64_t samples);
/* The last `samples` of the newest piece are played once more, as a piece of their own. */
void defect_play_end_twice(struct player *player, uint64_t now_us, struct held_delta *piece, size_t samples);
/* The newest is played before what has not begun. */
void defect_put_first(struct player *player, struct held_delta *newest);

#endif
