/*
 * What a client under test writes: its standard output, in which each line that is a JSON object with the
 * member "conform" is an observation, and its standard error. Both are kept up to a bound, beyond which they
 * are cut and the cut is noted; observations go on being read after that.
 */
#ifndef CONFORMANCE_RUN_CAPTURE_H
#define CONFORMANCE_RUN_CAPTURE_H

#include "client/core/observation.h"
#include "codec/wire/buffer.h"

enum { CAPTURE_BYTES_MAX = 1024 * 1024 };

struct capture {
    struct buffer kept;
    uint64_t bytes;     /* all that came */
    bool observes;      /* lines are read as observations */
    struct buffer line; /* the line in progress, up to OBSERVATION_LINE_MAX */
    bool line_too_long;
    struct observation *observations;
    size_t observation_count;
    size_t observation_capacity;
    bool observations_cut;
    char bad_observation[200]; /* the first line that means to be an observation and is wrong; empty: none */
};

void capture_init(struct capture *capture, bool observes);
void capture_free(struct capture *capture);
void capture_feed(struct capture *capture, struct bytes data);
/* The stream has ended: a last line without its newline counts too. */
void capture_end(struct capture *capture);
/* Was anything thrown away? */
bool capture_was_cut(const struct capture *capture);

/* What kind of crash a client's standard error speaks of, as a sentence (an uncaught exception of a
 * language's runtime, a sanitizer's report); false when it speaks of none. */
bool crash_report_find(struct bytes standard_error, char *sentence, size_t capacity);

#endif
