/* What a conversation came to: its turns and errors, gathered while it goes on. */
#ifndef CLIENT_APP_DUPLEX_TALK_REPORT_H
#define CLIENT_APP_DUPLEX_TALK_REPORT_H

#include <stdio.h>

#include "client/app/report_parts.h"
#include "client/duplex/client.h"

enum { TALK_TURNS_MAX = 1000 };

struct talk_turn {
    double from_s; /* since session.created */
    double to_s;
    bool whole; /* heard to its end, else it was cut off */
    char text[OBSERVATION_TEXT_MAX];
};

struct talk_report {
    size_t turn_count; /* that are kept */
    struct talk_turn turns[TALK_TURNS_MAX];
    bool in_turn; /* something of the next was heard, from there on: */
    uint32_t turn_at;
    char error[REPORT_ERROR_MAX]; /* the latest of this connection; empty: none */
    bool closed;
    uint16_t close_code;
    char close_reason[OBSERVATION_TEXT_MAX];
    struct duplex_client_summary summary; /* once it is over */
    struct client_progress progress;
};

/* Every CLIENT_OBSERVE action. True when a turn was added, the last of the list. */
bool talk_report_observe(struct talk_report *report, const struct observation *seen);
/* "[   1.20 -    3.45] Hello, how can I help?" */
void talk_turn_print(const struct talk_turn *turn, FILE *out);
void talk_report_print(const struct talk_report *report, FILE *out);
/* False when the file cannot be written. */
bool talk_report_write_transcript(const struct talk_report *report, const char *path);
bool talk_report_write_json(const struct talk_report *report, const char *mode, const char *path);

#endif
