#include "server/interview/quirk.h"

#include <assert.h>

static_assert((int)INTERVIEW_QUIRK_COUNT <= (int)QUIRKS_MAX, "struct quirks has a place for every row");

const struct quirk_kind INTERVIEW_QUIRKS[] = {
#define INTERVIEW_QUIRK(enumerator, quirk_name, kind, text, low, high, words, says)                          \
    [INTERVIEW_QUIRK_##enumerator] = {.name = (quirk_name),                                                  \
                                      .value = QUIRK_##kind,                                                 \
                                      .unset = (text),                                                       \
                                      .min = (low),                                                          \
                                      .max = (high),                                                         \
                                      .choices = (words),                                                    \
                                      .sentence = (says)},
#include "server/interview/quirk.def"
#undef INTERVIEW_QUIRK
    [INTERVIEW_QUIRK_COUNT] = {0}};
