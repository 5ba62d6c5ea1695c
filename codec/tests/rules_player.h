/*
 * The two peers of a session for the tests of the rules: what they send, and how the client writes it. The
 * words of rules_words.c drive it. Private to rules_session.c.
 */
#ifndef CODEC_TESTS_RULES_PLAYER_H
#define CODEC_TESTS_RULES_PLAYER_H

#include "codec/tests/rules_session.h"

enum { SPEECH_COUNT = 3, MESSAGE_ROOM = 700000, FINDINGS_ROOM = 64 };

struct player {
    const struct session_case *session;
    struct rule_context context;
    struct rule_set *rules; /* made at the first event, so that words can change the context before */
    int16_t *samples[SPEECH_COUNT];
    uint64_t now_us;
    uint64_t gap_us; /* before each message of the client */
    size_t speech;
    size_t position; /* bytes */
    uint8_t payload_type;
    char clock; /* how the timestamp is written: the words named clock:x */
    bool little_endian;
    bool padded;
    bool swap_samples;
    bool params;      /* the data of the case goes along as params */
    long params_size; /* as the header says; -1: the truth */
    size_t kept_max;  /* bytes of a message that the transport keeps */
    bool fault;
    struct finding findings[FINDINGS_ROOM];
    size_t finding_count;
};

void player_init(struct player *player, const struct session_case *session);
void player_free(struct player *player);

/* Samples that are never zero behind the first `quiet` ones, which are; the caller frees them. */
int16_t *speech_make(size_t count, uint32_t seed, size_t quiet);

/* One event to the rules, now. */
void player_emit(struct player *player, enum wire_direction direction, enum wire_event_kind kind,
                 uint16_t code, struct bytes data);
/* The same after the gap between the client's messages. */
void player_from_client(struct player *player, enum wire_event_kind kind, struct bytes data);
void player_from_server(struct player *player, enum wire_event_kind kind, const char *text);
/* A request with that head, and the response that grants it. */
void player_request(struct player *player, struct bytes head);
/* What the rules have found so far, into player->findings. */
void player_take_findings(struct player *player);

uint64_t player_timestamp(const struct player *player);
/* Bytes of the speech that are not sent. */
size_t player_speech_left(const struct player *player);
/* One audio message: the next bytes of the speech, then that many samples of zero. */
void player_send_audio(struct player *player, size_t bytes, size_t zero_samples);
/* The rest of the speech in chunks, and on to the next one. */
void player_send_all(struct player *player);
void player_next_speech(struct player *player);

/* Does what "word" or "word:text" says; a word that is not known fails the test. */
void player_obey(struct player *player, char *word);

#endif
