/* The quirks of the Ojin family: the rows of quirk.def, and how a session core reads their values. */
#ifndef SERVER_OJIN_QUIRK_H
#define SERVER_OJIN_QUIRK_H

#include "server/core/quirk.h"

enum ojin_quirk {
#define OJIN_QUIRK(enumerator, name, value, unset, min, max, choices, sentence) OJIN_QUIRK_##enumerator,
#include "server/ojin/quirk.def"
#undef OJIN_QUIRK
    OJIN_QUIRK_COUNT
};

/* In the order of the enum, ended by a NULL name. */
extern const struct quirk_kind OJIN_QUIRKS[];

/* The words of the choices, in the order of the table. */
enum ojin_silence_id { OJIN_SILENCE_ID_NIL, OJIN_SILENCE_ID_FRESH, OJIN_SILENCE_ID_LAST };
enum ojin_no_backend {
    OJIN_BACKEND_THERE,
    OJIN_NO_BACKEND_ERROR,
    OJIN_NO_BACKEND_TEXT,
    OJIN_NO_BACKEND_SHORT,
    OJIN_NO_BACKEND_MODEL,
    OJIN_NO_BACKEND_EMPTY
};

#endif
