/* The sound of the utterances, as generate_samples writes it. Private to utterance.c. */
#ifndef SERVER_DUPLEX_UTTERANCE_SAMPLES_H
#define SERVER_DUPLEX_UTTERANCE_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

extern const size_t DUPLEX_SAMPLES_1_COUNT;
extern const int16_t DUPLEX_SAMPLES_1[];
extern const size_t DUPLEX_SAMPLES_2_COUNT;
extern const int16_t DUPLEX_SAMPLES_2[];
extern const size_t DUPLEX_SAMPLES_3_COUNT;
extern const int16_t DUPLEX_SAMPLES_3[];

#endif
