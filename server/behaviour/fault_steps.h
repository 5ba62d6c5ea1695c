/* From a fault and a value to steps. Private to server/behaviour. */
#ifndef SERVER_BEHAVIOUR_FAULT_STEPS_H
#define SERVER_BEHAVIOUR_FAULT_STEPS_H

#include "server/behaviour/behaviour.h"

/* The steps of `kind` with the value filled in; `value` NULL: the one it has when none is given. NULL with a
 * sentence in `error` ("fault drop: expected a whole number from 1 to 9, found \"x\""). `live`: those of
 * fault_live_steps. */
struct script *fault_script_new(const struct fault_kind *kind, const struct bytes *value, uint64_t seed,
                                bool live, const struct session_class *class,
                                char error[BEHAVIOUR_ERROR_MAX]);

#endif
