#include "server/duplex/quirk.h"

#include <assert.h>

static_assert((int)DUPLEX_QUIRK_COUNT <= (int)QUIRKS_MAX, "struct quirks has a place for every row");

const struct quirk_kind DUPLEX_QUIRKS[] = {
#define DUPLEX_QUIRK(enumerator, ...) [DUPLEX_QUIRK_##enumerator] = QUIRK_ROW(__VA_ARGS__),
#include "server/duplex/quirk.def"
#undef DUPLEX_QUIRK
    [DUPLEX_QUIRK_COUNT] = {0}};
