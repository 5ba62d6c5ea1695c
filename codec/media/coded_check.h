/*
 * What was wrong with the playing of coded signals, from the runs that coded_reader tells: gaps, overlaps,
 * repeats, wrong order, pieces left out or cut off. Positions are those of the source, so that they can be
 * laid beside what the server sent.
 *
 * Whether something left out comes later, which makes it wrong order, is known only later; so missing pieces
 * are told when their source cannot come any more, at the end at the latest.
 */
#ifndef CODEC_MEDIA_CODED_CHECK_H
#define CODEC_MEDIA_CODED_CHECK_H

#include "codec/media/coded_reader.h"

enum coded_finding_kind {
    CODED_GAP,       /* silence in the middle of a source, which goes on after it where it was */
    CODED_MISSING,   /* samples that were never played, with more of their source after them */
    CODED_OVERLAP,   /* samples over which others were played at the same time */
    CODED_REPEAT,    /* samples that had been played before */
    CODED_REORDER,   /* samples that come after those that follow them; or a whole source that does */
    CODED_DAMAGED,   /* samples in whose place, or before which, something else was played */
    CODED_TRUNCATED, /* the end of a source was not played: where it stopped, and how many are left */
    CODED_FOREIGN    /* of a source that was not sent, or past its end */
};

/* As reports name it: "gap", "missing" …; static. */
const char *coded_finding_name(enum coded_finding_kind kind);

struct coded_finding {
    enum coded_finding_kind kind;
    uint16_t source;
    uint32_t position; /* in the source */
    uint64_t count;    /* samples */
    uint64_t at;       /* sample of what was played */
};

/* What was sent, in order. */
struct coded_source {
    uint16_t source;
    uint32_t count; /* samples */
};

typedef void coded_finding_sink(void *context, const struct coded_finding *finding);

enum { CODED_HOLES_MAX = 64 }; /* pieces that may still come; past that the oldest is told as missing */

struct coded_hole {
    size_t source; /* row of what was sent */
    uint32_t first;
    uint32_t end;
    uint64_t at;
};

struct coded_check {
    coded_finding_sink *sink;
    void *context;
    const struct coded_source *sources; /* borrowed until the end */
    size_t source_count;
    bool playing;      /* some source was played */
    size_t source;     /* row of the one that is played */
    uint32_t position; /* and where it goes on */
    uint64_t at;       /* end of what was played of it */
    uint64_t silence;  /* samples since then */
    uint64_t other;
    uint64_t heard; /* samples of sources that were played, repeats included */
    size_t hole_count;
    struct coded_hole holes[CODED_HOLES_MAX];
};

void coded_check_init(struct coded_check *check, const struct coded_source *sources, size_t source_count,
                      coded_finding_sink *sink, void *context);
/* A coded_run_sink, whose context is the check. */
void coded_check_run(void *context, const struct coded_run *run);
void coded_check_finish(struct coded_check *check);

#endif
