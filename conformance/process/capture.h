/*
 * What a client under test writes: its standard output, in which each line that is a JSON object with the
 * member "conform" is an observation, and its standard error, on which a crash leaves its marks. The
 * beginning and the end of each are kept, with a note of what was cut between them; observations and marks
 * are looked for in all of it.
 */
#ifndef CONFORMANCE_PROCESS_CAPTURE_H
#define CONFORMANCE_PROCESS_CAPTURE_H

#include "client/core/observation.h"
#include "codec/wire/buffer.h"
#include "conformance/process/crash_marks.h"

enum {
    CAPTURE_HEAD_MAX = 512 * 1024, /* of the beginning */
    CAPTURE_TAIL_MAX = 512 * 1024, /* of the end: a crash comes last */
    CAPTURE_NOTE_MAX = 64,
    CAPTURE_KEPT_MAX = CAPTURE_HEAD_MAX + CAPTURE_TAIL_MAX + CAPTURE_NOTE_MAX,
    BAD_OBSERVATION_MAX = 300
};

enum capture_kind {
    CAPTURE_OUTPUT, /* standard output: observations */
    CAPTURE_POSTED, /* what came over HTTP: observations */
    CAPTURE_ERRORS  /* standard error: crash marks */
};

struct capture {
    enum capture_kind kind;
    uint64_t bytes; /* all that came */
    struct buffer head;
    struct buffer tail; /* what came after the head: the last CAPTURE_TAIL_MAX bytes, or more */
    struct crash_marks marks;
    struct buffer line; /* the line in progress, up to OBSERVATION_LINE_MAX */
    bool line_too_long;
    uint64_t line_number; /* of the line in progress, from 1 */
    struct observation *observations;
    size_t observation_count; /* at most JUDGE_OBSERVATIONS_MAX */
    size_t observation_capacity;
    bool done;                 /* a line {"conform":1,"done":N} came … */
    int done_code;             /* … with this N: as the client's exit would be */
    uint64_t observations_cut; /* for which there was no room */
    uint64_t lines_unread;     /* objects in lines too long to be read, that may have been observations */
    /* The first line that means to be an observation and is wrong: its number, what is wrong and how it
     * begins; empty: none. */
    char bad_observation[BAD_OBSERVATION_MAX];
};

void capture_init(struct capture *capture, enum capture_kind kind);
void capture_free(struct capture *capture);
void capture_feed(struct capture *capture, struct bytes data);
/* The stream has ended: a last line without its newline counts too. */
void capture_end(struct capture *capture);

/* Adds the head, a line "[N bytes were cut here]" where something was, and the tail. False when memory runs
 * out or `out` is too small (CAPTURE_KEPT_MAX is enough). */
bool capture_kept(const struct capture *capture, struct buffer *out);
/* Adds a line for each kind of thing that was thrown away; nothing where nothing was. */
void capture_describe_cuts(const struct capture *capture, struct text *out);

#endif
