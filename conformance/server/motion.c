#include "conformance/server/motion.h"

bool motion_take(struct motion *motion)
{
    if (motion->take_count == CLIENT_TAKES_MAX)
        return false;
    motion->take_count++;
    return true;
}

void motion_add(struct motion *motion, const double cells[MOTION_CELLS])
{
    const size_t take = motion->take_count - 1;
    if (motion->take_count == 0)
        return;
    motion->pairs[take]++;
    for (size_t i = 0; i < MOTION_CELLS; i++)
        motion->sums[take][i] += cells[i];
}

/* The least and the most that a cell moved in any take. */
struct range {
    double least, most;
};

static struct range range_of(const struct motion *motion, size_t cell)
{
    struct range range = {0, 0};
    for (size_t take = 0; take < motion->take_count; take++) {
        const double mean = motion->sums[take][cell] / (double)motion->pairs[take];
        range.least = take == 0 || mean < range.least ? mean : range.least;
        range.most = take == 0 || mean > range.most ? mean : range.most;
    }
    return range;
}

static bool is_whole(const struct motion *motion)
{
    for (size_t take = 0; take < motion->take_count; take++)
        if (motion->pairs[take] == 0)
            return false;
    return motion->take_count > 0;
}

/* What moves less is no evidence: 8 of 255 from picture to picture, root mean square. */
static const double CELL_FLOOR = 64;

double motion_percent(const struct motion *motion, const struct motion *other)
{
    double percent = -1;
    if (!is_whole(motion) || !is_whole(other))
        return -1;
    for (size_t cell = 0; cell < MOTION_CELLS; cell++) {
        const double least = range_of(other, cell).least;
        if (least < CELL_FLOOR)
            continue;
        const double of_cell = 100.0 * range_of(motion, cell).most / least;
        percent = percent < 0 || of_cell < percent ? of_cell : percent;
    }
    return percent;
}
