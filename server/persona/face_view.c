#include "server/persona/face_view.h"

#include <math.h>

static const double pivot_y = 0.27; /* the base of the neck */
/* What these add up to is held within motion_y of face.c; the tests find it when it is not. */
static const double sway_shift = 0.011;
static const double sway_lean = 0.045; /* radians */
static const double breath_rise = 0.008;

/* The size of the figure follows the height, but its shoulders must fit the width. */
struct view view_of(unsigned width, unsigned height)
{
    const double unit = fmin(height, 1.12 * width);
    return (struct view){
        .unit = unit,
        .x = width / 2.0,
        .y = 0.43 * unit + 0.45 * (height - unit),
        .lean_cos = 1,
    };
}

struct view view_of_head(unsigned width, unsigned height, double sway)
{
    struct view view = view_of(width, height);
    view.shift_x = sway_shift * sway;
    view.shift_y = -breath_rise * sway * sway;
    view.lean_cos = cos(sway_lean * sway);
    view.lean_sin = sin(sway_lean * sway);
    return view;
}

struct view view_of_body(unsigned width, unsigned height, double sway)
{
    struct view view = view_of(width, height);
    view.shift_x = sway_shift * sway / 3;
    view.shift_y = -breath_rise * sway * sway;
    return view;
}

void view_fill(struct strip *strip, const struct view *view, struct path *path, struct colour colour)
{
    for (size_t i = 0; i < path->count; i++) {
        const double x = path->points[i].x;
        const double y = path->points[i].y - pivot_y;
        path->points[i].x = view->x + view->unit * (x * view->lean_cos - y * view->lean_sin + view->shift_x);
        path->points[i].y =
            view->y + view->unit * (x * view->lean_sin + y * view->lean_cos + pivot_y + view->shift_y);
    }
    strip_fill(strip, path, colour);
}

void view_fill_ellipse(struct strip *strip, const struct view *view, struct point at, struct point radius,
                       struct colour colour)
{
    struct path path;
    path_ellipse(&path, at.x, at.y, radius.x, radius.y);
    view_fill(strip, view, &path, colour);
}

void view_fill_stroke(struct strip *strip, const struct view *view, const struct point curve[4],
                      double thickness, struct colour colour)
{
    struct path path;
    path_stroke(&path, curve, thickness);
    view_fill(strip, view, &path, colour);
}

void view_fill_curves(struct strip *strip, const struct view *view, const struct point *points, size_t count,
                      struct colour colour)
{
    struct path path;
    path_begin(&path, points[0].x, points[0].y);
    for (size_t i = 1; i + 2 < count; i += 3) {
        path_curve(&path, points[i], points[i + 1], points[i + 2]);
    }
    view_fill(strip, view, &path, colour);
}
