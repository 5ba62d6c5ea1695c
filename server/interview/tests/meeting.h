/*
 * An interview session on a bench: a clock that only the test moves, and everything that was sent, kept.
 * Every message that goes in is copied to the heap at its exact size first.
 */
#ifndef SERVER_INTERVIEW_TESTS_MEETING_H
#define SERVER_INTERVIEW_TESTS_MEETING_H

#include "codec/interview/messages.h"
#include "server/core/rooms.h"
#include "server/core/session.h"

enum { MEETING_SAID_MAX = 1000, MEETING_TEXT_MAX = 400 };

static const uint64_t MEETING_EPOCH_MS = 1750000000000;
#define PLAIN         "interview-1.0"
#define DEPLOYED      "interview-deployed"
#define MEETING_ID    "6f1c1d0e-4b7a-4c58-9d4e-0123456789ab"
#define MEETING_TOKEN "a-token-that-is-right-as-it-stands"
#define MEETING_PATH  "/api/v1/interviews/" MEETING_ID "/realtime/connect"

/* One action. */
struct said {
    uint64_t at_us;
    enum action_kind kind;
    uint16_t code;
    char label[ACTION_LABEL_MAX];
    enum interview_message_type type;
    size_t faults;               /* of reading it */
    char text[MEETING_TEXT_MAX]; /* of a chunk or a transcript; else the whole message or reason, cut */
    char code_name[ACTION_LABEL_MAX];
    bool is_final, ai, has_speaker;
    size_t samples;
    int64_t timestamp;
};

struct meeting {
    struct session *session;
    struct session_config config;
    const struct interview_dialect *dialect; /* what is sent is read by */
    bool whole;                              /* `text` of all messages is the whole of them */
    struct actions actions;
    uint64_t now_us;
    size_t count;
    struct said *said;
    struct buffer heard; /* the sound of all chunks: PCM16 */
};

/* Nothing has happened yet. `quirks`: as in --quirk, separated by spaces. */
void meeting_new(struct meeting *meeting, const char *profile, const char *quirks, struct rooms *rooms);
void meeting_free(struct meeting *meeting);
/* The upgrade, and the opening when it is let in. */
void meeting_request(struct meeting *meeting, const char *target);
/* Let in with MEETING_TOKEN, and status connected is out. */
void meeting_begin(struct meeting *meeting, const char *profile, const char *quirks);
void meeting_event(struct meeting *meeting, enum session_event_kind kind, struct bytes data);
void meeting_text(struct meeting *meeting, const char *json);
/* A hum that counts as speech, or silence, in chunks of 200 ms, all sent at once. */
void meeting_speak(struct meeting *meeting, uint64_t ms);
void meeting_silence(struct meeting *meeting, uint64_t ms);
void meeting_run(struct meeting *meeting, uint64_t for_ms);
/* How many of that label. */
size_t meeting_count(const struct meeting *meeting, const char *label);
/* The n-th (from 0) of that label; fails the test when there are fewer. */
const struct said *meeting_nth(const struct meeting *meeting, const char *label, size_t n);
const struct said *meeting_last(const struct meeting *meeting, const char *label);
/* The labels of all that was sent from `first` on, with a space between two; chunks in a row count as one. */
void meeting_labels_are(const struct meeting *meeting, size_t first, const char *expected);

#endif
