/*
 * What leaves the client and when: the rate window, the size of audio messages, and the messages themselves.
 * 000 Rate Limits & Constraints, InteractionInput; 001 Audio Input. Private to the client core.
 *
 * At most OJIN_REQUESTS_PER_SECOND messages leave in any SENDER_WINDOW_US, a little more than a second so
 * that jitter on the way cannot push a seventh into it; one of them is kept for control messages. A message
 * counts from when the connection took it: one that was held up before is followed no sooner for that.
 *
 * After RATE_LIMITED audio and endInteraction pause for SENDER_PAUSE_US, twice as long with each refusal that
 * follows soon, up to SENDER_PAUSE_MAX_US; a cancelInteraction does not wait for the pause. Nothing is sent
 * again: the error does not tell which message was refused, and speech that was taken must not come twice.
 * The refusal is reported instead.
 */
#ifndef CLIENT_OJIN_SENDER_H
#define CLIENT_OJIN_SENDER_H

#include "client/ojin/speech.h"
#include "codec/ojin/constants.h"

enum {
    SENDER_PARAMS_BYTES_MAX = 1100, /* the user's, and which frame is shown */
    SENDER_WINDOW_US = 1100000,
    SENDER_AUDIO_PER_WINDOW = OJIN_REQUESTS_PER_SECOND - 1,
    SENDER_SPACING_US = 1000000 / SENDER_AUDIO_PER_WINDOW, /* between speech messages shorter than a chunk */
    SENDER_GATHER_US = 50000, /* a profile with chunks of its own waits this long for the rest of one */
    SENDER_MANY_CHUNKS = 10,  /* queued beyond this, such a profile sends several chunks a message */
    SENDER_PAUSE_US = 1000000,
    SENDER_PAUSE_MAX_US = 8000000,
    SENDER_PAUSE_MEMORY_US = 5000000 /* a refusal this soon after a pause counts as following it */
};

struct sent_message {
    uint64_t at_us;
    bool audio;
};

struct sender {
    uint32_t chunk_samples;
    bool whole_chunks; /* the profile asks for chunks of that size or multiples, but for the last */
    struct sent_message latest[OJIN_REQUESTS_PER_SECOND]; /* a ring of the latest messages */
    size_t latest_count;
    size_t latest_next;
    size_t untaken;          /* of the latest: those not known to be taken by the connection */
    uint64_t last_speech_us; /* when speech was sent last; UINT64_MAX: never */
    uint64_t last_handed_us;
    uint64_t paused_until_us;
    uint64_t pause_us; /* the length of the latest pause */
};

/* When the next message of that kind may leave; in the past: now. */
uint64_t sender_slot_us(const struct sender *sender, bool audio);
void sender_count(struct sender *sender, uint64_t now_us, bool audio);
/* What the connection did with the messages there were: `unsent` and `taken_us` of an event. */
void sender_taken(struct sender *sender, uint64_t now_us, size_t unsent, uint64_t taken_us);
void sender_pause(struct sender *sender, uint64_t now_us);
/*
 * How much of `unsent` samples goes into the next audio message, and when it is due (*due_us, whatever the
 * rate says). `all_handed`: no more will come, so a rest need not wait.
 */
size_t sender_chunk(const struct sender *sender, uint64_t unsent, bool all_handed, uint64_t *due_us);

#endif
