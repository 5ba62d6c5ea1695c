#include "codec/media/jpeg.h"

#include <setjmp.h>
#include <stdio.h> /* jpeglib.h needs FILE and size_t */
#include <stdlib.h>

#include <jpeglib.h>

enum {
    ENCODE_STEP_BYTES = 32768, /* how much room libjpeg gets at a time */
    SCANS_MAX = 64             /* a progressive picture of more scans than this is an attack on our time */
};

/* libjpeg's way to report a failure is a jump; anything it says at or above a warning takes it. */
struct jump {
    struct jpeg_error_mgr manager; /* first, so that libjpeg's pointer is ours too */
    jmp_buf back;
};

static void jump_error(j_common_ptr common)
{
    struct jump *jump = (struct jump *)(void *)common->err;
    longjmp(jump->back, 1);
}

static void jump_message(j_common_ptr common, int level)
{
    if (level < 0) {
        jump_error(common);
    }
}

static void jump_output(j_common_ptr common)
{
    (void)common;
}

static struct jpeg_error_mgr *jump_init(struct jump *jump)
{
    jpeg_std_error(&jump->manager);
    jump->manager.error_exit = jump_error;
    jump->manager.emit_message = jump_message;
    jump->manager.output_message = jump_output;
    return &jump->manager;
}

bool picture_init(struct picture *picture, unsigned width, unsigned height)
{
    if (width == 0 || height == 0 || width > JPEG_SIDE_MAX || height > JPEG_SIDE_MAX) {
        return false;
    }
    uint8_t *rgb = calloc((size_t)width * height, 3);
    if (rgb == NULL) {
        return false;
    }
    *picture = (struct picture){.width = width, .height = height, .rgb = rgb};
    return true;
}

void picture_free(struct picture *picture)
{
    free(picture->rgb);
    *picture = (struct picture){.rgb = NULL};
}

/*
 * A destination that lets libjpeg write straight into the buffer. libjpeg asks for more room as soon as it
 * has none, even when nothing more will come; with the buffer full it gets a byte to spare, and fails if it
 * uses it.
 */
struct destination {
    struct jpeg_destination_mgr manager; /* first, as above */
    struct buffer *out;
    size_t step; /* bytes given to libjpeg and not yet counted in `out` */
    uint8_t spare;
};

static struct destination *destination_of(j_compress_ptr compress)
{
    return (struct destination *)(void *)compress->dest;
}

static void destination_more(j_compress_ptr compress)
{
    struct destination *destination = destination_of(compress);
    const size_t left = destination->out->len_max - destination->out->len;
    destination->step = left < ENCODE_STEP_BYTES ? left : ENCODE_STEP_BYTES;
    uint8_t *room = left == 0 ? &destination->spare : buffer_reserve(destination->out, destination->step);
    if (room == NULL) {
        jump_error((j_common_ptr)compress);
    }
    destination->manager.next_output_byte = room;
    destination->manager.free_in_buffer = left == 0 ? 1 : destination->step;
}

static boolean destination_full(j_compress_ptr compress)
{
    struct destination *destination = destination_of(compress);
    if (destination->step == 0) {
        jump_error((j_common_ptr)compress); /* the spare byte is gone */
    }
    destination->out->len += destination->step;
    destination_more(compress);
    return TRUE;
}

static void destination_end(j_compress_ptr compress)
{
    struct destination *destination = destination_of(compress);
    if (destination->step > 0) {
        destination->out->len += destination->step - destination->manager.free_in_buffer;
    }
}

static void compress_run(j_compress_ptr compress, const struct picture *picture, int quality)
{
    compress->image_width = picture->width;
    compress->image_height = picture->height;
    compress->input_components = 3;
    compress->in_color_space = JCS_RGB;
    jpeg_set_defaults(compress); /* YCbCr 4:2:0, the standard Huffman tables */
    jpeg_set_quality(compress, quality, TRUE);
    compress->restart_in_rows = 1;
    jpeg_start_compress(compress, TRUE);
    while (compress->next_scanline < compress->image_height) {
        JSAMPROW row = picture->rgb + (size_t)compress->next_scanline * picture->width * 3;
        jpeg_write_scanlines(compress, &row, 1);
    }
    jpeg_finish_compress(compress);
}

bool jpeg_encode(const struct picture *picture, int quality, struct buffer *out)
{
    const size_t len_before = out->len;
    struct jpeg_compress_struct compress = {0};
    struct jump jump;
    struct destination destination = {
        .manager = {.init_destination = destination_more,
                    .empty_output_buffer = destination_full,
                    .term_destination = destination_end},
        .out = out,
    };
    compress.err = jump_init(&jump);
    if (setjmp(jump.back) != 0) {
        jpeg_destroy_compress(&compress);
        out->len = len_before;
        return false;
    }
    jpeg_create_compress(&compress);
    compress.dest = &destination.manager;
    compress_run(&compress, picture, quality);
    jpeg_destroy_compress(&compress);
    return true;
}

/* Called between scans and rows: the place to stop a picture that has too many of them. */
static void scans_limit(j_common_ptr common)
{
    const struct jpeg_decompress_struct *decompress = (const struct jpeg_decompress_struct *)(void *)common;
    if (decompress->input_scan_number > SCANS_MAX) {
        jump_error(common);
    }
}

