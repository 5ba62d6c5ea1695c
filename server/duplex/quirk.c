#include "server/duplex/quirk.h"

#include <assert.h>

static_assert((int)DUPLEX_QUIRK_COUNT <= (int)QUIRKS_MAX, "struct quirks has a place for every row");

const struct quirk_kind DUPLEX_QUIRKS[] = {
#define DUPLEX_QUIRK(enumerator, quirk_name, kind, text, low, high, words, says)                             \
    [DUPLEX_QUIRK_##enumerator] = {.name = (quirk_name),                                                     \
                                   .value = QUIRK_##kind,                                                    \
                                   .unset = (text),                                                          \
                                   .min = (low),                                                             \
                                   .max = (high),                                                            \
                                   .choices = (words),                                                       \
                                   .sentence = (says)},
#include "server/duplex/quirk.def"
#undef DUPLEX_QUIRK
    [DUPLEX_QUIRK_COUNT] = {0}};
