/*
 * A small family of its own for the tests of script and engine, so that they lean on no real one. One frame
 * every 40 ms: "silence", or "speech" while audio is queued, 100 bytes a frame; "ready" comes first. A turn's
 * interaction is filled with its number, counted from the seed.
 *
 * Text messages: "cancel", "end" (the next frame is "final"), "bye" (the service closes with 1008 at its next
 * frame), "flood" (its next frame comes 200 times).
 * A request whose target holds "refuse" is refused with 403.
 * Binary messages are audio; one that begins with "!" has params. The one error code is NOT_YOU, of a 401. It
 * takes messages of up to 1,024 bytes; no rules judge it.
 */
#ifndef SERVER_TESTS_FAKE_SESSION_H
#define SERVER_TESTS_FAKE_SESSION_H

#include "server/core/session.h"

enum { FAKE_FRAME_US = 40000, FAKE_FRAME_BYTES = 100, FAKE_FLOOD_FRAMES = 200 };

extern const struct profile FAKE_PROFILE;
extern const struct family FAKE_FAMILY;
extern const struct session_class FAKE_SESSION_CLASS;

#endif
