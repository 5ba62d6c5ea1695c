#include "server/persona/persona.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "codec/wire/text.h"
#include "server/persona/code_rows.h"
#include "server/persona/face.h"
#include "server/persona/pose.h"

enum {
    ROW_LINES = 16,
    BAND_EDGES = 6, /* three bands, two edges each */
    SECTIONS_MAX = BAND_EDGES + 1,
    JPEG_BYTES_MAX = 64 << 20, /* far above any strip; only so that a buffer has a limit */
    MARKER_RESTART = 0xD0,
    MARKER_SOF0 = 0xC0,
    MARKER_SOS = 0xDA
};

/* Rows with their restart markers, one after each row. Never empty once made. */
struct strip_bytes {
    uint8_t *data;
    size_t len;
};

/*
 * The stage is cut at the edges of the bands that move, so that within a section all rows change with the
 * same things. For each combination of these a section has its bytes.
 */
struct section {
    unsigned first; /* rows */
    unsigned end;
    unsigned sways; /* how many steps of each it knows; 1 when it does not change with that */
    unsigned lids;
    unsigned mouths;
    struct strip_bytes *strips; /* [sways][lids][mouths], made when needed */
};

/*
 * The block code's rows as they were made last, by frame number: silence of many sessions shows the same code
 * again and again, as long as they began within KEPT_CODES frames of each other.
 */
enum { KEPT_CODES = 64 };
struct kept_code {
    struct block_code code;
    struct buffer rows; /* empty: none yet */
};

struct persona {
    unsigned width;
    unsigned height;
    struct persona *half; /* made when asked for */
    unsigned stage_rows;  /* above the block code */
    struct buffer header; /* SOI to SOS */
    struct code_strings strings;
    struct kept_code codes[KEPT_CODES];
    struct section sections[SECTIONS_MAX];
    size_t section_count;
    size_t prepared_section; /* where persona_prepare goes on */
    size_t prepared_strip;
    size_t bytes;
};

static bool fail(char error[PERSONA_ERROR_MAX], unsigned width, unsigned height, const char *why)
{
    struct text text = text_of(error, PERSONA_ERROR_MAX);
    text_add(&text, "a picture of ");
    text_add_u64(&text, width);
    text_add(&text, "x");
    text_add_u64(&text, height);
    text_add(&text, why);
    return false;
}

static bool side_fits(unsigned side)
{
    return side >= PERSONA_SIDE_MIN && side <= PERSONA_SIDE_MAX && side % PERSONA_SIDE_STEP == 0;
}

unsigned persona_height_min(unsigned width)
{
    const unsigned twice = block_code_rows(width) * ROW_LINES * 2;
    return twice < PERSONA_SIDE_MIN ? PERSONA_SIDE_MIN : twice;
}

static bool too_low(char error[PERSONA_ERROR_MAX], unsigned width, unsigned height)
{
    char why[PERSONA_ERROR_MAX];
    struct text text = text_of(why, sizeof why);
    text_add(&text, ": that wide it must be at least ");
    text_add_u64(&text, persona_height_min(width));
    text_add(&text, " high, as its block code may take half of it");
    return fail(error, width, height, why);
}

bool persona_size_fits(unsigned width, unsigned height, char error[PERSONA_ERROR_MAX])
{
    static_assert(PERSONA_SIDE_MIN == 160 && PERSONA_SIDE_MAX == 2048 && PERSONA_SIDE_STEP == 16,
                  "the sentence below says so");
    if (!side_fits(width) || !side_fits(height)) {
        return fail(error, width, height, ": each side must be a multiple of 16 from 160 to 2048");
    }
    return height >= persona_height_min(width) || too_low(error, width, height);
}

/* Where the entropy-coded data begins: after the SOS segment. 0 when there is none. */
static size_t header_length(struct bytes jpeg)
{
    size_t at = 2;
    while (jpeg.len - at >= 4 && jpeg.data[at] == 0xFF) {
        const size_t next = at + 2 + ((size_t)jpeg.data[at + 2] << 8 | jpeg.data[at + 3]);
        if (next > jpeg.len) {
            return 0;
        }
        if (jpeg.data[at + 1] == MARKER_SOS) {
            return next;
        }
        at = next;
    }
    return 0;
}

