/*
 * The channel: the plan and the observations over HTTP, for a client in a browser, a container or a debugger,
 * which shares neither files nor standard output with the runner. CONFORM_CONTROL is its address, on the port
 * of the case's own mock:
 *
 *   GET  plan            the plan, with url, key and config; its sound files are addresses below
 *   GET  speech/NAME     a sound file of the plan, audio/wav
 *   POST observations    lines of JSON, as they would stand on standard output. A line {"conform":1,"done":N}
 * says that the client is done with the case, N as its exit would be. 204; 400 says which line is wrong
 *
 * Answers may be read from any origin: what is served is a test of one case on loopback.
 */
#ifndef CONFORMANCE_RUNNER_HTTP_CHANNEL_H
#define CONFORMANCE_RUNNER_HTTP_CHANNEL_H

#include "conformance/process/capture.h"
#include "conformance/process/launch.h"
#include "conformance/script/case_script.h"
#include "server/net/mock_server.h"

#define CHANNEL_PREFIX "/__conform/"

enum { CHANNEL_ADDRESS_MAX = 64 };

struct http_channel {
    struct mock_http_handler http; /* for the mock's options */
    char address[CHANNEL_ADDRESS_MAX];
    const struct case_script *script;
    const char *profile;
    const char *speech_folder;
    struct buffer plan;      /* what GET plan answers */
    struct capture captured; /* what was posted */
};

/* Strings are borrowed; it is not to be moved afterwards. */
void http_channel_init(struct http_channel *channel, const struct case_script *script, const char *profile,
                       const char *speech_folder);
/* The mock listens on `port`: from then on it has an address. */
void http_channel_begin(struct http_channel *channel, unsigned port, bool tls);
/* `values` are the client's. False when memory runs out. */
bool http_channel_set_plan(struct http_channel *channel, const struct client_values *values);

/* The same with a task that stands already. */
bool http_channel_set_raw(struct http_channel *channel, struct bytes task);

#endif
