/* The interview family's row of the registry. */
#ifndef CODEC_INTERVIEW_FAMILY_H
#define CODEC_INTERVIEW_FAMILY_H

#include "codec/family.h"

extern const struct family INTERVIEW_FAMILY;

#endif
