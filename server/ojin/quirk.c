#include "server/ojin/quirk.h"

#include <assert.h>

static_assert((int)OJIN_QUIRK_COUNT <= (int)QUIRKS_MAX, "struct quirks has a place for every row");

const struct quirk_kind OJIN_QUIRKS[] = {
#define OJIN_QUIRK(enumerator, ...) [OJIN_QUIRK_##enumerator] = QUIRK_ROW(__VA_ARGS__),
#include "server/ojin/quirk.def"
#undef OJIN_QUIRK
    [OJIN_QUIRK_COUNT] = {0}};
