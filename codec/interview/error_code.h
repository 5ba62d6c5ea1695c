/* The error codes of the realtime interview protocol: 004 Message Error Codes. */
#ifndef CODEC_INTERVIEW_ERROR_CODE_H
#define CODEC_INTERVIEW_ERROR_CODE_H

#include "codec/wire/bytes.h"

enum interview_error_code {
#define INTERVIEW_ERROR(enumerator, wire_name, source, description) INTERVIEW_ERROR_##enumerator,
#include "codec/interview/error_code.def"
#undef INTERVIEW_ERROR
    INTERVIEW_ERROR_COUNT
};

/* All static strings. */
const char *interview_error_name(enum interview_error_code code);
const char *interview_error_description(enum interview_error_code code);
/* Where it comes from: "004 Message Error Codes". */
const char *interview_error_source(enum interview_error_code code);
/* False for a name that is none of them. */
bool interview_error_by_name(struct bytes name, enum interview_error_code *out);

#endif
