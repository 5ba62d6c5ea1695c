/* What a case asks of the client: the lowest tier that can take part in it. Private to conformance/script. */
#ifndef CONFORMANCE_SCRIPT_TIER_H
#define CONFORMANCE_SCRIPT_TIER_H

#include "conformance/script/case_script.h"

/* Sets `tier` from plan and checks. */
void tier_set(struct case_script *script);

#endif
