/*
 * A session that a fuzzer plays: what the mock sends, byte for byte, and what the client is asked to do. It
 * is written as an ordinary case (conformance/SCRIPTS.md), which `ojin-conform run --cases` plays too.
 *
 * A session owns its bytes. No I/O.
 */
#ifndef CONFORMANCE_FUZZ_FUZZ_SESSION_H
#define CONFORMANCE_FUZZ_FUZZ_SESSION_H

#include "codec/wire/buffer.h"
#include "codec/ws/frame.h"
#include "server/core/session.h"

enum {
    FUZZ_STEPS_MAX = 48,
    FUZZ_MESSAGE_BYTES_MAX = 64 * 1024, /* of one step, before it is repeated */
    FUZZ_SENT_BYTES_MAX = 1024 * 1024, /* of one step, repeated; as large as a message of any family may be */
    FUZZ_TIMES_MAX = 100000,           /* that a frame is sent */
    FUZZ_FLOOD_TIMES = 250,            /* from here on what it costs is looked at */
    FUZZ_FRAGMENTS_MAX = 64,           /* of a message */
    FUZZ_LABEL_MAX = 64
};

enum fuzz_step_kind {
    FUZZ_MESSAGE, /* a text or binary message */
    FUZZ_FRAME,   /* one WebSocket frame, right or wrong; `times` of it, one after another */
    FUZZ_RAW,     /* bytes as they are */
    FUZZ_CLOSE,   /* a close frame, whose payload is `data`; then the end of the connection is awaited */
    FUZZ_DROP,    /* FIN */
    FUZZ_RESET    /* RST */
};

struct fuzz_step {
    enum fuzz_step_kind kind;
    uint8_t *data; /* owned */
    size_t len;
    uint32_t times; /* MESSAGE: the payload is `data` that often; FRAME: the frame is sent that often */
    uint32_t payload_times;    /* FRAME: its payload is `data` that often */
    uint32_t tail_times;       /* FRAME: its payload is `data` with its last byte that often, in a fragment */
    struct ws_frame_bits bits; /* MESSAGE: the opcode alone; FRAME: all */
    bool length_lies;          /* FRAME: the header tells `bits.length`, else the true one */
    uint32_t slice_every;      /* TCP writes of that many bytes; 0: one */
    uint32_t fragment_every;   /* MESSAGE: frames of that many bytes; 0: one */
    bool pings;                /* ... with a ping between every two */
    bool changed;              /* MESSAGE: it is not as a right server makes it */
    bool displaced;            /* MESSAGE: from here on the order is none of a right server */
    bool wrong;                /* nobody need understand what comes from here on: no WebSocket */
    char label[FUZZ_LABEL_MAX]; /* what it is and what was done to it: "speech: entry size" */
};

/* What the client is asked to do. The first is the simplest. */
enum fuzz_plan {
    FUZZ_PLAN_LISTEN, /* until the connection is over */
    FUZZ_PLAN_SPEAK,  /* and says something meanwhile */
    FUZZ_PLAN_COUNT
};

struct fuzz_session {
    const struct session_class *class;
    uint64_t seed, number; /* what it was made from */
    enum fuzz_plan plan;
    size_t opening;      /* how the mock answers the request: of fuzz_opening */
    uint64_t memory_max; /* bytes that the client may take, judged when the case is run; 0: any */
    size_t step_count;
    struct fuzz_step steps[FUZZ_STEPS_MAX];
};

/* A line of a script that answers the request; the first is `accept any`, NULL: there are fewer. */
const char *fuzz_opening(size_t n);
/* Those up to this one let the client in as the RFC has it. */
bool fuzz_opening_is_good(size_t n);

void fuzz_session_init(struct fuzz_session *session, const struct session_class *class);
void fuzz_session_free(struct fuzz_session *session);
/* Both false when memory runs out; `to` is then free. */
bool fuzz_session_copy(const struct fuzz_session *from, struct fuzz_session *to);
/* Adds a step with a copy of the bytes. NULL: no room, or no memory. */
struct fuzz_step *fuzz_session_add(struct fuzz_session *session, enum fuzz_step_kind kind, struct bytes data);
void fuzz_session_remove(struct fuzz_session *session, size_t at, size_t count);
/* Gives a step other bytes, copied: it is changed. False when memory runs out, with nothing changed. */
bool fuzz_step_set(struct fuzz_step *step, struct bytes data);
/* The frame of a flood, whose cost is measured; NULL: it sends no flood. */
struct fuzz_step *fuzz_session_flood(struct fuzz_session *session);
/* Is there one? */
bool fuzz_session_floods(const struct fuzz_session *session);
/* Bytes of all its steps, as a measure of how small it is. */
size_t fuzz_session_bytes(const struct fuzz_session *session);

/* Appends the case. `clause`: the requirement that it is about; NULL: none. `check`: further lines for its
 * end, "" for none. False when it does not fit or memory runs out. */
bool fuzz_session_write(const struct fuzz_session *session, const char *clause, const char *check,
                        struct buffer *out);
/* "ojin/fuzz/1-42": what the case is called. */
enum { FUZZ_NAME_MAX = 64 };
void fuzz_session_name(const struct fuzz_session *session, char name[FUZZ_NAME_MAX]);

#endif
