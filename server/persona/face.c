#include "server/persona/face.h"

#include <math.h>

/*
 * The drawing is made in units of the figure's size, with the origin in the middle of the head, x to the
 * right and y downwards. A view puts that on the picture: it leans the part about a pivot, shifts it and
 * scales it.
 */
struct view {
    double unit; /* pixels a unit */
    double x;    /* of the origin, pixels */
    double y;
    double shift_x; /* of this part, units */
    double shift_y;
    double lean_cos;
    double lean_sin;
};

static const double pivot_y = 0.27; /* the base of the neck */
static const double hair_top_y = -0.285;
static const double motion_y = 0.022; /* how far up or down anything gets from its place */
static const double sway_shift = 0.011;
static const double sway_lean = 0.045; /* radians */
static const double breath_rise = 0.008;

static const struct colour wall = {206, 224, 226};
static const struct colour wall_disc = {228, 238, 234};
static const struct colour hair = {74, 48, 42};
static const struct colour hair_back = {58, 37, 33};
static const struct colour hair_shine = {104, 69, 57};
static const struct colour skin = {241, 198, 166};
static const struct colour skin_shade = {216, 164, 132};
static const struct colour skin_blush = {240, 176, 150};
static const struct colour jumper = {43, 108, 128};
static const struct colour jumper_dark = {32, 84, 102};
static const struct colour eye_white = {252, 252, 250};
static const struct colour iris = {78, 112, 92};
static const struct colour dark = {38, 26, 26};
static const struct colour lips = {196, 84, 84};
static const struct colour lips_light = {218, 116, 108};
static const struct colour mouth_inside = {84, 20, 30};
static const struct colour tongue = {190, 82, 98};
static const struct colour teeth = {250, 247, 240};

/* The size of the figure follows the height, but its shoulders must fit the width. */
static struct view view_of(unsigned width, unsigned height)
{
    const double unit = fmin(height, 1.12 * width);
    return (struct view){
        .unit = unit,
        .x = width / 2.0,
        .y = 0.43 * unit + 0.45 * (height - unit),
        .lean_cos = 1,
    };
}

static struct view view_of_head(unsigned width, unsigned height, double sway)
{
    struct view view = view_of(width, height);
    view.shift_x = sway_shift * sway;
    view.shift_y = -breath_rise * sway * sway;
    view.lean_cos = cos(sway_lean * sway);
    view.lean_sin = sin(sway_lean * sway);
    return view;
}

static struct view view_of_body(unsigned width, unsigned height, double sway)
{
    struct view view = view_of(width, height);
    view.shift_x = sway_shift * sway / 3;
    view.shift_y = -breath_rise * sway * sway;
    return view;
}

/* Fills a path given in units. */
static void paint(struct strip *strip, const struct view *view, struct path *path, struct colour colour)
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

static void paint_ellipse(struct strip *strip, const struct view *view, struct point at, struct point radius,
                          struct colour colour)
{
    struct path path;
    path_ellipse(&path, at.x, at.y, radius.x, radius.y);
    paint(strip, view, &path, colour);
}

static void paint_stroke(struct strip *strip, const struct view *view, const struct point curve[4],
                         double thickness, struct colour colour)
{
    struct path path;
    path_stroke(&path, curve, thickness);
    paint(strip, view, &path, colour);
}

