/*
 * A host for one engine on a simulated clock. It feeds timed events, answers ACCEPT with ENGINE_OPENED and
 * RESET with ENGINE_GONE as a transport does, ticks when the engine is due, and writes what came out as one
 * line of words:
 *
 *  @40           the time in milliseconds, when it has changed
 *  [serve=name]  a step began      +101 -403   let in, refused      mark:x  $name=07  a capture, first byte
 *  speech        a message, with (body), /slice=every,for,at,gap /fragment=at !fault =step
 *  close:1000(reason)   reset   !serve(why)  a step failed   done
 */
#ifndef SERVER_TESTS_ENGINE_RIG_H
#define SERVER_TESTS_ENGINE_RIG_H

#include "codec/wire/text.h"
#include "server/engine/engine.h"

enum { RIG_TEXT_MAX = 16384, RIG_EVENTS_MAX = 12 };

struct rig_event {
    unsigned at_ms;
    enum engine_event_kind kind;
    const char *data; /* REQUEST: the target; TEXT: the message; BINARY: the number of its bytes */
    uint16_t code;
};

/* Rows of events. */
#define REQUEST(ms)                                                                                          \
    {                                                                                                        \
        ms, ENGINE_REQUEST, "a", 0                                                                           \
    }
#define SAYS(ms, text)                                                                                       \
    {                                                                                                        \
        ms, ENGINE_TEXT, text, 0                                                                             \
    }
#define AUDIO(ms, bytes)                                                                                     \
    {                                                                                                        \
        ms, ENGINE_BINARY, bytes, 0                                                                          \
    }
#define PONG(ms)                                                                                             \
    {                                                                                                        \
        ms, ENGINE_PONG, "", 0                                                                               \
    }
#define PING(ms)                                                                                             \
    {                                                                                                        \
        ms, ENGINE_PING, "", 0                                                                               \
    }
#define CLOSES(ms)                                                                                           \
    {                                                                                                        \
        ms, ENGINE_CLOSE, "", 1000                                                                           \
    }
#define GONE(ms)                                                                                             \
    {                                                                                                        \
        ms, ENGINE_GONE, "", 0                                                                               \
    }

struct rig {
    struct engine *engine;
    struct script *script;
    struct actions actions;
    uint64_t now_us;
    uint64_t shown_ms;
    char data[RIG_TEXT_MAX];
    struct text out;
};

/* `script` is the body of a server block; NULL: no script. Each line of it is a line of its own, from 3 on.
 */
void rig_init(struct rig *rig, const char *script, uint64_t seed);
void rig_free(struct rig *rig);
void rig_feed(struct rig *rig, const struct rig_event *event);
/* Ticks up to `to_ms`: as the engine is due, or, with `every_us`, only at its multiples. */
void rig_run_to(struct rig *rig, unsigned to_ms, uint64_t every_us);

#endif
