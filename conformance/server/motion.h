/*
 * How far the pictures of speech frames move, and whether two kinds of speech move differently.
 *
 * A face moves by itself too: it sways and blinks, and its mouth is a small part of the picture. So motion is
 * measured cell by cell, each kind of speech in several takes, and of each cell the least that it moved in
 * any take of the one kind is held against the most that it moved in any take of the other.
 */
#ifndef CONFORMANCE_SERVER_MOTION_H
#define CONFORMANCE_SERVER_MOTION_H

#include "conformance/script/client_script.h"

enum { MOTION_COLUMNS = 24, MOTION_ROWS = 16, MOTION_CELLS = MOTION_COLUMNS * MOTION_ROWS };

/* The mean square of the change from picture to picture. */
struct motion {
    size_t take_count;
    uint64_t pairs[CLIENT_TAKES_MAX];
    double sums[CLIENT_TAKES_MAX][MOTION_CELLS];
};

/* What is added from now on is a further take; false when there are CLIENT_TAKES_MAX already. */
bool motion_take(struct motion *motion);
void motion_add(struct motion *motion, const double cells[MOTION_CELLS]);
/*
 * Where `other` moves and `motion` does not: how much the latter moves, in percent of the former, in the cell
 * where that is least. 100 or more where they move alike, near 0 where something that moves in `other` stands
 * still in `motion`. Negative when one of them has a take without two pictures, or `other` does not move.
 */
double motion_percent(const struct motion *motion, const struct motion *other);

#endif
