/*
 * A full-duplex client core on a simulated clock, the record of all it did, and the words of a server. Time
 * moves from deadline to deadline, so minutes pass in microseconds and nothing depends on the machine.
 */
#ifndef CLIENT_TESTS_DUPLEX_SIMULATION_H
#define CLIENT_TESTS_DUPLEX_SIMULATION_H

#include "client/duplex/client.h"

struct duplex_recorded {
    uint64_t at_us;
    enum client_action_kind kind;
    uint16_t code;
    struct observation observation;
    uint8_t *data; /* a copy of exactly its size */
    size_t len;
};

struct duplex_simulation {
    const struct duplex_profile *profile;
    struct duplex_client *client;
    uint64_t now_us;
    size_t unsent; /* as the events tell it */
    bool no_pongs;
    struct client_actions *actions;
    struct duplex_recorded *records;
    size_t count;
    size_t capacity;
};

/* `seams` may be NULL. */
struct duplex_simulation duplex_simulation_of(const char *profile, const struct duplex_client_seams *seams);
struct duplex_simulation duplex_simulation_start(const struct duplex_client_config *config);
void duplex_simulation_end(struct duplex_simulation *simulation);

/* Takes over the actions of a command. */
void duplex_simulation_record(struct duplex_simulation *simulation);
void duplex_simulation_event(struct duplex_simulation *simulation, enum client_event_kind kind, uint16_t code,
                             struct bytes data);
/* Ticks at every deadline up to `until_us`, which is then the time. */
void duplex_simulation_run(struct duplex_simulation *simulation, uint64_t until_us);

/* What a server says. */
void duplex_simulation_text(struct duplex_simulation *simulation, const char *text);
void duplex_simulation_say(struct duplex_simulation *simulation, const struct duplex_message *message);
void duplex_simulation_error(struct duplex_simulation *simulation, const char *code);
void duplex_simulation_closed(struct duplex_simulation *simulation, const char *reason);
void duplex_simulation_listen(struct duplex_simulation *simulation);
/* Samples whose values tell where they stand: `first`, `first` + 1 … over 2^20. */
void duplex_simulation_delta(struct duplex_simulation *simulation, uint32_t first, size_t samples,
                             const char *text, bool end_of_turn);
/* Opened, queue_done, created. */
void duplex_simulation_created(struct duplex_simulation *simulation);

/* A second of samples that tell where they stand, each above 0. */
void duplex_simulation_talk(struct duplex_simulation *simulation, size_t samples);
float duplex_simulation_sample(uint32_t position);

/* Looking at the record. */
size_t duplex_count_kind(const struct duplex_simulation *simulation, enum client_action_kind kind);
size_t duplex_count_seen(const struct duplex_simulation *simulation, enum observation_kind kind);
const struct duplex_recorded *duplex_nth_kind(const struct duplex_simulation *simulation,
                                              enum client_action_kind kind, size_t n);
/* The n-th (from 0) of the kind, NULL when there are fewer. */
const struct duplex_recorded *duplex_nth_seen(const struct duplex_simulation *simulation,
                                              enum observation_kind kind, size_t n);
/* The n-th message of that type that was sent, read; the caller frees it. Type OTHER: there are fewer. */
struct duplex_message duplex_nth_sent(const struct duplex_simulation *simulation,
                                      enum duplex_message_type type, size_t n, uint64_t *at_us);
size_t duplex_count_sent(const struct duplex_simulation *simulation, enum duplex_message_type type);
/* Was an error with that code reported? */
size_t duplex_count_errors(const struct duplex_simulation *simulation, const char *code);

#endif
