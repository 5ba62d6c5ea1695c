/*
 * A client core of any family on a simulated clock, and the record of all it did. Time moves from deadline to
 * deadline, so minutes pass in microseconds and nothing depends on the machine. What the server of a family
 * says stands in ojin_simulation.h and duplex_simulation.h.
 */
#ifndef CLIENT_TESTS_SIMULATION_H
#define CLIENT_TESTS_SIMULATION_H

#include "client/core/event.h"
#include "codec/ojin/constants.h"

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
    const struct client_class *class;
    const struct profile *profile;
    void *client; /* the family's own, which the simulation frees */
    uint64_t now_us;
    size_t unsent; /* as the events tell it, and the next: */
    uint64_t taken_us;
    bool no_pongs;    /* the server answers no ping */
    uint32_t picture; /* Ojin: the next frame's picture is this number */
    struct client_actions *actions;
    struct recorded *records;
    size_t count;
    size_t capacity;
};

/* Takes the client over. Ends the process when it is NULL. */
struct simulation simulation_with(const struct client_class *class, const struct profile *profile,
                                  void *client);
void simulation_end(struct simulation *simulation);
/* `memory`, unless it is NULL: then it ends the process. */
void *simulation_checked(void *memory);

/* Takes over the actions of a command. */
void simulation_record(struct simulation *simulation);
void simulation_event(struct simulation *simulation, enum client_event_kind kind, uint16_t code,
                      struct bytes data);
/* Ticks at every deadline up to `until_us`, which is then the time. */
void simulation_run(struct simulation *simulation, uint64_t until_us);
void simulation_text(struct simulation *simulation, const char *text);

/* Looking at the record. */
size_t count_kind(const struct simulation *simulation, enum client_action_kind kind);
size_t count_seen(const struct simulation *simulation, enum observation_kind kind);
/* The n-th (from 0) of the kind, NULL when there are fewer. */
const struct recorded *nth_kind(const struct simulation *simulation, enum client_action_kind kind, size_t n);
const struct recorded *nth_seen(const struct simulation *simulation, enum observation_kind kind, size_t n);
/* Did the client report that, of that kind? */
bool recorded_is_seen(const struct recorded *record, enum observation_kind kind);

#endif
