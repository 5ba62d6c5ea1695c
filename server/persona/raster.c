#include "server/persona/raster.h"

#include <assert.h>
#include <math.h>

enum { CURVE_STEPS = 28, ELLIPSE_STEPS = 64, COVERAGE_FULL = 256 };

void path_begin(struct path *path, double x, double y)
{
    path->count = 0;
    path_line(path, x, y);
}

void path_line(struct path *path, double x, double y)
{
    assert(path->count < PATH_POINTS_MAX);
    path->points[path->count++] = (struct point){x, y};
}

static struct point curve_at(const struct point curve[4], double t)
{
    const double s = 1 - t;
    const double weights[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    struct point at = {0, 0};
    for (int i = 0; i < 4; i++) {
        at.x += weights[i] * curve[i].x;
        at.y += weights[i] * curve[i].y;
    }
    return at;
}

void path_curve(struct path *path, struct point first, struct point second, struct point end)
{
    const struct point curve[4] = {path->points[path->count - 1], first, second, end};
    for (int i = 1; i <= CURVE_STEPS; i++) {
        const struct point at = curve_at(curve, (double)i / CURVE_STEPS);
        path_line(path, at.x, at.y);
    }
}

void path_ellipse(struct path *path, double x, double y, double radius_x, double radius_y)
{
    path_begin(path, x + radius_x, y);
    for (int i = 1; i < ELLIPSE_STEPS; i++) {
        const double angle = 2 * RASTER_PI * i / ELLIPSE_STEPS;
        path_line(path, x + radius_x * cos(angle), y + radius_y * sin(angle));
    }
}

/* The point beside the curve at t, at right angles, on the side that `side` (1 or -1) says. */
static struct point beside(const struct point curve[4], double t, double thickness, double side)
{
    const struct point at = curve_at(curve, t);
    const struct point before = curve_at(curve, t - 0.01);
    const struct point after = curve_at(curve, t + 0.01);
    const double dx = after.x - before.x;
    const double dy = after.y - before.y;
    const double length = hypot(dx, dy);
    const double offset = length > 0 ? side * thickness / 2 * sqrt(sin(RASTER_PI * t)) / length : 0;
    return (struct point){at.x - dy * offset, at.y + dx * offset};
}

void path_stroke(struct path *path, const struct point curve[4], double thickness)
{
    path_begin(path, curve[0].x, curve[0].y);
    for (int i = 1; i < CURVE_STEPS; i++) {
        const struct point at = beside(curve, (double)i / CURVE_STEPS, thickness, 1);
        path_line(path, at.x, at.y);
    }
    path_line(path, curve[3].x, curve[3].y);
    for (int i = CURVE_STEPS - 1; i > 0; i--) {
        const struct point at = beside(curve, (double)i / CURVE_STEPS, thickness, -1);
        path_line(path, at.x, at.y);
    }
}

void strip_clear(struct strip *strip, struct colour colour)
{
    const size_t pixels = (size_t)strip->width * strip->lines;
    for (size_t i = 0; i < pixels; i++) {
        strip->rgb[3 * i] = colour.red;
        strip->rgb[3 * i + 1] = colour.green;
        strip->rgb[3 * i + 2] = colour.blue;
    }
}

/* Not fmin and fmax, which are calls and care about what is no number. */
static double lower(double a, double b)
{
    return a < b ? a : b;
}
static double higher(double a, double b)
{
    return a > b ? a : b;
}
static double clamp(double value, double low, double high)
{
    return lower(higher(value, low), high);
}

/* A line's coverage, as the change from each pixel to the next: the sum up to a pixel is its share. */
struct coverage {
    float change[RASTER_WIDTH_MAX + 2];
    unsigned first; /* pixels touched: first to last */
    unsigned last;
};

/*
 * An edge goes down through part of the line, from x `from` to `to`, and turns on `height` of coverage for
 * all that lies right of it. In each column it passes, the column itself gets the part right of the edge's
 * middle there.
 */
static void coverage_edge(struct coverage *coverage, double from, double to, double height)
{
    const double left = lower(from, to);
    const double right = higher(from, to);
    const unsigned first = (unsigned)left;
    const unsigned last = (unsigned)right;
    for (unsigned column = first; column <= last; column++) {
        const double begin = higher(left, column);
        const double end = lower(right, column + 1.0);
        const double share = right > left ? height * (end - begin) / (right - left) : height;
        const double inside = (begin + end) / 2 - column;
        coverage->change[column] += (float)(share * (1 - inside));
        coverage->change[column + 1] += (float)(share * inside);
    }
    coverage->first = first < coverage->first ? first : coverage->first;
    coverage->last = last + 1 > coverage->last ? last + 1 : coverage->last;
}

static void coverage_line(struct coverage *coverage, const struct path *path, double line, double width)
{
    for (size_t i = 0; i < path->count; i++) {
        const struct point a = path->points[i];
        const struct point b = path->points[i + 1 == path->count ? 0 : i + 1];
        if ((a.y <= line && b.y <= line) || (a.y >= line + 1 && b.y >= line + 1) || a.y == b.y) {
            continue;
        }
        const double top = higher(lower(a.y, b.y), line);
        const double bottom = lower(higher(a.y, b.y), line + 1);
        const double slope = (b.x - a.x) / (b.y - a.y);
        const double from = clamp(a.x + (top - a.y) * slope, 0, width);
        const double to = clamp(a.x + (bottom - a.y) * slope, 0, width);
        coverage_edge(coverage, from, to, b.y > a.y ? bottom - top : top - bottom);
    }
}

static uint8_t mixed(uint8_t under, uint8_t over, int share)
{
    return (uint8_t)(under + (((int)over - (int)under) * share + COVERAGE_FULL / 2) / COVERAGE_FULL);
}

static void pixel_mix(uint8_t *pixel, struct colour colour, float covered)
{
    const int share = (int)(covered * COVERAGE_FULL + 0.5f);
    pixel[0] = mixed(pixel[0], colour.red, share);
    pixel[1] = mixed(pixel[1], colour.green, share);
    pixel[2] = mixed(pixel[2], colour.blue, share);
}

/* Paints the line and leaves the coverage clean for the next. Nearly all pixels are all in or all out. */
static void coverage_paint(struct coverage *coverage, uint8_t *line, unsigned width, struct colour colour)
{
    static const float all = 0.999f;
    static const float none = 0.001f;
    float sum = 0;
    for (unsigned x = coverage->first; x <= coverage->last; x++) {
        uint8_t *pixel = line + 3 * (size_t)x;
        sum += coverage->change[x];
        coverage->change[x] = 0;
        const float covered = fabsf(sum);
        if (x >= width || covered < none) {
            continue;
        }
        if (covered > all) {
            pixel[0] = colour.red;
            pixel[1] = colour.green;
            pixel[2] = colour.blue;
        } else {
            pixel_mix(pixel, colour, covered);
        }
    }
    coverage->first = RASTER_WIDTH_MAX;
    coverage->last = 0;
}

void strip_fill(struct strip *strip, const struct path *path, struct colour colour)
{
    assert(strip->width <= RASTER_WIDTH_MAX);
    struct coverage coverage = {.first = RASTER_WIDTH_MAX};
    double top = path->points[0].y;
    double bottom = top;
    for (size_t i = 1; i < path->count; i++) {
        top = lower(top, path->points[i].y);
        bottom = higher(bottom, path->points[i].y);
    }
    const double first = higher(floor(top), strip->top);
    const double end = lower(ceil(bottom), (double)strip->top + strip->lines);
    for (double y = first; y < end; y++) {
        coverage_line(&coverage, path, y, strip->width);
        if (coverage.first <= coverage.last) {
            uint8_t *line = strip->rgb + (size_t)(y - strip->top) * strip->width * 3;
            coverage_paint(&coverage, line, strip->width, colour);
        }
    }
}
