#include "server/interview/quirk.h"

#include <assert.h>

static_assert((int)INTERVIEW_QUIRK_COUNT <= (int)QUIRKS_MAX, "struct quirks has a place for every row");

const struct quirk_kind INTERVIEW_QUIRKS[] = {
#define INTERVIEW_QUIRK(enumerator, ...) [INTERVIEW_QUIRK_##enumerator] = QUIRK_ROW(__VA_ARGS__),
#include "server/interview/quirk.def"
#undef INTERVIEW_QUIRK
    [INTERVIEW_QUIRK_COUNT] = {0}};
