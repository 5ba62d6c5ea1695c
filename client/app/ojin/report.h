/* What a spoken session came to: measured while it plays, then printed for people or as JSON. */
#ifndef CLIENT_APP_OJIN_REPORT_H
#define CLIENT_APP_OJIN_REPORT_H

#include <stdio.h>

#include "client/app/report_parts.h"
#include "client/ojin/client.h"

struct report {
    /* Picture against sound, from the block codes of the speech pictures played: how far the picture is
     * ahead. */
    uint64_t coded;   /* pictures whose code could be read */
    uint64_t uncoded; /* and those where it could not */
    double offset_sum_ms;
    double offset_max_ms; /* the largest, by size */
    bool heard_turn;
    uint8_t interaction[UUID_BYTES];
    uint64_t heard_samples;       /* in this interaction */
    char error[REPORT_ERROR_MAX]; /* the first of this connection, empty: none */
    bool speech_lost;             /* which no later connection mends: `error` stands */
    bool closed;
    uint16_t close_code;
    char close_reason[OBSERVATION_TEXT_MAX];
    struct ojin_client_summary summary;
    struct client_progress progress;
};

/* Every CLIENT_OBSERVE action. */
void report_observe(struct report *report, const struct client_action *action);
void report_print(const struct report *report, const char *video, FILE *out);
/* False when the file cannot be written. */
bool report_write_json(const struct report *report, const char *sound, const char *video, const char *path);

#endif
