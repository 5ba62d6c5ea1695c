/*
 * Event patterns of a script against what happened.
 *
 * Two streams, never mixed: the journal (sides received, sent, mark, step) and the observations (side seen).
 * A position is an index into the stream of the pattern's side.
 *
 * Filters: kind=silence|speech|other (by index), index, interaction (a UUID, `nil`, or $NAME.interaction),
 * code, text (of a message: equal; of an observation: contained, as a client may say more around it), step
 * (the script step that sent it), final=true|false, clean=true|false (a closure with 1000 or 1001), bytes,
 * heard=true|false (of a frame that was played, or of an input that came: with a sound other than zeros),
 * pictured=true|false (with a picture), own=true|false (with its own picture), load (of ready, a number),
 * position (of queue), interrupts=true|false (of a client's message), samples, cache (kv_cache_length, also
 * in the text of a state). An event that has no such member does not match.
 */
#ifndef CONFORMANCE_JUDGE_PATTERN_H
#define CONFORMANCE_JUDGE_PATTERN_H

#include "conformance/judge/judge.h"

enum pattern_status {
    PATTERN_READY,
    PATTERN_UNRESOLVED, /* a $NAME that the script never captured */
    PATTERN_WRONG       /* no such filter, or no such value: the script's fault */
};

enum frame_kind { FRAME_SILENCE, FRAME_SPEECH, FRAME_OTHER };

struct filter {
    enum filter_kind kind;
    const struct session_messages *messages; /* of the case's family */
    const char *value;                       /* borrowed from the event pattern */
    uint64_t number;                         /* INDEX, BYTES, POSITION, SAMPLES, CACHE */
    bool flag;                               /* FINAL, CLEAN, HEARD, PICTURED, INTERRUPTS */
    enum frame_kind frame;
    uint8_t interaction[UUID_BYTES];
};

/* A pattern made ready for one case. Borrows the event pattern and the judge's input. */
struct pattern {
    const struct event_pattern *source;
    const struct judge_input *input;
    size_t filter_count;
    struct filter filters[SCRIPT_FILTERS_MAX];
    unsigned step_lines[4]; /* side step: where the step of each type stands in the script; 0: nowhere */
};

/* `why` gets a sentence when the status is not PATTERN_READY. */
enum pattern_status pattern_resolve(const struct event_pattern *source, const struct judge_input *input,
                                    struct pattern *out, struct text *why);

bool side_is_seen(enum event_side side);
/* How many events the stream of `side` holds. */
size_t stream_length(const struct judge_input *input, enum event_side side);
bool pattern_matches(const struct pattern *pattern, size_t position);
/* The first match in [from, to); `to` when there is none. */
size_t pattern_find(const struct pattern *pattern, size_t from, size_t to);
/* The number of matches in [from, to). */
uint64_t pattern_count(const struct pattern *pattern, size_t from, size_t to);

/* An input of the client with a sound other than zeros. */
bool pattern_entry_is_heard(const struct session_messages *messages, const struct journal_entry *entry);
enum frame_kind frame_kind_of_index(const struct session_messages *messages, int64_t index);
/* What a client said it saw, for people: "played speech index 1 interaction … final". */
void observation_describe(struct text *out, const struct session_messages *messages,
                          const struct observation *observation);
/* The event at `position` for people: "speech frame, index 1, interaction …". */
void event_describe(struct text *out, const struct judge_input *input, enum event_side side, size_t position);

#endif
