/*
 * A client core on a simulated clock, and the record of all it did. Time moves from deadline to deadline, so
 * minutes pass in microseconds and nothing depends on the machine.
 */
#ifndef CLIENT_TESTS_SIMULATION_H
#define CLIENT_TESTS_SIMULATION_H

#include "client/ojin/client.h"

enum {
    SIMULATION_SPEECH_ID = 0x11, /* the interaction ids of the tests are one byte, repeated */
    SIMULATION_OTHER_ID = 0x22
};

#define SIMULATION_EPOCH_MS UINT64_C(1700000000000)

struct recorded {
    uint64_t at_us;
    enum client_action_kind kind;
    uint16_t code;
    struct observation observation;
    uint8_t *data; /* a copy of exactly its size */
    size_t len;
    bool has_samples;
    int16_t samples[OJIN_FRAME_SAMPLES];
};

struct simulation {
    struct client *client;
    uint64_t now_us;
    struct client_actions *actions;
    struct recorded *records;
    size_t count;
    size_t capacity;
    uint32_t picture; /* the next frame's picture is this number */
    bool no_pongs;    /* the server answers no ping */
};

struct simulation simulation_start(const struct client_config *config);
/* For the profile of that name, with seams or NULL. */
struct simulation simulation_of(const char *profile, const struct client_seams *seams);
void simulation_end(struct simulation *simulation);

/* Takes over the actions of a command. */
void simulation_record(struct simulation *simulation);
void simulation_event(struct simulation *simulation, enum client_event_kind kind, uint16_t code,
                      struct bytes data);
/* Ticks at every deadline up to `until_us`, which is then the time. */
void simulation_run(struct simulation *simulation, uint64_t until_us);
void simulation_text(struct simulation *simulation, const char *text);
/* Opened, then sessionReady. */
void simulation_ready(struct simulation *simulation);

struct frame_spec {
    uint32_t index;
    uint8_t id;
    bool final;
    bool empty;   /* no payload */
    int16_t fill; /* every sample of its audio */
};
void simulation_frame(struct simulation *simulation, const struct frame_spec *spec);
/* `count` frames, one each `interval_us`, the first now. */
void simulation_frames(struct simulation *simulation, size_t count, uint64_t interval_us,
                       const struct frame_spec *spec);
/* A frame's bytes; the caller frees them. */
struct bytes simulation_frame_bytes(const struct frame_spec *spec, uint32_t picture);

void simulation_speak(struct simulation *simulation, const int16_t *samples, size_t count);
void simulation_cancel(struct simulation *simulation);
void simulation_client_end(struct simulation *simulation);
void simulation_close(struct simulation *simulation);

/* Samples that tell where they stand; the caller frees them. None of them is zero. */
int16_t *simulation_ramp(size_t count);

/* Looking at the record. */
size_t count_kind(const struct simulation *simulation, enum client_action_kind kind);
size_t count_seen(const struct simulation *simulation, enum observation_kind kind);
size_t count_played(const struct simulation *simulation, uint32_t index);
/* The n-th (from 0) of the kind, NULL when there are fewer. */
const struct recorded *nth_kind(const struct simulation *simulation, enum client_action_kind kind, size_t n);
const struct recorded *nth_seen(const struct simulation *simulation, enum observation_kind kind, size_t n);
/* Text messages whose type is that. */
size_t count_sent_type(const struct simulation *simulation, const char *type);

#endif
