/* The Ojin family's row of the registry. */
#ifndef CODEC_OJIN_FAMILY_H
#define CODEC_OJIN_FAMILY_H

#include "codec/family.h"

extern const struct family OJIN_FAMILY;

#endif
