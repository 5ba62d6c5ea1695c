/* Before any case: is there a WebSocket server at the URL that lets us in? */
#ifndef CONFORMANCE_RUN_SERVER_PROBE_H
#define CONFORMANCE_RUN_SERVER_PROBE_H

#include "conformance/run/server_options.h"

/* False when there is no point in going on; why was said on standard error. */
bool server_probe(const struct server_options *options);

#endif
