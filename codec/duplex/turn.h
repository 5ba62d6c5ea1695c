/*
 * A turn of the server as its deltas: which sound and which text each holds. 002 Output Audio Length,
 * Text/Audio Alignment; field notes: at most 27 characters of text a delta.
 *
 * The middle deltas hold exactly a second, the first and the last less; the last has end_of_turn. The text
 * leads the sound by DUPLEX_TEXT_LEAD_US, and is cut between characters, never inside one.
 */
#ifndef CODEC_DUPLEX_TURN_H
#define CODEC_DUPLEX_TURN_H

#include "codec/duplex/constants.h"
#include "codec/wire/bytes.h"

struct duplex_turn {
    size_t samples;       /* of the whole turn, at DUPLEX_OUTPUT_RATE */
    size_t first_samples; /* of its first delta */
    size_t delta_count;
    struct bytes text; /* UTF-8; borrowed */
    size_t text_chars;
};

struct duplex_turn_part {
    size_t first; /* sample of the turn */
    size_t samples;
    struct bytes text; /* of the turn's */
    bool end_of_turn;
};

/*
 * Divides a turn. `first_samples` is what the first delta may hold (1 to DUPLEX_DELTA_SAMPLES; it holds less
 * when there is no more). A turn without sound is one delta. False when the text has more characters than its
 * deltas can hold; *out is set all the same, and its last delta then holds the rest.
 */
bool duplex_turn_divide(size_t samples, size_t first_samples, struct bytes text, struct duplex_turn *out);
/* Delta `n`, below delta_count. */
void duplex_turn_part(const struct duplex_turn *turn, size_t n, struct duplex_turn_part *out);

/*
 * When what was sent could be played out, by a client that starts with the first delta and never waits: what
 * a server goes by before it says that it listens, and what is left unplayed when it does. All zero at first.
 */
struct duplex_playout {
    bool started;
    uint64_t end_us; /* when the last of it has been heard */
    uint64_t samples;
};

/* A delta of `samples` came at `at_us`. */
void duplex_playout_add(struct duplex_playout *playout, uint64_t at_us, size_t samples);
/* What is not yet heard is dropped: returns how many samples that are, and ends the turn. */
uint64_t duplex_playout_drop(struct duplex_playout *playout, uint64_t at_us);
/* Samples not yet heard at `at_us`; 0 from end_us on. */
uint64_t duplex_playout_left(const struct duplex_playout *playout, uint64_t at_us);
/* How long `samples` last, rounded up to a microsecond. */
uint64_t duplex_output_us(uint64_t samples);

#endif
