/*
 * A whole conversation between a client and a session, recorded as a mock would: what the client sends goes
 * to the recorder and to the session, what the session does goes to the recorder, at a time that only the
 * test moves.
 */
#ifndef SERVER_TESTS_CONVERSATION_H
#define SERVER_TESTS_CONVERSATION_H

#include "server/journal/recorder.h"

#define CONVERSATION_KEY    "sk-secret-0123456789"
#define CONVERSATION_CONFIG "my config"

struct persona;

struct conversation {
    struct journal_header header;
    struct session_config config;
    struct session *session;
    struct journal *journal;
    struct recorder *recorder;
    struct actions actions;
    uint64_t now_us;
    size_t sink_calls;
};

/* The session of a journal's header; `persona` is the caller's. */
struct session_config conversation_config(const struct journal_header *header, struct persona *persona);
void conversation_begin(struct conversation *conversation, struct persona *persona);
void conversation_free(struct conversation *conversation);
/* The upgrade with that request head, and its 101. */
void conversation_upgrade(struct conversation *conversation, const char *text);
void conversation_send(struct conversation *conversation, enum wire_event_kind kind, struct bytes data);
/* An InteractionInput of that many samples, each of that value. */
void conversation_speak(struct conversation *conversation, size_t samples, int16_t value);
void conversation_run(struct conversation *conversation, uint64_t until_us);
/* Upgrade, silence, speech, cancel, mistakes, speech, end: everything a journal can hold of a session. */
void conversation_play(struct conversation *conversation);
/* The journal as text; buffer_free. */
void conversation_write(const struct journal *journal, struct buffer *out);

#endif
