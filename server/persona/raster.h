/*
 * Filling shapes with smooth edges: flat colours on a strip of a picture.
 *
 * A strip is some lines of a larger picture; what is drawn outside it is left out. A line comes out the same
 * whatever strip it is drawn in, so a picture can be drawn in parts. Coordinates are pixels of the whole
 * picture, y downwards.
 */
#ifndef SERVER_PERSONA_RASTER_H
#define SERVER_PERSONA_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RASTER_PI 3.14159265358979323846

enum { PATH_POINTS_MAX = 320, RASTER_WIDTH_MAX = 4096 };

struct colour {
    uint8_t red;
    uint8_t green;
    uint8_t blue;
};

struct strip {
    uint8_t *rgb;   /* lines * width * 3 bytes, of the caller's */
    unsigned width; /* pixels, at most RASTER_WIDTH_MAX */
    unsigned top;   /* the first line's number in the picture */
    unsigned lines;
};

struct point {
    double x;
    double y;
};

/* One closed outline. Points past PATH_POINTS_MAX are a mistake of ours (assert). */
struct path {
    struct point points[PATH_POINTS_MAX];
    size_t count;
};

void path_begin(struct path *path, double x, double y);
void path_line(struct path *path, double x, double y);
/* A cubic Bezier from the last point by way of two control points to `end`. */
void path_curve(struct path *path, struct point first, struct point second, struct point end);
void path_ellipse(struct path *path, double x, double y, double radius_x, double radius_y);
/* A stroke along a cubic Bezier, `thickness` wide in the middle, running out to points at its ends. */
void path_stroke(struct path *path, const struct point curve[4], double thickness);

void strip_clear(struct strip *strip, struct colour colour);
/* Fills the outline; edge pixels are mixed by the share of them that is covered. */
void strip_fill(struct strip *strip, const struct path *path, struct colour colour);

#endif