static bool header_set_height(struct buffer *header, unsigned height)
{
    enum { SOF_HEIGHT_OFFSET = 5 }; /* after marker, length and precision */
    for (size_t at = 2; at + SOF_HEIGHT_OFFSET + 2 <= header->len;) {
        if (header->data[at + 1] == MARKER_SOF0) {
            header->data[at + SOF_HEIGHT_OFFSET] = (uint8_t)(height >> 8);
            header->data[at + SOF_HEIGHT_OFFSET + 1] = (uint8_t)height;
            return true;
        }
        at += 2 + ((size_t)header->data[at + 2] << 8 | header->data[at + 3]);
    }
    return false;
}

/* Draws and encodes rows `first` up to `end` in that pose. */
static bool rows_encode(const struct persona *persona, unsigned first, unsigned end, const struct pose *pose,
                        struct buffer *jpeg)
{
    struct picture picture;
    if (!picture_init(&picture, persona->width, (end - first) * ROW_LINES)) {
        return false;
    }
    struct strip strip = {
        .rgb = picture.rgb, .width = picture.width, .top = first * ROW_LINES, .lines = picture.height};
    face_draw(&strip, persona->stage_rows * ROW_LINES, pose);
    const bool encoded = jpeg_encode(&picture, PERSONA_QUALITY, jpeg);
    picture_free(&picture);
    return encoded;
}

/*
 * Takes the data of a strip's JPEG and numbers its markers as row `first` of the whole picture needs it. A
 * marker after the last row takes the place of the end of the image.
 */
static bool strip_take(struct strip_bytes *strip, struct bytes jpeg, unsigned first)
{
    const size_t begin = header_length(jpeg);
    if (begin == 0 || jpeg.len - begin <= 2) {
        return false;
    }
    const size_t len = jpeg.len - begin;
    uint8_t *data = malloc(len);
    if (data == NULL) {
        return false;
    }
    memcpy(data, jpeg.data + begin, len);
    unsigned row = first;
    for (size_t i = 0; i + 1 < len; i++) {
        if (data[i] == 0xFF && data[i + 1] != 0) {
            data[i + 1] = (uint8_t)(MARKER_RESTART + row % 8);
            row++;
            i++;
        }
    }
    *strip = (struct strip_bytes){.data = data, .len = len};
    return true;
}

static bool section_make(struct persona *persona, const struct section *section, const struct pose *pose,
                         struct strip_bytes *strip)
{
    struct buffer jpeg;
    buffer_init(&jpeg, JPEG_BYTES_MAX);
    const bool made = rows_encode(persona, section->first, section->end, pose, &jpeg) &&
                      strip_take(strip, buffer_bytes(&jpeg), section->first);
    if (made) {
        persona->bytes += strip->len;
    }
    buffer_free(&jpeg);
    return made;
}

/* The bytes of a section in that pose, made now if need be; NULL when that fails. */
static const struct strip_bytes *section_strip(struct persona *persona, struct section *section,
                                               struct pose_steps steps, unsigned mouth)
{
    const unsigned sway = section->sways > 1 ? steps.sway : POSE_SWAYS / 2;
    const unsigned sway_index = section->sways > 1 ? steps.sway : 0;
    const unsigned lids = section->lids > 1 ? steps.lids : 0;
    const unsigned level = section->mouths > 1 ? mouth : 0;
    struct strip_bytes *strip =
        &section->strips[((size_t)sway_index * section->lids + lids) * section->mouths + level];
    if (strip->data == NULL) {
        const struct pose pose = {
            .sway = pose_sway(sway),
            .lids = pose_lids(lids),
            .mouth = (double)level / (PERSONA_MOUTH_LEVELS - 1),
        };
        if (!section_make(persona, section, &pose, strip)) {
            return NULL;
        }
    }
    return strip;
}

static size_t section_strip_count(const struct section *section)
{
    return (size_t)section->sways * section->lids * section->mouths;
}

static bool section_init(struct persona *persona, unsigned first, unsigned end, const struct band bands[3])
{
    struct section *section = &persona->sections[persona->section_count];
    bool within[3];
    for (int i = 0; i < 3; i++) {
        within[i] = first >= bands[i].top && end <= bands[i].end;
    }
    *section = (struct section){
        .first = first,
        .end = end,
        .sways = within[0] ? 1 : POSE_SWAYS,
        .lids = within[1] ? POSE_LIDS : 1,
        .mouths = within[2] ? PERSONA_MOUTH_LEVELS : 1,
    };
    section->strips = calloc(section_strip_count(section), sizeof *section->strips);
    if (section->strips == NULL) {
        return false;
    }
    persona->section_count++;
    persona->bytes += section_strip_count(section) * sizeof *section->strips;
    return true;
}

