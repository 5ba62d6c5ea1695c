/* An interview client core in a simulation, and the words of its server. */
#ifndef CLIENT_TESTS_INTERVIEW_SIMULATION_H
#define CLIENT_TESTS_INTERVIEW_SIMULATION_H

#include "client/interview/client.h"
#include "client/tests/simulation.h"

/* Reconnects up to `reconnects` times in a row. */
struct simulation interview_simulation_of(const char *profile, uint32_t reconnects);

/* What a server says. */
void interview_simulation_say(struct simulation *simulation, const struct interview_message *message);
/* Opened, and the status "connected". */
void interview_simulation_connected(struct simulation *simulation);
/* Samples whose values tell where they stand, from `first` on. `text` NULL: none. */
void interview_simulation_chunk(struct simulation *simulation, uint32_t first, size_t samples,
                                const char *text, bool is_final);
void interview_simulation_transcript(struct simulation *simulation, enum interview_speaker speaker,
                                     const char *text);
void interview_simulation_error(struct simulation *simulation, const char *code);

/* An answer of samples that tell where they stand, from `first` on. */
void interview_simulation_answer(struct simulation *simulation, uint32_t first, size_t samples);
int16_t interview_simulation_sample(uint32_t position);

/* Looking at the record. */
/* The n-th message that was sent, of that type or (OTHER) of any, read; the caller frees it. `*at_us`
 * UINT64_MAX: there are fewer. */
struct interview_message interview_nth_sent(const struct simulation *simulation,
                                            enum interview_message_type type, size_t n, uint64_t *at_us);
size_t interview_count_sent(const struct simulation *simulation, enum interview_message_type type);
size_t interview_count_errors(const struct simulation *simulation, const char *code);

#endif
