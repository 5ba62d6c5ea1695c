#include "server/persona/face_view.h"

#include <math.h>

static const struct colour lips = {196, 84, 84};
static const struct colour lips_light = {218, 116, 108};
static const struct colour mouth_inside = {84, 20, 30};
static const struct colour tongue = {190, 82, 98};
static const struct colour teeth = {250, 247, 240};

/*
 * The mouth is four curves over the same width: the outer and inner edges of the upper and the lower lip.
 * Across it runs t from -1 to 1; `round` is 1 in the middle and 0 in the corners, along an ellipse.
 */
struct mouth_shape {
    double half;  /* width / 2 */
    double smile; /* how far the middle hangs below the corners */
    double open;  /* how far the lips are apart in the middle */
};

enum { MOUTH_STEPS = 24 };

static const double mouth_y = 0.126;

enum mouth_edge {
    MOUTH_UPPER_OUTER,
    MOUTH_UPPER_INNER,
    MOUTH_TEETH,
    MOUTH_TONGUE,
    MOUTH_LOWER_INNER,
    MOUTH_LOWER_OUTER
};

static struct point mouth_at(const struct mouth_shape *mouth, enum mouth_edge edge, double angle)
{
    const double t = -cos(angle);
    const double round = sin(angle);
    const double bow = 0.004 * exp(-40 * t * t); /* the dip in the middle of the upper lip */
    const double rest = mouth_y + mouth->smile * round * round;
    const double upper = rest - 0.16 * mouth->open * round;
    const double lower = rest + 0.84 * mouth->open * round;
    double y = rest;
    switch (edge) {
    case MOUTH_UPPER_OUTER:
        y = upper - 0.013 * pow(round, 0.8) + bow;
        break;
    case MOUTH_UPPER_INNER:
        y = upper;
        break;
    case MOUTH_TEETH:
        y = fmin(upper + 0.015 * sqrt(round), upper + 0.45 * (lower - upper));
        break;
    case MOUTH_TONGUE:
        y = fmax(lower - 0.27 * mouth->open * round * exp(-1.5 * t * t), upper);
        break;
    case MOUTH_LOWER_INNER:
        y = lower;
        break;
    case MOUTH_LOWER_OUTER:
        y = lower + 0.017 * pow(round, 0.9);
        break;
    }
    return (struct point){mouth->half * t, y};
}

/* Fills what lies between two edges, within `inset` (0 to 1) of the width. */
static void mouth_fill(struct strip *strip, const struct view *head, const struct mouth_shape *mouth,
                       enum mouth_edge above, enum mouth_edge below, double inset, struct colour colour)
{
    const double step = (RASTER_PI - 2 * inset) / MOUTH_STEPS;
    struct path path = {.count = 0};
    for (int i = 0; i <= MOUTH_STEPS; i++) {
        const struct point at = mouth_at(mouth, above, inset + step * i);
        path_line(&path, at.x, at.y);
    }
    for (int i = MOUTH_STEPS; i >= 0; i--) {
        const struct point at = mouth_at(mouth, below, inset + step * i);
        path_line(&path, at.x, at.y);
    }
    view_fill(strip, head, &path, colour);
}

void face_mouth_draw(struct strip *strip, const struct view *head, double opening)
{
    const struct mouth_shape mouth = {
        .half = 0.065 - 0.010 * opening,
        .smile = 0.012 - 0.006 * opening,
        .open = 0.070 * opening,
    };
    mouth_fill(strip, head, &mouth, MOUTH_UPPER_OUTER, MOUTH_UPPER_INNER, 0, lips);
    mouth_fill(strip, head, &mouth, MOUTH_LOWER_INNER, MOUTH_LOWER_OUTER, 0, lips_light);
    if (opening > 0) {
        mouth_fill(strip, head, &mouth, MOUTH_UPPER_INNER, MOUTH_LOWER_INNER, 0, mouth_inside);
        mouth_fill(strip, head, &mouth, MOUTH_TONGUE, MOUTH_LOWER_INNER, 0.5, tongue);
        mouth_fill(strip, head, &mouth, MOUTH_UPPER_INNER, MOUTH_TEETH, 0.35, teeth);
    } else {
        const struct point line[] = {{-0.070, mouth_y - 0.002},
                                     {-0.030, mouth_y + 0.016},
                                     {0.030, mouth_y + 0.016},
                                     {0.070, mouth_y - 0.002}};
        view_fill_stroke(strip, head, line, 0.006, mouth_inside);
    }
}
