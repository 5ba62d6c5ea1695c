/* What ojin_mock_start is asked for, understood: family, profile, behaviour, pictures. Private to packages/c.
 */
#ifndef PACKAGES_C_SETUP_H
#define PACKAGES_C_SETUP_H

#include "packages/c/ojin_mock.h"
#include "server/behaviour/families.h"
#include "server/control/control.h"
#include "server/control/find.h"
#include "server/control/findings.h"
#include "server/core/rooms.h"
#include "server/persona/persona.h"

struct setup {
    const struct session_class *class;
    const struct profile *profile;
    struct behaviour behaviour;
    struct script *script;   /* NULL: none */
    struct persona *persona; /* NULL: the family sends no pictures */
    struct rooms rooms;
    char *key, *config; /* NULL: any */
};

/* False with a sentence in `error`; to be freed all the same. */
bool setup_read(struct setup *setup, const struct ojin_mock_options *asked, char error[OJIN_MOCK_ERROR_MAX]);
void setup_free(struct setup *setup);
/* Without callbacks. Borrows from `setup`. */
struct mock_server_options setup_server(struct setup *setup, const struct ojin_mock_options *asked);

#endif
