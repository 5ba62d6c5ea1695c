/*
 * The journal: what happened, in order, as JSON lines; and the same entries in memory.
 *
 * Server frames are kept as a summary (header fields and a CRC-32 of each payload), client messages whole, so
 * that a journal can be judged and replayed. The API key never stands in it: in the request head it is
 * replaced by "{key}", and any other Authorization value by its scheme and a hash. When no key is known, the
 * one that a connection's request gives is that connection's key, from 8 bytes on. Texts have "{key}" however
 * the key is spelled in them, binary messages as many '*'. So it is with what else a request gave as a
 * secret, such as a wrong token in its query, which a server may quote; where a key is known texts have its
 * hash.
 *
 * Replaying (conformance/replay does it): the wire shows a client's message a little before a listener hands
 * it to its engine, and a slow client's messages leave later than the engine asked for them, or never. So a
 * JOURNAL_TAKEN entry says when the engine was told what, and by its `order` after how many of its actions;
 * the n-th text or binary it took is the n-th that the wire shows on that connection. Between two of them an
 * engine goes on by itself, the same however late its host calls it, so only those of the host's ticks are
 * entries that begin an engine or left it with more to do at once. What an engine asked for and was never
 * sent is a JOURNAL_DROPPED entry with its `order`; everything else it asked for stands in the journal in
 * that order, but for what is marked as the host's own doing. The first entry taken by an engine says so and
 * gives its seed. A script's engine serves all connections, another only one.
 *
 * A journal holds no token, nor what other connections had when a request came: the entry of one that was
 * turned away by either says why (`wire.data`).
 *
 * An engine that is made with something else than the header says tells it in front of its first event, and
 * one that is changed from outside when it is, in JOURNAL_TAKEN entries of these labels: "quirks"
 * `wire.data`: all that hold from now on, as quirk_set_all reads them "script"        the steps that this
 * engine alone plays (a fault's, a card's) "config-fault"  why the client's config_id can be no config
 *  "any-config"    any config_id is right (a card was asked for)
 *  "steps"         steps that were injected into the session
 *
 * When a bound is reached the last entry is a mark named JOURNAL_FULL_MARK, and nothing more is taken.
 *
 * First line: {"journal":1, "family", "profile", "epoch_ms", "seed", …}; then one entry a line. Where a host
 * serves several families, "others" has what else was served, and each entry of those names its family.
 */
#ifndef SERVER_JOURNAL_JOURNAL_H
#define SERVER_JOURNAL_JOURNAL_H

#include "codec/rules/rules.h"
#include "codec/wire/wire_event.h"
#include "server/core/actions.h"
#include "server/core/session.h"

enum { JOURNAL_ENTRIES_MAX = 200000, JOURNAL_DATA_BYTES_MAX = 256 * 1024 * 1024 };

enum journal_kind {
    JOURNAL_WIRE,      /* `wire` is set */
    JOURNAL_MARK,      /* label: the mark */
    JOURNAL_CAPTURE,   /* label: the name; interaction */
    JOURNAL_STEP,      /* label: the step's word; line; data: the quirks it sets */
    JOURNAL_FAILED,    /* a script step could not be done: data says why; line */
    JOURNAL_DONE,      /* the script has ended */
    JOURNAL_FINDING,   /* finding is set */
    JOURNAL_OWN_ERROR, /* our own side broke the protocol unasked: data says how */
    JOURNAL_TAKEN,     /* the engine was told something. label: what (the engine's event: "request", "text",
                          "tick" …; or the labels above), at `at_us`; order; wire.code, wire.message_bytes;
                          begins, seed; wire.data as above */
    JOURNAL_DROPPED,   /* what the engine asked for was not sent, and never will be. label: what; order */
    JOURNAL_TRANSPORT  /* what our own side did below the messages, on purpose: bytes that are no message
                          (wire.data: the first JOURNAL_RAW_BYTES_MAX, wire.message_bytes: how many there were;
                          label: "raw", or what was sent as such), "half-close", "stop-reading" (duration_us).
                          wire.direction is ours, wire.fault is set; wire.kind and code as the rules see it */
};

struct journal_entry {
    uint64_t sequence; /* from 0 */
    uint64_t at_us;
    uint32_t connection; /* from 1 within a run */
    enum journal_kind kind;
    struct wire_event wire; /* data: whole for the client's messages and for the server's text; for server
                               frames the first JOURNAL_HEAD_BYTES_MAX bytes. FAILED and OWN_ERROR: data is a
                               sentence. Owned by the journal. */
    char label[ACTION_LABEL_MAX]; /* WIRE: what it is ("speech", "audio", "upgrade", "cancelInteraction" …) */
    char step[ACTION_LABEL_MAX]; /* WIRE from the server: the name of the script step that sent it */
    unsigned line;
    bool has_interaction;
    uint8_t interaction[UUID_BYTES];
    bool has_frame;
    struct frame_summary frame;
    uint64_t duration_us; /* TRANSPORT: stop-reading; UINT64_MAX: for good */
    uint64_t order; /* TAKEN: how many actions the engine had asked for by then; DROPPED: before this one */
    bool begins;    /* TAKEN: the first that a new engine was told … */
    uint64_t seed;  /* … which has this seed */
    bool by_host;   /* WIRE from the server: no engine asked for it */
    struct finding finding;
    const struct session_class *class; /* knows what stands in its message; NULL: nobody does.
                                           A journal sets its header's … */
    bool is_of_other; /* … unless the entry is of one of the header's others, and names its family */
    struct bytes key; /* what a writer replaces by "{key}". A journal that knows the key sets its own, else it
                         keeps a copy */
    struct bytes others; /* what else the connection's request gave as secrets, by request_secrets: a writer
                            replaces them by their hashes; a journal keeps a copy */
};

