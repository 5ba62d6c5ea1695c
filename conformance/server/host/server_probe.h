/*
 * Before any case: is there a WebSocket server at the URL that lets us in, and which profiles is it held to?
 * How its family tells is in conformance/script/client_probe.h.
 */
#ifndef CONFORMANCE_SERVER_HOST_SERVER_PROBE_H
#define CONFORMANCE_SERVER_HOST_SERVER_PROBE_H

#include "conformance/options/server_options.h"

/* False when there is no point in going on; why was said on standard error. Sets profiles, profile_count,
 * profile_note and start_unjudged. */
bool server_probe(struct server_options *options);

/* What the family has of its servers. */
const struct client_probe *server_probe_of(const struct server_options *options);

#endif
