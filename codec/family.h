/*
 * The registry of protocol families: one row a family. A new family is a folder in each layer and one row
 * here.
 */
#ifndef CODEC_FAMILY_H
#define CODEC_FAMILY_H

#include <stddef.h>

struct family {
    const char *name; /* as in case names and options: "ojin" */
    const char *title;
    const char *id_prefix;    /* of its requirement ids: "OJ-" */
    const char *path;         /* of its endpoint: "/realtime" */
    const char *url_variable; /* environment variable that carries its URL to a client */
};

extern const struct family FAMILIES[];
extern const size_t FAMILY_COUNT;

const struct family *family_by_name(const char *name);

#endif
