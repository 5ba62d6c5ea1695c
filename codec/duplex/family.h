/* The full-duplex family's row of the registry. */
#ifndef CODEC_DUPLEX_FAMILY_H
#define CODEC_DUPLEX_FAMILY_H

#include "codec/family.h"

extern const struct family DUPLEX_FAMILY;

#endif
