/*
 * A mock of a realtime speech service within the process of a test, on a free port of 127.0.0.1.
 *
 *     char error[OJIN_MOCK_ERROR_MAX];
 *     struct ojin_mock *mock = ojin_mock_start(&(struct ojin_mock_options){.quirks = "fade"}, error);
 *     my_client_run(ojin_mock_url(mock), "any-key");
 *     ojin_mock_wait(mock, "cancelInteraction", 1, 2000);
 *     ojin_mock_stop(mock);
 *
 * It serves on a thread of its own. All functions may be called from any thread but, of one mock,
 * ojin_mock_stop last. Several mocks may run side by side. SIGPIPE is left to the caller; the mock itself
 * raises none. Link with libojin (pkg-config ojin, or ojin::ojin of the CMake package ojin).
 */
#ifndef OJIN_MOCK_H
#define OJIN_MOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { OJIN_MOCK_ERROR_MAX = 600 };

struct ojin_mock;

/* Strings are borrowed for the call; NULL or 0 leaves a member at its default. */
struct ojin_mock_options {
    const char *family;     /* "ojin" (default), "duplex" or "interview" */
    const char *profile;    /* revision or mode: that of `ojin-mock --list profiles` */
    const char *quirks;     /* "cancel-late=2s fade", of `ojin-mock --list quirks` */
    const char *fault;      /* "drop=10", of `ojin-mock --list faults`; goes with no script */
    const char *script;     /* steps of the script language, a line each */
    const char *key;        /* the only API key to accept (default: any) */
    const char *config;     /* the only config_id, or interview, to accept (default: any) */
    unsigned port;          /* default: a free one */
    unsigned width, height; /* of the pictures (default: that of the family) */
    uint64_t seed;          /* of the ids (default 1) */
};

/* NULL with a sentence in `error`: an option that is wrong, or a port that is taken. To be stopped with
 * ojin_mock_stop. */
struct ojin_mock *ojin_mock_start(const struct ojin_mock_options *options, char error[OJIN_MOCK_ERROR_MAX]);
/* Closes its sessions with 1001 and frees it. NULL is nothing. */
void ojin_mock_stop(struct ojin_mock *mock);

/* Where clients connect, without a query: "ws://127.0.0.1:40001/realtime". Lives as long as the mock. */
const char *ojin_mock_url(const struct ojin_mock *mock);
/* Of its control interface, which has all the rest: "http://127.0.0.1:40001/__mock/". */
const char *ojin_mock_control_url(const struct ojin_mock *mock);

/* Waits until `count` entries of that name are in the journal, those already there included. A name is a
 * label ("audio"), a type ("cancelInteraction"), an event ("close", "end") or a kind ("finding"). False after
 * `timeout_ms`. */
bool ojin_mock_wait(struct ojin_mock *mock, const char *what, size_t count, unsigned timeout_ms);
/* How many there are. */
size_t ojin_mock_count(struct ojin_mock *mock, const char *what);

/* What a client did against the documents. Strings are borrowed for the call. */
struct ojin_mock_finding {
    uint32_t session;        /* number of the connection, from 1 */
    const char *requirement; /* "OJ-IN-08"; NULL: an error of the mock that no requirement names */
    bool note;               /* breaks nothing */
    const char *text;        /* as ojin-mock prints it */
};

/* Calls `each` (may be NULL) for each finding so far, notes included, and returns how many are no notes. Some
 * are found only when a session ends: wait for "end" before. `each` must not call functions of this mock. */
size_t ojin_mock_findings(struct ojin_mock *mock,
                          void (*each)(void *context, const struct ojin_mock_finding *finding),
                          void *context);

#ifdef __cplusplus
}
#endif

#endif