/* An outline of cubic curves: a start, then two control points and an end for each. */
static void paint_curves(struct strip *strip, const struct view *view, const struct point *points,
                         size_t count, struct colour colour)
{
    struct path path;
    path_begin(&path, points[0].x, points[0].y);
    for (size_t i = 1; i + 2 < count; i += 3) {
        path_curve(&path, points[i], points[i + 1], points[i + 2]);
    }
    paint(strip, view, &path, colour);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void draw_wall(struct strip *strip, unsigned height)
{
    const struct view view = view_of(strip->width, height);
    strip_clear(strip, wall);
    paint_ellipse(strip, &view, (struct point){0, 0.03}, (struct point){0.40, 0.40}, wall_disc);
}

static void draw_hair_back(struct strip *strip, const struct view *head)
{
    static const struct point outline[] = {
        {-0.165, 0.175},                                    /* left end */
        {-0.250, 0.120}, {-0.235, -0.285}, {0.000, -0.285}, /* over the crown */
        {0.235, -0.285}, {0.250, 0.120},   {0.165, 0.175},  /* right end */
        {0.100, 0.215},  {-0.100, 0.215},  {-0.165, 0.175}, /* along the neck */
    };
    paint_curves(strip, head, outline, COUNT(outline), hair_back);
}

static void draw_body(struct strip *strip, const struct view *body, unsigned height)
{
    static const struct point neck[] = {
        {-0.066, 0.080}, {-0.066, 0.140}, {-0.066, 0.200}, {-0.070, 0.225}, {-0.075, 0.256}, {-0.100, 0.270},
        {-0.132, 0.287}, {-0.110, 0.400}, {0.110, 0.400},  {0.132, 0.287},  {0.100, 0.270},  {0.075, 0.256},
        {0.070, 0.225},  {0.066, 0.200},  {0.066, 0.140},  {0.066, 0.080},
    };
    static const struct point shadow[] = {
        {-0.066, 0.080}, {-0.066, 0.140}, {-0.066, 0.180}, {-0.067, 0.205}, {-0.040, 0.262},
        {0.040, 0.262},  {0.067, 0.205},  {0.066, 0.180},  {0.066, 0.140},  {0.066, 0.080},
    };
    static const struct point collar[] = {{-0.121, 0.285}, {-0.075, 0.375}, {0.075, 0.375}, {0.121, 0.285}};
    /* Down to the stage's end and a bit, however far the breath lifts it. */
    const double bottom = (height - body->y) / body->unit + 2 * motion_y;
    struct path path;

    paint_curves(strip, body, neck, COUNT(neck), skin);
    paint_curves(strip, body, shadow, COUNT(shadow), skin_shade);
    path_begin(&path, -0.125, 0.283);
    path_curve(&path, (struct point){-0.230, 0.325}, (struct point){-0.345, 0.325},
               (struct point){-0.390, 0.425});
    path_curve(&path, (struct point){-0.415, 0.480}, (struct point){-0.430, 0.540},
               (struct point){-0.435, 0.600});
    path_line(&path, -0.440, fmax(bottom, 0.61));
    path_line(&path, 0.440, fmax(bottom, 0.61));
    path_line(&path, 0.435, 0.600);
    path_curve(&path, (struct point){0.430, 0.540}, (struct point){0.415, 0.480},
               (struct point){0.390, 0.425});
    path_curve(&path, (struct point){0.345, 0.325}, (struct point){0.230, 0.325},
               (struct point){0.125, 0.283});
    path_curve(&path, (struct point){0.075, 0.375}, (struct point){-0.075, 0.375},
               (struct point){-0.125, 0.283});
    paint(strip, body, &path, jumper);
    paint_stroke(strip, body, collar, 0.020, jumper_dark);
}

/* The chin sinks as the mouth opens. */
static double jaw_drop(double mouth)
{
    return 0.036 * mouth;
}

/* The cheeks stay where they are down to a hinge; from there the jaw runs on in the same direction to the
 * chin. */
static void draw_skull(struct strip *strip, const struct view *head, double mouth)
{
    const double drop = jaw_drop(mouth);
    const double chin = 0.205 + drop;
    const struct point hinge = {0.1237, 0.1089};
    const struct point jaw = {hinge.x - 0.0170 * (1.5 + 12 * drop), hinge.y + 0.0389 * (1.5 + 12 * drop)};
    const struct point outline[] = {
        {-0.150, -0.030}, /* left temple */
        {-0.150, 0.022},  {-0.1407, 0.070}, {-hinge.x, hinge.y},
        {-jaw.x, jaw.y},  {-0.055, chin},   {0.000, chin}, /* chin */
        {0.055, chin},    {jaw.x, jaw.y},   {hinge.x, hinge.y},
        {0.1407, 0.070},  {0.150, 0.022},   {0.150, -0.030}, /* right temple */
        {0.150, -0.150},  {0.090, -0.230},  {0.000, -0.230}, /* crown */
        {-0.090, -0.230}, {-0.150, -0.150}, {-0.150, -0.030},
    };
    paint_curves(strip, head, outline, COUNT(outline), skin);
    paint_ellipse(strip, head, (struct point){-0.094, 0.066}, (struct point){0.029, 0.018}, skin_blush);
    paint_ellipse(strip, head, (struct point){0.094, 0.066}, (struct point){0.029, 0.018}, skin_blush);
}

static void draw_nose(struct strip *strip, const struct view *head)
{
    static const struct point bridge[] = {{0.012, -0.012}, {0.010, 0.022}, {0.028, 0.040}, {0.024, 0.062}};
    static const struct point tip[] = {{-0.024, 0.060}, {-0.018, 0.079}, {0.018, 0.079}, {0.025, 0.058}};
    paint_stroke(strip, head, bridge, 0.007, skin_shade);
    paint_stroke(strip, head, tip, 0.008, skin_shade);
}

/*
 * The eye is drawn whole and then covered with skin above and below its opening, which cuts the iris to
 * shape. `side` is -1 for the left eye and 1 for the right one.
 */
static void draw_eye(struct strip *strip, const struct view *head, double side, double lids)
{
    const double x = 0.064 * side;
    const double y = -0.012;
    const double half = 0.035;
    const double lower = 0.017;
    const double upper = -0.027 + lids * (lower + 0.027);
    const struct point lash[] = {{x - 1.1 * half, y + 0.002},
                                 {x - half / 2, y + upper},
                                 {x + half / 2, y + upper},
                                 {x + 1.1 * half, y + 0.002}};
    const struct point fold[] = {
        {x - half, y - 0.012}, {x - half / 2, y - 0.036}, {x + half / 2, y - 0.036}, {x + half, y - 0.012}};
    struct path path;

    if (lids < 1) {
        paint_ellipse(strip, head, (struct point){x, y - 0.002}, (struct point){half, 0.023}, eye_white);
        paint_ellipse(strip, head, (struct point){x, y - 0.003}, (struct point){0.018, 0.018}, iris);
        paint_ellipse(strip, head, (struct point){x, y - 0.003}, (struct point){0.0092, 0.0092}, dark);
        paint_ellipse(strip, head, (struct point){x + 0.006, y - 0.009}, (struct point){0.0042, 0.0042},
                      eye_white);
        path_begin(&path, x - 1.2 * half, y);
        path_line(&path, x - half, y);
        path_curve(&path, (struct point){x - half / 2, y + upper}, (struct point){x + half / 2, y + upper},
                   (struct point){x + half, y});
        path_line(&path, x + 1.2 * half, y);
        path_line(&path, x + 1.2 * half, y - 0.031);
        path_line(&path, x - 1.2 * half, y - 0.031);
        paint(strip, head, &path, skin);
        path_begin(&path, x - 1.2 * half, y);
        path_line(&path, x - half, y);
        path_curve(&path, (struct point){x - half / 2, y + lower}, (struct point){x + half / 2, y + lower},
                   (struct point){x + half, y});
        path_line(&path, x + 1.2 * half, y);
        path_line(&path, x + 1.2 * half, y + 0.028);
        path_line(&path, x - 1.2 * half, y + 0.028);
        paint(strip, head, &path, skin);
        paint_stroke(strip, head, fold, 0.005, skin_shade);
    }
    paint_stroke(strip, head, lash, 0.0095, dark);
}

static void draw_brow(struct strip *strip, const struct view *head, double side)
{
    const struct point brow[] = {
        {0.024 * side, -0.068}, {0.050 * side, -0.088}, {0.085 * side, -0.086}, {0.108 * side, -0.062}};
    paint_stroke(strip, head, brow, 0.013, hair_back);
}

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
static void paint_mouth(struct strip *strip, const struct view *head, const struct mouth_shape *mouth,
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
    paint(strip, head, &path, colour);
}

static void draw_mouth(struct strip *strip, const struct view *head, double opening)
{
    const struct mouth_shape mouth = {
        .half = 0.065 - 0.010 * opening,
        .smile = 0.012 - 0.006 * opening,
        .open = 0.070 * opening,
    };
    paint_mouth(strip, head, &mouth, MOUTH_UPPER_OUTER, MOUTH_UPPER_INNER, 0, lips);
    paint_mouth(strip, head, &mouth, MOUTH_LOWER_INNER, MOUTH_LOWER_OUTER, 0, lips_light);
    if (opening > 0) {
        paint_mouth(strip, head, &mouth, MOUTH_UPPER_INNER, MOUTH_LOWER_INNER, 0, mouth_inside);
        paint_mouth(strip, head, &mouth, MOUTH_TONGUE, MOUTH_LOWER_INNER, 0.5, tongue);
        paint_mouth(strip, head, &mouth, MOUTH_UPPER_INNER, MOUTH_TEETH, 0.35, teeth);
    } else {
        const struct point line[] = {{-0.070, mouth_y - 0.002},
                                     {-0.030, mouth_y + 0.016},
                                     {0.030, mouth_y + 0.016},
                                     {0.070, mouth_y - 0.002}};
        paint_stroke(strip, head, line, 0.006, mouth_inside);
    }
}

static void draw_hair_front(struct strip *strip, const struct view *head)
{
    static const struct point outline[] = {
        {-0.160, 0.120},                                      /* left lock */
        {-0.215, 0.020},  {-0.215, -0.270}, {0.000, -0.278},  /* over the crown */
        {0.215, -0.270},  {0.215, 0.020},   {0.160, 0.120},   /* right lock */
        {0.146, 0.060},   {0.150, 0.000},   {0.138, -0.050},  /* its inner edge */
        {0.115, -0.110},  {0.020, -0.120},  {-0.050, -0.180}, /* fringe up to the parting */
        {-0.070, -0.130}, {-0.125, -0.110}, {-0.138, -0.045}, /* and down again */
        {-0.150, 0.000},  {-0.146, 0.060},  {-0.160, 0.120},
    };
    static const struct point shine[] = {{-0.010, -0.225}, {0.070, -0.220}, {0.130, -0.170}, {0.155, -0.080}};
    paint_curves(strip, head, outline, COUNT(outline), hair);
    paint_stroke(strip, head, shine, 0.014, hair_shine);
}

void face_draw(struct strip *strip, unsigned height, const struct pose *pose)
{
    const struct view head = view_of_head(strip->width, height, pose->sway);
    const struct view body = view_of_body(strip->width, height, pose->sway);
    draw_wall(strip, height);
    draw_hair_back(strip, &head);
    draw_body(strip, &body, height);
    draw_skull(strip, &head, pose->mouth);
    draw_nose(strip, &head);
    for (int side = -1; side <= 1; side += 2) {
        draw_eye(strip, &head, side, pose->lids);
        draw_brow(strip, &head, side);
    }
    draw_mouth(strip, &head, pose->mouth);
    draw_hair_front(strip, &head);
}

/* The lines from `top` to `end`, in units, with what motion adds; held to the stage. */
static struct band band_of(const struct view *view, double top, double end, unsigned height)
{
    const double first = view->y + (top - motion_y) * view->unit - 1;
    const double last = view->y + (end + motion_y) * view->unit + 1;
    return (struct band){
        .top = (unsigned)fmax(floor(first), 0),
        .end = (unsigned)fmin(ceil(last), height),
    };
}

struct face_bands face_bands(unsigned width, unsigned height)
{
    const struct view view = view_of(width, height);
    return (struct face_bands){
        .still = {.top = 0, .end = band_of(&view, hair_top_y, 1, height).top},
        .lids = band_of(&view, -0.050, 0.020, height),
        .mouth = band_of(&view, 0.095, 0.245, height),
    };
}
