/* Looking at the pictures of a server. */
#include <stdlib.h>

#include "codec/media/block_code.h"
#include "codec/media/jpeg.h"
#include "conformance/server/host/server_host.h"

enum { LARGE_WIDTH = 480, CAMERA_WIDTH = 640, CAMERA_HEIGHT = 480, CAMERA_QUALITY = 60 };

/* Soft stripes: something to look at, and a picture of some ten thousand bytes. */
bool server_picture_make(struct buffer *out)
{
    struct picture picture;
    if (!picture_init(&picture, CAMERA_WIDTH, CAMERA_HEIGHT))
        return false;
    for (unsigned y = 0; y < CAMERA_HEIGHT; y++) {
        for (unsigned x = 0; x < CAMERA_WIDTH; x++) {
            uint8_t *rgb = picture.rgb + ((size_t)y * CAMERA_WIDTH + x) * 3;
            rgb[0] = (uint8_t)(x * 255 / CAMERA_WIDTH);
            rgb[1] = (uint8_t)(y * 255 / CAMERA_HEIGHT);
            rgb[2] = (uint8_t)((x + y) / 2 % 256);
        }
    }
    const bool good = jpeg_encode(&picture, CAMERA_QUALITY, out);
    picture_free(&picture);
    return good;
}

/* The lines above a code in the lowest rows, which changes with every frame. */
static unsigned lines_of_face(const struct picture *picture)
{
    struct block_code code;
    const unsigned lines = block_code_rows(picture->width) * BLOCK_CODE_CELL_PIXELS;
    return block_code_read(picture, &code) && lines < picture->height ? picture->height - lines
                                                                      : picture->height;
}

/* Every second column and row of a large picture. */
static uint8_t *grey_of(const struct picture *picture, unsigned *width, unsigned *height)
{
    const unsigned step = picture->width >= LARGE_WIDTH ? 2 : 1;
    *width = picture->width / step;
    *height = lines_of_face(picture) / step;
    uint8_t *grey = malloc((size_t)*width * *height + 1);
    for (unsigned y = 0; grey != NULL && y < *height; y++) {
        for (unsigned x = 0; x < *width; x++) {
            const uint8_t *rgb = picture->rgb + ((size_t)step * y * picture->width + (size_t)step * x) * 3;
            grey[(size_t)y * *width + x] = (uint8_t)((rgb[0] * 2 + rgb[1] * 5 + rgb[2]) / 8);
        }
    }
    return grey;
}

static void compare(const uint8_t *a, const uint8_t *b, unsigned width, unsigned height,
                    double cells[MOTION_CELLS])
{
    uint64_t sums[MOTION_CELLS] = {0}, counts[MOTION_CELLS] = {0};
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x++) {
            const size_t cell =
                (size_t)y * MOTION_ROWS / height * MOTION_COLUMNS + (size_t)x * MOTION_COLUMNS / width;
            const int change = (int)a[(size_t)y * width + x] - (int)b[(size_t)y * width + x];
            sums[cell] += (uint64_t)(change * change);
            counts[cell]++;
        }
    }
    for (size_t i = 0; i < MOTION_CELLS; i++)
        cells[i] = counts[i] == 0 ? 0 : (double)sums[i] / (double)counts[i];
}

bool server_picture_motion(void *context, struct bytes jpeg, bool first, double cells[MOTION_CELLS])
{
    struct server_pictures *pictures = context;
    struct picture picture;
    unsigned width = 0, height = 0;
    if (!jpeg_decode(jpeg, &picture))
        return false;
    uint8_t *grey = grey_of(&picture, &width, &height);
    picture_free(&picture);
    const bool alike =
        grey != NULL && pictures->grey != NULL && width == pictures->width && height == pictures->height;
    if (!first && alike)
        compare(grey, pictures->grey, width, height, cells);
    free(pictures->grey);
    pictures->grey = grey;
    pictures->width = width;
    pictures->height = height;
    return grey != NULL && (first || alike);
}
