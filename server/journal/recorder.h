/*
 * The recorder: where everything that crosses a connection goes, live. It keeps the journal, feeds the rules
 * and hands on findings; used the same by the listener and by the transport in memory. No I/O of its own.
 *
 * A host also tells when its engine took what, and which of the engine's actions it dropped, so that the
 * journal can be replayed; it counts the actions of each engine and sets their `order`.
 *
 * Client messages get the label that the session class gives them; besides: "upgrade", "ping", "pong",
 * "close", "violation", "end". Server messages keep their action's label; besides: "accept", "refusal",
 * "close", "reset".
 */
#ifndef SERVER_JOURNAL_RECORDER_H
#define SERVER_JOURNAL_RECORDER_H

#include "server/core/actions.h"
#include "server/core/session.h"
#include "server/journal/journal.h"

/* Called for each entry appended, findings included, in order. May be NULL. */
typedef void recorder_sink(void *context, const struct journal_entry *entry);

struct recorder_config {
    struct rule_context rules; /* key, config, speech are borrowed for the recorder's life */
    struct journal *journal;   /* borrowed; NULL: entries are only handed to the sink */
    const struct session_class
        *session_class;  /* names the client's messages, and its family's rules judge them */
    bool is_of_other;    /* the journal's header is of another family: entries name theirs */
    bool watches_itself; /* the rules for servers look at our own messages as well (own_watch.h) */
    /* Nobody looks at the payloads' checksums: they are left out. What is borrowed of a frame (actions.h), as
     * its picture is, is then fetched for nobody but the rules for servers; those for clients look at no
     * picture. */
    bool without_checksums;
    recorder_sink *sink;
    void *context;
};

/* What an engine was told by its host, a moment ago or in a moment. */
struct taken_event {
    uint64_t now_us;   /* the time that the engine was given */
    const char *event; /* the engine's name of it */
    uint16_t code;
    uint64_t message_bytes;
    uint64_t order;    /* actions that the engine had asked for before */
    bool begins;       /* it is the first that the engine is told */
    uint64_t seed;     /* of the engine, when it begins */
    struct bytes data; /* what an engine was made with or changed to, or why it refuses: see journal.h */
};

struct recorder;

struct recorder *recorder_new(const struct recorder_config *config); /* NULL when memory runs out */
void recorder_free(struct recorder *recorder);
/* A connection begins (numbered 1, 2, …): a fresh rule set. The one before it is finished. */
void recorder_connection(struct recorder *recorder, uint64_t now_us);
/* The clock was set: Unix time at now_us == 0, for the rules from now on. */
void recorder_set_epoch_ms(struct recorder *recorder, uint64_t epoch_ms);
/* By which the connection in progress is judged: of the config, or what its request asked for. */
const struct profile *recorder_profile(const struct recorder *recorder);
/* What that of a client is called. */
const char *recorder_client_label(const struct session_class *session_class, const struct wire_event *event);
/* What the client sent, as its endpoint (or the transport in memory) saw it. */
void recorder_client_event(struct recorder *recorder, const struct wire_event *event);
/* It is about to be told of a frame: asks for the memory that takes (server/core/warm.h). */
void recorder_warm(const struct recorder *recorder);
/* What the server did: SEND, CLOSE, REFUSE, RESET, MARK, CAPTURE, STEP … at the time it was handed to the
 * transport. An unasked-for breach of the protocol by our own side becomes a JOURNAL_OWN_ERROR entry: that of
 * a message always, that of a rule for servers where it `watches_itself`. */
void recorder_action(struct recorder *recorder, uint64_t now_us, const struct actions *actions,
                     const struct action *action);
/* What the host said by itself: a pong, a ping of its own, the answer to a close frame; and the end that
 * follows a message which was cut short (`code` 1: by a reset; message_bytes: what of its payload went out).
 */
void recorder_host_event(struct recorder *recorder, const struct wire_event *event);
/* The engine was told that. Once for each of the client's events, in the order of the engine's steps; for
 * ticks see journal.h. No rule sees it. */
void recorder_taken(struct recorder *recorder, const struct taken_event *taken);
/* The engine asked for that, and it will not be sent. */
void recorder_dropped(struct recorder *recorder, uint64_t now_us, const struct action *action);
void recorder_finish(struct recorder *recorder, uint64_t now_us);
/* What `other`, of the same family, has judged counts for this one too: a connection beside its own. */
void recorder_join(struct recorder *recorder, const struct recorder *other);
/* Worst over all connections so far, of rule `n` of the family (codec/rules/rules.h). */
enum rule_verdict recorder_verdict(const struct recorder *recorder, size_t n);
/* `speeches_said` of struct rule_class, in the latest connection. */
size_t recorder_speeches_said(const struct recorder *recorder);

#endif
