/*
 * An InteractionInput as the rules see it: read even where it is wrong, so that a fault is laid at one door
 * only.
 *
 * A header that is little-endian, or whose params size is wrong, still shows where the audio is; only when
 * nothing fits is the audio unknown. 000 InteractionInput.
 */
#ifndef CODEC_RULES_OJIN_INPUT_VIEW_H
#define CODEC_RULES_OJIN_INPUT_VIEW_H

#include "codec/ojin/input.h"
#include "codec/wire/wire_event.h"

/* How near the clock of the session a timestamp must be (OJ-IN-02 "near"). */
enum { INPUT_TIMESTAMP_TOLERANCE_MS = 60000 };

enum input_header_fault {
    INPUT_HEADER_GOOD,
    INPUT_HEADER_SHORT, /* fewer than 13 bytes */
    INPUT_HEADER_TYPE,  /* the payload type is not 1, and the rest is a header */
    INPUT_HEADER_NONE,  /* neither type nor timestamp fit: most likely bare audio */
    INPUT_HEADER_LITTLE_ENDIAN,
    INPUT_HEADER_PADDED,  /* laid out as a C struct: 20 bytes */
    INPUT_HEADER_PAST_END /* the params size fits in neither byte order */
};

enum input_clock {
    INPUT_CLOCK_RIGHT,
    INPUT_CLOCK_SECONDS,
    INPUT_CLOCK_MICROSECONDS,
    INPUT_CLOCK_NANOSECONDS,
    INPUT_CLOCK_LOW_32_BITS,
    INPUT_CLOCK_ZERO,
    INPUT_CLOCK_OTHER
};

struct input_view {
    enum input_header_fault fault;
    uint8_t payload_type;
    uint64_t timestamp_ms; /* as it stands there, big-endian */
    uint32_t params_bytes; /* as it stands there, big-endian */
    bool clock_judged;     /* false: what is wrong with the timestamp is the header's fault */
    enum input_clock clock;
    bool params_known; /* the header says where params are: `params` and `params_error` are set */
    struct bytes params;
    struct wire_error params_error;
    bool params_misplaced; /* params are there, but not in the size the header says */
    bool audio_known;
    struct bytes audio;   /* what was kept of it */
    uint64_t audio_bytes; /* the true size */
    bool audio_zero;      /* all of it that was kept is zero; false when there is none */
};

/* Of what unit or kind a timestamp of now is; and the sentence that says so, empty where there is none. */
enum input_clock input_clock_of(uint64_t timestamp, uint64_t now_ms);
const char *input_clock_sentence(enum input_clock clock);

/* `now_ms`: the clock of the session at the message. */
void input_view_read(const struct wire_event *event, uint64_t now_ms, struct input_view *out);

#endif
