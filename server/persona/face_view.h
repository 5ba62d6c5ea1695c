/*
 * Putting the drawing on the picture.
 *
 * The drawing is made in units of the figure's size, with the origin in the middle of the head, x to the
 * right and y downwards. A view leans a part of it about the base of the neck, shifts it and scales it to
 * pixels.
 */
#ifndef SERVER_PERSONA_FACE_VIEW_H
#define SERVER_PERSONA_FACE_VIEW_H

#include "server/persona/raster.h"

struct view {
    double unit; /* pixels a unit */
    double x;    /* of the origin, pixels */
    double y;
    double shift_x; /* of this part, units */
    double shift_y;
    double lean_cos;
    double lean_sin;
};

/* For a stage of that many pixels; the head leans with the sway, the body hardly moves. */
struct view view_of(unsigned width, unsigned height);
struct view view_of_head(unsigned width, unsigned height, double sway);
struct view view_of_body(unsigned width, unsigned height, double sway);

/* Fills a path given in units, which is left in pixels. */
void view_fill(struct strip *strip, const struct view *view, struct path *path, struct colour colour);
void view_fill_ellipse(struct strip *strip, const struct view *view, struct point at, struct point radius,
                       struct colour colour);
/* See path_stroke. */
void view_fill_stroke(struct strip *strip, const struct view *view, const struct point curve[4],
                      double thickness, struct colour colour);
/* An outline of cubic curves: a start, then two control points and an end for each. */
void view_fill_curves(struct strip *strip, const struct view *view, const struct point *points, size_t count,
                      struct colour colour);

/* The mouth: 0 closed to a smile, 1 wide open. */
void face_mouth_draw(struct strip *strip, const struct view *head, double opening);

#endif
