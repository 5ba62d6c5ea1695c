/*
 * What of a script and of quirks only a listener can do that stands between the client and the library: the
 * tap (server/net/tap.h). Without one (--no-tap) it is refused, wherever it is asked for.
 */
#ifndef SERVER_SCRIPT_TAP_NEEDS_H
#define SERVER_SCRIPT_TAP_NEEDS_H

#include "server/script/script.h"

/* Does the quirk of that row need it, when it has that value? */
bool quirk_needs_tap(const struct quirk_kind *kinds, size_t row, uint64_t value);
/* The name of the first quirk that does; NULL: none. Static. */
const char *quirks_need_tap(const struct quirk_kind *kinds, const struct quirks *quirks);
/* What of the first step that does, as it is written ("slice", "stop-reading", a quirk's name), and the
 * step's line; NULL: none does. Static. */
const char *script_needs_tap(const struct script *script, const struct quirk_kind *kinds, unsigned *line);
/* Does a step of it stop reading? Then as little as can be is to be held between the client and the tap. */
bool script_stops_reading(const struct script *script);

#endif