/* Whole rows that hold the band. */
static struct band rows_around(struct band lines)
{
    return (struct band){lines.top / ROW_LINES, (lines.end + ROW_LINES - 1) / ROW_LINES};
}

static bool sections_init(struct persona *persona)
{
    const struct face_bands lines = face_bands(persona->width, persona->stage_rows * ROW_LINES);
    const struct band bands[3] = {
        {0, lines.still.end / ROW_LINES}, rows_around(lines.lids), rows_around(lines.mouth)};
    unsigned first = 0;
    while (first < persona->stage_rows) {
        unsigned end = persona->stage_rows;
        for (int i = 0; i < 3; i++) {
            end = bands[i].top > first && bands[i].top < end ? bands[i].top : end;
            end = bands[i].end > first && bands[i].end < end ? bands[i].end : end;
        }
        if (!section_init(persona, first, end, bands)) {
            return false;
        }
        first = end;
    }
    return true;
}

/* The header comes from a picture of one row, which differs from the whole one in nothing but its height. */
static bool header_init(struct persona *persona, unsigned height)
{
    struct buffer jpeg;
    const struct pose pose = {.sway = 0};
    buffer_init(&jpeg, JPEG_BYTES_MAX);
    bool ok = rows_encode(persona, 0, 1, &pose, &jpeg);
    ok = ok && buffer_append(&persona->header, bytes_of(jpeg.data, header_length(buffer_bytes(&jpeg)))) &&
         header_set_height(&persona->header, height) &&
         code_strings_init(&persona->strings, buffer_bytes(&persona->header));
    buffer_free(&jpeg);
    return ok;
}

struct persona *persona_new(unsigned width, unsigned height, char error[PERSONA_ERROR_MAX])
{
    if (!persona_size_fits(width, height, error)) {
        return NULL;
    }
    struct persona *persona = calloc(1, sizeof *persona);
    if (persona == NULL) {
        fail(error, width, height, ": out of memory");
        return NULL;
    }
    persona->width = width;
    persona->height = height;
    persona->stage_rows = height / ROW_LINES - block_code_rows(width);
    buffer_init(&persona->header, JPEG_BYTES_MAX);
    for (size_t n = 0; n < KEPT_CODES; n++)
        buffer_init(&persona->codes[n].rows, JPEG_BYTES_MAX);
    if (!header_init(persona, height) || !sections_init(persona)) {
        fail(error, width, height, ": out of memory");
        persona_free(persona);
        return NULL;
    }
    persona->bytes += sizeof *persona + persona->header.capacity;
    return persona;
}

void persona_free(struct persona *persona)
{
    if (persona == NULL) {
        return;
    }
    for (size_t i = 0; i < persona->section_count; i++) {
        const size_t count = section_strip_count(&persona->sections[i]);
        for (size_t k = 0; k < count; k++) {
            free(persona->sections[i].strips[k].data);
        }
        free(persona->sections[i].strips);
    }
    for (size_t n = 0; n < KEPT_CODES; n++)
        buffer_free(&persona->codes[n].rows);
    buffer_free(&persona->header);
    persona_free(persona->half); /* which has none of its own */
    free(persona);
}

unsigned persona_width(const struct persona *persona)
{
    return persona->width;
}

unsigned persona_height(const struct persona *persona)
{
    return persona->height;
}

static unsigned side_part(unsigned side, unsigned eighths)
{
    const unsigned part = side * eighths / 8;
    return part - part % PERSONA_SIDE_STEP;
}

struct persona *persona_half(struct persona *persona)
{
    char error[PERSONA_ERROR_MAX];
    static const unsigned eighths[] = {4, 5, 6, 7, 10, 12};
    for (size_t i = 0; i < sizeof eighths / sizeof eighths[0] && persona->half == NULL; i++) {
        persona->half =
            persona_new(side_part(persona->width, eighths[i]), side_part(persona->height, eighths[i]), error);
    }
    return persona->half != NULL ? persona->half : persona;
}

