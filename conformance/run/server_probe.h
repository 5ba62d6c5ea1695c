/*
 * Before any case: is there a WebSocket server at the URL that lets us in, and of which profile is it?
 *
 * The documents tell the profiles apart by one thing that a server does: one of the earlier revision streams
 * right after sessionReady, one of the current revision after the first input (oris-1.0 and
 * flashhead-lite-1.0 ask the same of a server). A server may also say it itself, in sessionReady's
 * parameters: {"profile": NAME}. Its word goes before what it does; where neither tells, it is held to
 * oris-1.0.
 */
#ifndef CONFORMANCE_RUN_SERVER_PROBE_H
#define CONFORMANCE_RUN_SERVER_PROBE_H

#include "conformance/run/server_options.h"

/* False when there is no point in going on; why was said on standard error. Sets profile, profile_note and
 * start_unjudged. */
bool server_probe(struct server_options *options);

#endif
