#define _XOPEN_SOURCE 700
#include "client/app/pictures.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "codec/duplex/constants.h"
#include "codec/media/jpeg.h"

enum { PATH_BYTES_MAX = 4096, GREY = 0x80, WIDTH = 320, HEIGHT = 240, QUALITY = 80 };

static bool fail(char error[PICTURES_ERROR_MAX], const char *path, const char *why)
{
    snprintf(error, PICTURES_ERROR_MAX, "%.300s: %.180s", path, why);
    return false;
}

static int is_jpeg(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && dot != entry->d_name &&
           (strcasecmp(dot, ".jpg") == 0 || strcasecmp(dot, ".jpeg") == 0);
}

/* Appends the whole file. */
static bool read_file(const char *path, struct buffer *out, char error[PICTURES_ERROR_MAX])
{
    FILE *file = fopen(path, "rb");
    uint8_t piece[65536];
    size_t got = 0;
    const size_t before = out->len;
    if (file == NULL)
        return fail(error, path, strerror(errno));
    bool good = true;
    while (good && (got = fread(piece, 1, sizeof piece, file)) > 0) {
        good = out->len - before + got <= DUPLEX_PICTURE_BYTES_MAX || fail(error, path, "more than 4 MiB");
        good = good && (buffer_append(out, bytes_of(piece, got)) ||
                        fail(error, path, "the pictures of the folder have more than 256 MiB"));
    }
    if (good && ferror(file) != 0)
        good = fail(error, path, strerror(errno));
    fclose(file);
    return good;
}

static bool add_file(struct pictures *pictures, const char *path, char error[PICTURES_ERROR_MAX])
{
    unsigned width = 0, height = 0;
    const size_t before = pictures->bytes.len;
    if (pictures->count == PICTURES_MAX)
        return fail(error, path, "there are more than 1000 pictures in its folder");
    if (!read_file(path, &pictures->bytes, error))
        return false;
    const struct bytes jpeg = bytes_of(pictures->bytes.data + before, pictures->bytes.len - before);
    if (!jpeg_check(jpeg, &width, &height))
        return fail(error, path, "no JPEG, or a damaged one");
    pictures->list[pictures->count++].len = jpeg.len;
    return true;
}

/* Once nothing moves any more. */
static void point_at(struct pictures *pictures)
{
    size_t at = 0;
    for (size_t i = 0; i < pictures->count; i++) {
        pictures->list[i].data = pictures->bytes.data + at;
        at += pictures->list[i].len;
    }
}

bool pictures_read(struct pictures *pictures, const char *folder, char error[PICTURES_ERROR_MAX])
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_jpeg, alphasort);
    *pictures = (struct pictures){.count = 0};
    buffer_init(&pictures->bytes, PICTURES_BYTES_MAX);
    if (count < 0)
        return fail(error, folder, strerror(errno));
    bool good = count > 0 || fail(error, folder, "there is no .jpg or .jpeg in it");
    for (int i = 0; i < count; i++) {
        char path[PATH_BYTES_MAX];
        const int len = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (good && (len < 0 || (size_t)len >= sizeof path))
            good = fail(error, folder, "its path is too long");
        good = good && add_file(pictures, path, error);
        free(entries[i]);
    }
    free(entries);
    point_at(pictures);
    if (!good)
        pictures_free(pictures);
    return good;
}

bool pictures_make(struct pictures *pictures)
{
    struct picture picture;
    *pictures = (struct pictures){.count = 0};
    buffer_init(&pictures->bytes, PICTURES_BYTES_MAX);
    if (!picture_init(&picture, WIDTH, HEIGHT))
        return false;
    memset(picture.rgb, GREY, (size_t)WIDTH * HEIGHT * 3);
    const bool good = jpeg_encode(&picture, QUALITY, &pictures->bytes);
    picture_free(&picture);
    if (good)
        pictures->list[pictures->count++].len = pictures->bytes.len;
    point_at(pictures);
    return good;
}

void pictures_free(struct pictures *pictures)
{
    buffer_free(&pictures->bytes);
    pictures->count = 0;
}