static unsigned mouth_level(double opening)
{
    if (!(opening > 0)) {
        return 0; /* also what is no number */
    }
    return opening >= 1 ? PERSONA_MOUTH_LEVELS - 1 : (unsigned)lround(opening * (PERSONA_MOUTH_LEVELS - 1));
}

bool persona_begin(const struct persona *persona, struct buffer *out)
{
    return buffer_append(out, buffer_bytes(&persona->header));
}

bool persona_face(struct persona *persona, uint64_t idle_tick, double mouth_opening,
                  struct bytes spans[PERSONA_SPANS_MAX], size_t *count)
{
    static_assert((int)PERSONA_SPANS_MAX >= (int)SECTIONS_MAX, "one span a section");
    const struct pose_steps steps = pose_steps_at(idle_tick);
    const unsigned mouth = mouth_level(mouth_opening);
    for (size_t i = 0; i < persona->section_count; i++) {
        const struct strip_bytes *strip = section_strip(persona, &persona->sections[i], steps, mouth);
        if (strip == NULL) {
            return false;
        }
        spans[i] = bytes_of(strip->data, strip->len);
    }
    *count = persona->section_count;
    return true;
}

static bool codes_equal(const struct block_code *a, const struct block_code *b)
{
    return a->frame_number == b->frame_number && a->interaction == b->interaction &&
           a->sample_position == b->sample_position;
}

bool persona_end(struct persona *persona, const struct block_code *code, struct buffer *out)
{
    static const uint8_t end_of_image[] = {0xFF, 0xD9};
    struct kept_code *kept = &persona->codes[code->frame_number % KEPT_CODES];
    if (kept->rows.len == 0 || !codes_equal(&kept->code, code)) {
        buffer_clear(&kept->rows);
        if (!code_rows_append(&persona->strings, code, persona->width, persona->stage_rows, &kept->rows) ||
            !buffer_append(&kept->rows, bytes_of(end_of_image, sizeof end_of_image))) {
            buffer_clear(&kept->rows);
            return false;
        }
        kept->code = *code;
    }
    return buffer_append(out, buffer_bytes(&kept->rows));
}

bool persona_picture(struct persona *persona, uint64_t idle_tick, double mouth_opening,
                     const struct block_code *code, struct buffer *out)
{
    struct bytes spans[PERSONA_SPANS_MAX];
    size_t count = 0;
    const size_t len_before = out->len;
    bool ok = persona_face(persona, idle_tick, mouth_opening, spans, &count) && persona_begin(persona, out);
    for (size_t i = 0; i < count && ok; i++) {
        ok = buffer_append(out, spans[i]);
    }
    if (!ok || !persona_end(persona, code, out)) {
        out->len = len_before;
        return false;
    }
    return true;
}

/* The pose of a section's strip by its index: see section_strip. */
static bool section_prepare(struct persona *persona, struct section *section, size_t index)
{
    const size_t rest = index / section->mouths;
    const struct pose_steps steps = {.sway = (unsigned)(rest / section->lids),
                                     .lids = (unsigned)(rest % section->lids)};
    return section_strip(persona, section, steps, (unsigned)(index % section->mouths)) != NULL;
}

bool persona_prepare(struct persona *persona)
{
    while (persona->prepared_section < persona->section_count) {
        struct section *section = &persona->sections[persona->prepared_section];
        if (persona->prepared_strip == section_strip_count(section)) {
            persona->prepared_section++;
            persona->prepared_strip = 0;
            continue;
        }
        const size_t index = persona->prepared_strip++;
        if (section->strips[index].data == NULL) {
            return section_prepare(persona, section, index);
        }
    }
    return false;
}

double persona_mouth_opening(double loudness, double scale)
{
    static const double quiet = 0.008; /* breath and room: the mouth stays shut */
    static const double loud = 0.20;   /* a loud vowel opens it wide */
    if (!(loudness > quiet) || !(scale > 0)) {
        return 0;
    }
    /* Loudness is heard by its logarithm, but a square root is near enough and kind to small values. */
    const double opening = sqrt(fmin((loudness - quiet) / (loud - quiet), 1));
    return fmin(opening * scale, 1);
}

size_t persona_bytes(const struct persona *persona)
{
    return persona->bytes;
}
