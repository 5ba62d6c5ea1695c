/* One engine's part of a journal, and where its replay stands. Private to this folder. */
#ifndef CONFORMANCE_REPLAY_LANE_H
#define CONFORMANCE_REPLAY_LANE_H

#include "conformance/replay/replay.h"

enum { LANE_NONE = SIZE_MAX };

/* Entries from `from` up to `to`, of one connection, or of all with a script. */
struct lane {
    const struct journal *journal;
    bool all_connections;
    uint32_t connection;
    size_t from, to;
    /* What each action became, by its order: the index of an entry, or LANE_NONE when the journal ends before
     * it. Owned. */
    size_t *expected;
    size_t expected_count;
    /* The client's message that was taken last. */
    uint32_t message_connection;
    size_t message;
};

/* False with the reason in `out`. */
bool lane_index(struct lane *lane, struct replay_result *out);
void lane_free(struct lane *lane);
bool lane_has(const struct lane *lane, const struct journal_entry *entry);
/* The entry that tells what the action of that order became; NULL when it is not known. */
const struct journal_entry *lane_expected(const struct lane *lane, uint64_t order);
/* What the client sent, for an entry that says it was taken. False with the reason in `out`. */
bool lane_message(struct lane *lane, const struct journal_entry *taken, enum engine_event_kind kind,
                  struct engine_event *event, struct replay_result *out);

/* compare.c: false with the first difference in `out`. `got` is what the recorder makes of the replay's
 * action. */
bool replay_compare(const struct journal_entry *journal, const struct journal_entry *got,
                    struct replay_result *out);
/* Says it, with where; always false. */
bool replay_stop(struct replay_result *out, enum replay_outcome outcome, size_t entry, const char *sentence);

#endif
