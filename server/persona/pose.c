#include "server/persona/pose.h"

#include <math.h>
#include <stddef.h>

#include "server/persona/raster.h"

enum { SWAY_MIDDLE = POSE_SWAYS / 2 };

/* When the eyes begin to close, within the loop; uneven, as people do it, and once twice in a row. */
static const unsigned blinks[] = {22, 96, 105, 167};
static const unsigned blink_lids[] = {1, 2, 2, 1};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct pose_steps pose_steps_at(uint64_t tick)
{
    const unsigned at = (unsigned)(tick % POSE_LOOP_TICKS);
    const double sway = sin(2 * RASTER_PI * at / POSE_LOOP_TICKS);
    struct pose_steps steps = {.sway = (unsigned)lround(SWAY_MIDDLE + sway * SWAY_MIDDLE)};
    for (size_t i = 0; i < COUNT(blinks); i++) {
        if (at >= blinks[i] && at - blinks[i] < COUNT(blink_lids)) {
            steps.lids = blink_lids[at - blinks[i]];
        }
    }
    return steps;
}

double pose_sway(unsigned step)
{
    return ((double)step - SWAY_MIDDLE) / SWAY_MIDDLE;
}

double pose_lids(unsigned step)
{
    return (double)step / (POSE_LIDS - 1);
}
