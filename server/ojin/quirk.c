#include "server/ojin/quirk.h"

#include <assert.h>

static_assert((int)OJIN_QUIRK_COUNT <= (int)QUIRKS_MAX, "struct quirks has a place for every row");

const struct quirk_kind OJIN_QUIRKS[] = {
#define OJIN_QUIRK(enumerator, quirk_name, kind, text, low, high, words, says)                               \
    [OJIN_QUIRK_##enumerator] = {.name = (quirk_name),                                                       \
                                 .value = QUIRK_##kind,                                                      \
                                 .unset = (text),                                                            \
                                 .min = (low),                                                               \
                                 .max = (high),                                                              \
                                 .choices = (words),                                                         \
                                 .sentence = (says)},
#include "server/ojin/quirk.def"
#undef OJIN_QUIRK
    [OJIN_QUIRK_COUNT] = {0}};
