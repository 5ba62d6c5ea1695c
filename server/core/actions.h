/*
 * What a server core asks its host to do. Filled by one step, carried out in order, then cleared by the host.
 *
 * Bytes of the actions live in one arena; `actions_bytes` gives the span of one action, valid until the next
 * change of the list.
 *
 * A large part of a message may be borrowed: there is room for it, but its bytes are only put there when
 * somebody asks for the whole span. A host that can send them from where they lie need not ask.
 */
#ifndef SERVER_CORE_ACTIONS_H
#define SERVER_CORE_ACTIONS_H

#include "codec/wire/buffer.h"
#include "codec/wire/uuid.h"

enum {
    ACTIONS_MAX = 64,
    ACTION_LABEL_MAX = 32,
    ACTIONS_BORROWED_MAX = 64, /* the frames of a host that is late by a third of a second */
    ACTIONS_BYTES_MAX = 64 * 1024 * 1024
};

enum action_kind {
    ACTION_ACCEPT, /* answer the upgrade with 101. Bytes (a fault): header lines, each ended by CRLF, that
                      take the place of the response's own of that name, or are added; a line with nothing
                      after its colon takes that header out */
    ACTION_REFUSE, /* answer it with HTTP status `code`; bytes: header lines (each ended by CRLF), an empty
                      line (CRLF), then the body */
    ACTION_SEND_TEXT,
    ACTION_SEND_BINARY,
    ACTION_SEND_PING,
    ACTION_SEND_RAW,   /* bytes as they shall stand on the wire, in place of WebSocket frames or between them;
                          the transport adds nothing. Always a fault. Of its delivery slice_every, slice_for,
                          slice_at, gap_us, delay_us and end_at count: of all its bytes, header included */
    ACTION_CLOSE,      /* send a close frame with `code` (bytes: the reason), wait for the peer's. With
                          `raw_close` bytes are the frame's whole payload, whatever they hold */
    ACTION_RESET,      /* end the TCP connection with RST */
    ACTION_DROP,       /* end the TCP connection in order (FIN), without a close frame */
    ACTION_HALF_CLOSE, /* FIN; what the client still sends is read and taken in, until it ends its side */
    ACTION_STOP_READING, /* read nothing from the client for `duration_us` (UINT64_MAX: for good) */
    ACTION_MARK,         /* the script passed a mark: label */
    ACTION_CAPTURE,      /* the script captured `interaction` under the name `label` */
    ACTION_STEP, /* the script began the step in line `code`: label is its word; bytes: the quirks it sets */
    ACTION_STEP_FAILED, /* the step in line `code` could not be done; bytes: why */
    ACTION_SCRIPT_DONE  /* the script has no further step */
};

/* How bytes leave, where a fault asks for something else than one write. All 0: as they are. */
struct delivery {
    uint32_t slice_every; /* TCP writes of that many bytes … */
    uint32_t slice_for;   /* … within this many first bytes of the frame (0: all of it) */
    uint32_t slice_at;    /* one cut after this many bytes of the message's payload (1 up; 0: none) */
    uint32_t fragment_at; /* two WebSocket fragments, cut after this many bytes of payload (1 up; 0: none) */
    uint32_t gap_us;      /* pause between slices */
    uint32_t fragment_every; /* WebSocket fragments of that many bytes of payload (0: none) … */
    bool fragment_pings;     /* … with a ping between every two of them */
    uint32_t delay_us;       /* the message leaves this much later; what follows waits behind it */
    uint32_t end_at;         /* after this many bytes of payload (1 up; 0: never) the connection ends … */
    bool end_by_reset;       /* … with RST, else with FIN; the header told the whole length */
    uint32_t joined; /* ACCEPT: the response leaves in one TCP write with this many messages after it; 0: by
                        itself */
};

struct action {
    enum action_kind kind;
    uint16_t code;
    char label[ACTION_LABEL_MAX]; /* SEND: what it is ("ready", "silence", "speech", "fade", "final", "error",
                                     "text"…); NUL-terminated */
    char step[ACTION_LABEL_MAX];  /* SEND: the name that the script gave the step (`as NAME`); else empty */
    bool raw_close;               /* CLOSE */
    bool fault;                   /* breaks the protocol on purpose */
    bool by_host;                 /* the host's own doing, no engine asked for it; set by the host */
    uint64_t order;               /* how many the engine had asked for before this one; set by the host */
    bool has_interaction;
    uint8_t interaction[UUID_BYTES];
    struct delivery delivery;
    uint64_t due_us;      /* it does not leave before; 0: at once; set by the host */
    uint64_t duration_us; /* STOP_READING */
    size_t offset;
    size_t len;
    size_t borrowed_at;    /* from here on its bytes are borrowed … */
    size_t borrowed_first; /* … from these of the list's, one after another */
    size_t borrowed_count;
};

struct actions {
    size_t count;
    struct action list[ACTIONS_MAX];
    struct buffer arena;
    size_t borrowed_count;
    struct bytes borrowed[ACTIONS_BORROWED_MAX]; /* belong to a session's persona and never change */
};

void actions_init(struct actions *actions);
void actions_free(struct actions *actions);
void actions_clear(struct actions *actions);
/* Could something not be added, since actions_clear, for want of memory? Whoever it was for may wait for
 * ever: the host ends the connection. */
static inline bool actions_lack_memory(const struct actions *actions)
{
    return actions->arena.no_memory;
}
/* Sets a label, cut at ACTION_LABEL_MAX - 1. */
void action_label_set(char label[ACTION_LABEL_MAX], const char *word);
/* Room for how many more actions? A core stops emitting at 0 and goes on in the next step. */
size_t actions_room(const struct actions *actions);
/* Adds an action with `len` bytes of payload to be filled in at the returned pointer (valid until the next
 * call); NULL when list or arena is full. `out` may be NULL; the label is cut at ACTION_LABEL_MAX - 1. */
uint8_t *actions_add(struct actions *actions, enum action_kind kind, const char *label, size_t len,
                     struct action **out);
/* The latest action may grow: append to this buffer, then count in what was appended. */
struct buffer *actions_tail(struct actions *actions);
void actions_grown(struct actions *actions);
/* Takes the latest action off again, with what was appended. */
void actions_take_back(struct actions *actions);
struct bytes actions_bytes(const struct actions *actions, const struct action *action);
/* The same span for those who look at nothing of it that is borrowed: those bytes may be any. */
struct bytes actions_bytes_own(const struct actions *actions, const struct action *action);
/* Appends spans that the latest action borrows; where there is no room for that they are copied. To be
 * counted in by actions_grown. */
bool actions_borrow(struct actions *actions, const struct bytes *spans, size_t count);
/* Gives an action of the list other bytes: `len` of them, the old ones as far as they go, 0 after that. They
 * may be changed until the next call; NULL when the arena is full. */
uint8_t *actions_rewrite(struct actions *actions, struct action *action, size_t len);

#endif
