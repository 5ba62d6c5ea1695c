/* The pictures that a full-duplex client shows: the JPEGs of a folder, or one of our own. */
#ifndef CLIENT_APP_PICTURES_H
#define CLIENT_APP_PICTURES_H

#include "codec/wire/buffer.h"

enum { PICTURES_MAX = 1000, PICTURES_BYTES_MAX = 256 * 1024 * 1024, PICTURES_ERROR_MAX = 500 };

struct pictures {
    size_t count;
    struct bytes list[PICTURES_MAX];
    struct buffer bytes; /* of all of them */
};

/*
 * Reads the files of the folder whose names end in .jpg or .jpeg, in the order of their names; each has to be
 * a whole JPEG. False with a sentence that names the file: none, too many, too large, damaged.
 */
bool pictures_read(struct pictures *pictures, const char *folder, char error[PICTURES_ERROR_MAX]);
/* One grey picture. False when memory runs out. */
bool pictures_make(struct pictures *pictures);
void pictures_free(struct pictures *pictures);

#endif
