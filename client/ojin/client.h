/*
 * The reference client of the Ojin family, without I/O: 000 How It Works, Best Practices.
 *
 * Connects, waits for sessionReady, sends the opening frame of silence (where the profile has it), sends
 * speech within the rate and size limits with one message a second kept for control, buffers frames, drops
 * one of every two silence frames above its target, plays 25 frames a second, gates its own speech audio on
 * the first speech frame (current profiles) or plays the audio of the frames (earlier), ends and cancels. The
 * first message of a turn says in its params which frame is being shown, once one is and unless the user's
 * params say it.
 *
 * Pings every 30 s and gives the connection up when no pong comes; reports a stall. When the connection is
 * lost or refused and it was told to reconnect, it backs off and asks the host for a new connection, which
 * begins cleanly: sessionReady is awaited and the opening silence sent again, with a fresh rate budget.
 * Frames of the old session are not played, and speech of which a part was sent is not sent again, nor is its
 * rest; speech of which nothing was sent is still to be sent. What no repetition can mend is not tried again
 * (see reconnect.h), nor is anything after ojin_client_close or endInteraction.
 *
 * Commands and events come in, actions go out; time is an argument.
 *
 * Actions are added to what the list holds already, so commands may follow a step on the same list; the host
 * carries them out and empties the list before the next step.
 *
 * Codes of error observations that are the client's own: "NO_CONNECTION" (no connection at all), an HTTP
 * status ("401"), "" (plain text of the server), "BAD_FRAME", "READY_TIMEOUT", "FINAL_TIMEOUT",
 * "PONG_TIMEOUT", "STALLED" (the session goes on), "SPEECH_LOST" (with the connection, and it
 * reconnects), "GAVE_UP" (it reconnects no more), "BUFFER_FULL", "OUT_OF_MEMORY". Any other is the code of an
 * errorResponse.
 */
#ifndef CLIENT_OJIN_CLIENT_H
#define CLIENT_OJIN_CLIENT_H

#include "client/core/life.h"
#include "codec/family.h"

enum {
    OJIN_CLIENT_BUFFER_FRAMES_MAX = 4096, /* frames held at most; beyond it the session ends with an error */
    OJIN_CLIENT_BUFFER_BYTES_MAX = 512 * 1024 * 1024,
    OJIN_CLIENT_SPEECH_SAMPLES_MAX = 16000 * 3600,
    OJIN_CLIENT_PARAMS_BYTES_MAX = 1024, /* of ojin_client_speak_with */
    OJIN_CLIENT_CHUNK_SAMPLES_DEFAULT =
        16000, /* speech a message where the profile leaves it open: 1 s, as 000's example */
    OJIN_CLIENT_READY_WAIT_US = 10000000, /* gives up when sessionReady has not come: OJ-CON-10 */
    OJIN_CLIENT_FINAL_WAIT_US = 10000000, /* and when the final frame does not: OJ-END-03 */
    OJIN_CLIENT_SETTLE_WAIT_US =
        2000000, /* after a cancel, how long new speech waits for the old to settle */
    OJIN_CLIENT_STALL_WAIT_US =
        10000000 /* after speech was sent, how long it waits for any to come back: OJ-FLD-04 */
};

struct ojin_client_config {
    const struct profile *profile;
    struct client_life_options life;
    uint32_t buffer_target; /* frames; 0: OJIN_BUFFER_TARGET_FRAMES */
    uint32_t
        chunk_samples; /* speech a message at most; 0: the profile's, or OJIN_CLIENT_CHUNK_SAMPLES_DEFAULT */
    uint64_t ready_wait_us; /* 0: OJIN_CLIENT_READY_WAIT_US, for the upgrade and for sessionReady each */
};

/* What it does while it is up. */
enum ojin_client_stage { OJIN_CLIENT_AWAITING_READY = 1, OJIN_CLIENT_STREAMING, OJIN_CLIENT_ENDING };

struct ojin_client_summary {
    uint64_t frames[3]; /* received: silence, speech, other index */
    uint64_t played[3];
    uint64_t silence_dropped;
    uint64_t undecodable;
    uint64_t text_ignored;
    uint64_t messages_sent;
    uint64_t samples_sent;
    uint64_t buffer_high_water; /* frames */
    uint64_t ready_us;          /* now_us of sessionReady; 0: never */
    uint64_t first_sent_us;     /* of the first speech sent */
    uint64_t first_speech_us;   /* of the first speech frame received */
    uint64_t stalls;            /* reported */
    bool has_load;              /* of the latest sessionReady */
    double load;
    char parameters[OBSERVATION_TEXT_MAX]; /* its parameters, a JSON object; empty: none, or too long */
};

struct ojin_client;

/* For a host that drives cores of any family; its `core` is a struct ojin_client. */
extern const struct client_class OJIN_CLIENT_CLASS;
extern const struct plan_class OJIN_PLAN_CLASS; /* its part of that: see client/plan/plan_runner.h */

struct ojin_client *ojin_client_new(const struct ojin_client_config *config); /* NULL when memory runs out */
void ojin_client_free(struct ojin_client *client);

/* Commands. Each may add actions. */
/* Speech to be sent and (current profiles) to be played: copied. False when OJIN_CLIENT_SPEECH_SAMPLES_MAX
 * would be passed. */
bool ojin_client_speak(struct ojin_client *client, uint64_t now_us, const int16_t *samples, size_t count,
                       struct client_actions *actions);
/* The same, and its messages carry `params`, the text of a JSON object (000 InteractionInputMessage); empty:
 * none. Copied. False too when that is no object or longer than OJIN_CLIENT_PARAMS_BYTES_MAX. A message holds
 * no speech that was handed over with other params. */
bool ojin_client_speak_with(struct ojin_client *client, uint64_t now_us, const int16_t *samples, size_t count,
                            struct bytes params, struct client_actions *actions);
/* Drops speech not yet sent and speech frames held, reports OBSERVED_CANCELLED, and sends cancelInteraction
 * as the next message when speech is due. Speech frames of what was cancelled are not played when they come
 * late. New speech is held until the server has settled: a frame that is no speech, CANCELLED, or
 * OJIN_CLIENT_SETTLE_WAIT_US. While the cancelled interaction has not shown its id, speech frames that come
 * before that count as its own. */
void ojin_client_cancel(struct ojin_client *client, uint64_t now_us, struct client_actions *actions);
/* endInteraction once the speech handed over is sent; then reads on to the final frame, plays what it holds,
 * closes. */
void ojin_client_end(struct ojin_client *client, uint64_t now_us, struct client_actions *actions);
/* For good: no attempt follows. While it backs off it is over at once. */
void ojin_client_close(struct ojin_client *client, uint64_t now_us, struct client_actions *actions);
/* From now on a lost connection is tried again up to `times` times in a row; 0: not at all. */
void ojin_client_set_reconnect(struct ojin_client *client, uint32_t times);

void ojin_client_step(struct ojin_client *client, const struct client_event *event,
                      struct client_actions *actions);
uint64_t
ojin_client_deadline_us(const struct ojin_client *client); /* UINT64_MAX: none; in the past: step again */
const struct client_life *ojin_client_life(const struct ojin_client *client); /* where it stands */
const struct ojin_client_summary *ojin_client_summary(const struct ojin_client *client);

void ojin_client_progress(const struct ojin_client *client, struct client_progress *out);

#endif
