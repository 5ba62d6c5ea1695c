/* A client core of the Ojin family in a simulation, and the words of its server. */
#ifndef CLIENT_TESTS_OJIN_SIMULATION_H
#define CLIENT_TESTS_OJIN_SIMULATION_H

#include "client/ojin/client.h"
#include "client/tests/simulation.h"

enum {
    SIMULATION_SPEECH_ID = 0x11, /* the interaction ids of the tests are one byte, repeated */
    SIMULATION_OTHER_ID = 0x22
};

#define SIMULATION_EPOCH_MS UINT64_C(1700000000000)

struct simulation simulation_start(const struct ojin_client_config *config);
/* For the profile of that name. */
struct simulation simulation_of(const char *profile);

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
size_t count_played(const struct simulation *simulation, uint32_t index);
/* Text messages whose type is that. */
size_t count_sent_type(const struct simulation *simulation, const char *type);

#endif