static void decompress_open(j_decompress_ptr decompress, struct bytes jpeg)
{
    jpeg_create_decompress(decompress);
    jpeg_mem_src(decompress, jpeg.data, (unsigned long)jpeg.len);
    jpeg_read_header(decompress, TRUE);
}

/* How many begin in it. In the scans themselves no marker has this code, so none is missed; a preview in an
 * application's segment has its own, which counts too. */
static size_t scans_count(struct bytes jpeg)
{
    enum { MARKER = 0xff, START_OF_SCAN = 0xda };
    size_t count = 0;
    for (size_t at = 0; at + 1 < jpeg.len; at++) {
        const uint8_t *marker = memchr(jpeg.data + at, MARKER, jpeg.len - 1 - at);
        if (marker == NULL) {
            break;
        }
        at = (size_t)(marker - jpeg.data);
        count += marker[1] == START_OF_SCAN ? 1 : 0;
    }
    return count;
}

/* Before libjpeg sets memory aside for it, and before a scan is decoded: each goes over all of the picture.
 */
static void work_limit(j_decompress_ptr decompress, struct bytes jpeg)
{
    const uint64_t pixels = (uint64_t)decompress->image_width * decompress->image_height;
    if (decompress->image_width > JPEG_SIDE_MAX || decompress->image_height > JPEG_SIDE_MAX ||
        pixels * scans_count(jpeg) > JPEG_WORK_MAX) {
        jump_error((j_common_ptr)decompress);
    }
}

static void decompress_run(j_decompress_ptr decompress, struct picture *picture)
{
    decompress->out_color_space = JCS_RGB;
    jpeg_start_decompress(decompress);
    if (!picture_init(picture, decompress->output_width, decompress->output_height)) {
        jump_error((j_common_ptr)decompress); /* too large, or no memory */
    }
    while (decompress->output_scanline < decompress->output_height) {
        JSAMPROW row = picture->rgb + (size_t)decompress->output_scanline * picture->width * 3;
        jpeg_read_scanlines(decompress, &row, 1);
    }
    jpeg_finish_decompress(decompress);
}

bool jpeg_decode(struct bytes jpeg, struct picture *out)
{
    struct jpeg_decompress_struct decompress = {0};
    struct jpeg_progress_mgr progress = {.progress_monitor = scans_limit};
    struct jump jump;
    /* On the heap, because it changes after setjmp and its value must outlive the jump. */
    struct picture *picture = jpeg.len == 0 ? NULL : calloc(1, sizeof *picture);
    if (picture == NULL) {
        return false;
    }
    decompress.err = jump_init(&jump);
    if (setjmp(jump.back) != 0) {
        jpeg_destroy_decompress(&decompress);
        picture_free(picture);
        free(picture);
        return false;
    }
    decompress_open(&decompress, jpeg);
    decompress.progress = &progress;
    work_limit(&decompress, jpeg);
    decompress_run(&decompress, picture);
    jpeg_destroy_decompress(&decompress);
    *out = *picture;
    free(picture);
    return true;
}

/* All the bytes are read, but an eighth of the lines and columns is made of them, and no colour. */
static void check_run(j_decompress_ptr decompress)
{
    decompress->out_color_space =
        decompress->num_components == 4 ? JCS_RGB : JCS_GRAYSCALE; /* as jpeg_decode, which takes no CMYK */
    decompress->scale_num = 1;
    decompress->scale_denom = 8;
    jpeg_start_decompress(decompress);
    JSAMPROW row = (*decompress->mem->alloc_small)((j_common_ptr)decompress, JPOOL_IMAGE,
                                                   (size_t)decompress->output_width *
                                                       (size_t)decompress->output_components);
    while (decompress->output_scanline < decompress->output_height) {
        jpeg_read_scanlines(decompress, &row, 1);
    }
    jpeg_finish_decompress(decompress);
}

bool jpeg_check(struct bytes jpeg, unsigned *width, unsigned *height)
{
    struct jpeg_decompress_struct decompress = {0};
    struct jpeg_progress_mgr progress = {.progress_monitor = scans_limit};
    struct jump jump;
    if (jpeg.len == 0) {
        return false;
    }
    decompress.err = jump_init(&jump);
    if (setjmp(jump.back) != 0) {
        jpeg_destroy_decompress(&decompress);
        return false;
    }
    decompress_open(&decompress, jpeg);
    decompress.progress = &progress;
    work_limit(&decompress, jpeg);
    check_run(&decompress);
    *width = decompress.image_width;
    *height = decompress.image_height;
    jpeg_destroy_decompress(&decompress);
    return true;
}

bool jpeg_probe(struct bytes jpeg, unsigned *width, unsigned *height)
{
    struct jpeg_decompress_struct decompress = {0};
    struct jump jump;
    if (jpeg.len == 0) {
        return false;
    }
    decompress.err = jump_init(&jump);
    if (setjmp(jump.back) != 0) {
        jpeg_destroy_decompress(&decompress);
        return false;
    }
    decompress_open(&decompress, jpeg);
    *width = decompress.image_width;
    *height = decompress.image_height;
    jpeg_destroy_decompress(&decompress);
    return true;
}

bool jpeg_picture_size(void *context, struct bytes jpeg, unsigned *width, unsigned *height)
{
    (void)context;
    return jpeg_check(jpeg, width, height);
}