/* Six bytes of JSON for each of the longest message that a family takes (8 MB), and what is around. */
enum { JOURNAL_LINE_BYTES_MAX = 64 * 1024 * 1024 };
enum { JOURNAL_HEAD_BYTES_MAX = 64, JOURNAL_RAW_BYTES_MAX = 256 };
#define JOURNAL_FULL_MARK "journal-full"

enum { JOURNAL_FAMILY_MAX = 16, JOURNAL_PROFILE_MAX = 32, JOURNAL_OTHERS_MAX = 7 };

/* A family that is served beside that of the header. */
struct journal_other {
    const struct session_class *class; /* NULL: it is not built */
    char family[JOURNAL_FAMILY_MAX];
    char profile[JOURNAL_PROFILE_MAX];
    struct quirks quirks;
};

struct journal_header {
    char family[JOURNAL_FAMILY_MAX];   /* its name; see journal_header_class … */
    const struct session_class *class; /* … which sets this too; NULL: it is of a family that is not built */
    char profile[JOURNAL_PROFILE_MAX];
    uint64_t epoch_ms;
    uint64_t seed;
    uint32_t picture_width, picture_height;
    uint32_t silence_percent, speech_percent, speed;
    bool key_known;       /* one key was the right one; "{key}" stands for it */
    char config[256];     /* the config id that was asked for, empty: any */
    struct quirks quirks; /* that the sessions began with, by the rows of the family's table */
    char script[64];      /* the name in the script that ran; empty: none, the service alone */
    size_t other_count;
    struct journal_other others[JOURNAL_OTHERS_MAX]; /* the script is none of theirs */
};

/* Of which family it is. */
void journal_header_class(struct journal_header *header, const struct session_class *class);
/* Adds what is served besides; false when there are too many. */
bool journal_header_other(struct journal_header *header, const struct session_class *class,
                          const char *profile, const struct quirks *quirks);
/* What the header says of entries of that class: their profile (NULL: it names none of that family) and
 * quirks. */
const char *journal_header_profile(const struct journal_header *header, const struct session_class *class);
const struct quirks *journal_header_quirks(const struct journal_header *header,
                                           const struct session_class *class);

/* Appends what a request brings as secrets beside `key`, in Authorization and in its query
 * (codec/wire/secret.h). False when memory runs out. */
bool request_secrets(struct bytes request, struct bytes key, struct buffer *out);

/* Appends a text about the entry, which may quote what stands in it and cut that, without its secrets. */
bool journal_told(const struct journal_entry *entry, struct bytes text, struct buffer *out);

struct journal;

/* `key` (may be empty) is what gets replaced; copied. NULL when memory runs out. */
struct journal *journal_new(const struct journal_header *header, struct bytes key);
void journal_free(struct journal *journal);
const struct journal_header *journal_header_of(const struct journal *journal);
/* For a host that knows its time 0 only when it has begun. */
void journal_set_epoch_ms(struct journal *journal, uint64_t epoch_ms);

/* Appends a copy of `entry` (sequence is set by the journal). False when a bound is reached: the journal then
 * holds what it has and says so in its last line. */
bool journal_append(struct journal *journal, const struct journal_entry *entry);
/* From now on it takes nothing, and no mark says so. */
void journal_end(struct journal *journal);
size_t journal_count(const struct journal *journal);
const struct journal_entry *journal_at(const struct journal *journal, size_t n);

/* One line of JSON without the newline, appended to `out`; false when it does not fit. */
bool journal_write_header(const struct journal *journal, struct buffer *out);
/* An input that has params of its own gets a member `params`: all five as they hold for its speech, the
 * defaults among them. */
bool journal_write_entry(const struct journal_entry *entry, struct buffer *out);
/* What an entry's data may be shown as to people, at most `bytes_max` of it: the head of a request and texts
 * with the key replaced, binary data with it masked. Appended to `out`; false when it does not fit. */
bool journal_entry_shown(const struct journal_entry *entry, size_t bytes_max, struct buffer *out);
/* Reads a whole journal of one of these families (ended by NULL: SESSION_CLASSES); NULL with "line N: …" in
 * `error` when it is none. A last line that is cut off, as on a full disk, is left out and told there too;
 * else `error` is empty. The key of the result is `key`:
 * "{key}" reads back as it, so that the rules can judge the request. */
struct journal *journal_read(struct bytes text, const struct session_class *const *classes, struct bytes key,
                             char error[200]);

#endif
