#include "server/persona/face.h"

#include <math.h>

#include "server/persona/face_view.h"

static const double hair_top_y = -0.285;
static const double motion_y = 0.022; /* how far up or down anything gets from its place */

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

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void draw_wall(struct strip *strip, unsigned height)
{
    const struct view view = view_of(strip->width, height);
    strip_clear(strip, wall);
    view_fill_ellipse(strip, &view, (struct point){0, 0.03}, (struct point){0.40, 0.40}, wall_disc);
}

static void draw_hair_back(struct strip *strip, const struct view *head)
{
    static const struct point outline[] = {
        {-0.165, 0.175},                                    /* left end */
        {-0.250, 0.120}, {-0.235, -0.285}, {0.000, -0.285}, /* over the crown */
        {0.235, -0.285}, {0.250, 0.120},   {0.165, 0.175},  /* right end */
        {0.100, 0.215},  {-0.100, 0.215},  {-0.165, 0.175}, /* along the neck */
    };
    view_fill_curves(strip, head, outline, COUNT(outline), hair_back);
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

    view_fill_curves(strip, body, neck, COUNT(neck), skin);
    view_fill_curves(strip, body, shadow, COUNT(shadow), skin_shade);
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
    view_fill(strip, body, &path, jumper);
    view_fill_stroke(strip, body, collar, 0.020, jumper_dark);
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
    view_fill_curves(strip, head, outline, COUNT(outline), skin);
    view_fill_ellipse(strip, head, (struct point){-0.094, 0.066}, (struct point){0.029, 0.018}, skin_blush);
    view_fill_ellipse(strip, head, (struct point){0.094, 0.066}, (struct point){0.029, 0.018}, skin_blush);
}

static void draw_nose(struct strip *strip, const struct view *head)
{
    static const struct point bridge[] = {{0.012, -0.012}, {0.010, 0.022}, {0.028, 0.040}, {0.024, 0.062}};
    static const struct point tip[] = {{-0.024, 0.060}, {-0.018, 0.079}, {0.018, 0.079}, {0.025, 0.058}};
    view_fill_stroke(strip, head, bridge, 0.007, skin_shade);
    view_fill_stroke(strip, head, tip, 0.008, skin_shade);
}

struct eye {
    struct point at;
    double half;  /* width / 2 */
    double upper; /* how the lids curve, as the y of their control points */
    double lower;
};

/* Covers with skin what lies from the lid's curve to a straight edge beyond the eye. */
static void draw_lid(struct strip *strip, const struct view *head, const struct eye *eye, double curve,
                     double edge)
{
    const double x = eye->at.x;
    const double y = eye->at.y;
    struct path path;
    path_begin(&path, x - 1.2 * eye->half, y);
    path_line(&path, x - eye->half, y);
    path_curve(&path, (struct point){x - eye->half / 2, y + curve},
               (struct point){x + eye->half / 2, y + curve}, (struct point){x + eye->half, y});
    path_line(&path, x + 1.2 * eye->half, y);
    path_line(&path, x + 1.2 * eye->half, y + edge);
    path_line(&path, x - 1.2 * eye->half, y + edge);
    view_fill(strip, head, &path, skin);
}

/* The eye is drawn whole, then the lids cut it to shape. */
static void draw_open_eye(struct strip *strip, const struct view *head, const struct eye *eye)
{
    const double x = eye->at.x;
    const double y = eye->at.y;
    const double half = eye->half;
    const struct point fold[] = {
        {x - half, y - 0.012}, {x - half / 2, y - 0.036}, {x + half / 2, y - 0.036}, {x + half, y - 0.012}};
    view_fill_ellipse(strip, head, (struct point){x, y - 0.002}, (struct point){half, 0.023}, eye_white);
    view_fill_ellipse(strip, head, (struct point){x, y - 0.003}, (struct point){0.018, 0.018}, iris);
    view_fill_ellipse(strip, head, (struct point){x, y - 0.003}, (struct point){0.0092, 0.0092}, dark);
    view_fill_ellipse(strip, head, (struct point){x + 0.006, y - 0.009}, (struct point){0.0042, 0.0042},
                      eye_white);
    draw_lid(strip, head, eye, eye->upper, -0.031);
    draw_lid(strip, head, eye, eye->lower, 0.028);
    view_fill_stroke(strip, head, fold, 0.005, skin_shade);
}

/* `side` is -1 for the left eye and 1 for the right one. */
static void draw_eye(struct strip *strip, const struct view *head, double side, double lids)
{
    const struct eye eye = {
        .at = {0.064 * side, -0.012},
        .half = 0.035,
        .upper = -0.027 + lids * (0.017 + 0.027),
        .lower = 0.017,
    };
    const double x = eye.at.x;
    const double y = eye.at.y;
    const struct point lash[] = {{x - 1.1 * eye.half, y + 0.002},
                                 {x - eye.half / 2, y + eye.upper},
                                 {x + eye.half / 2, y + eye.upper},
                                 {x + 1.1 * eye.half, y + 0.002}};
    if (lids < 1) {
        draw_open_eye(strip, head, &eye);
    }
    view_fill_stroke(strip, head, lash, 0.0095, dark);
}

static void draw_brow(struct strip *strip, const struct view *head, double side)
{
    const struct point brow[] = {
        {0.024 * side, -0.068}, {0.050 * side, -0.088}, {0.085 * side, -0.086}, {0.108 * side, -0.062}};
    view_fill_stroke(strip, head, brow, 0.013, hair_back);
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
    view_fill_curves(strip, head, outline, COUNT(outline), hair);
    view_fill_stroke(strip, head, shine, 0.014, hair_shine);
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
    face_mouth_draw(strip, &head, pose->mouth);
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
