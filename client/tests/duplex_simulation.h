/* A full-duplex client core in a simulation, and the words of its server. */
#ifndef CLIENT_TESTS_DUPLEX_SIMULATION_H
#define CLIENT_TESTS_DUPLEX_SIMULATION_H

#include "client/duplex/client.h"
#include "client/tests/simulation.h"

struct simulation duplex_simulation_of(const char *profile);
struct simulation duplex_simulation_start(const struct duplex_client_config *config);

/* What a server says. */
void duplex_simulation_say(struct simulation *simulation, const struct duplex_message *message);
void duplex_simulation_error(struct simulation *simulation, const char *code);
void duplex_simulation_closed(struct simulation *simulation, const char *reason);
void duplex_simulation_listen(struct simulation *simulation);
/* Samples whose values tell where they stand: `first`, `first` + 1 … over 2^20. */
void duplex_simulation_delta(struct simulation *simulation, uint32_t first, size_t samples, const char *text,
                             bool end_of_turn);
/* Opened, queue_done, created. */
void duplex_simulation_created(struct simulation *simulation);

/* A second of samples that tell where they stand, each above 0. */
void duplex_simulation_talk(struct simulation *simulation, size_t samples);
float duplex_simulation_sample(uint32_t position);

/* Looking at the record. */
/* The n-th message of that type that was sent, read; the caller frees it. Type OTHER: there are fewer. */
struct duplex_message duplex_nth_sent(const struct simulation *simulation, enum duplex_message_type type,
                                      size_t n, uint64_t *at_us);
size_t duplex_count_sent(const struct simulation *simulation, enum duplex_message_type type);
/* Was an error with that code reported? */
size_t duplex_count_errors(const struct simulation *simulation, const char *code);

#endif
