/* One engine's part of a journal, and where its replay stands. Private to this folder. */
#ifndef CONFORMANCE_REPLAY_LANE_H
#define CONFORMANCE_REPLAY_LANE_H

#include "conformance/replay/places.h"
#include "conformance/replay/replay.h"

static const size_t LANE_NONE = SIZE_MAX;

struct lane {
    const struct journal *journal;
    const struct place *places; /* of the whole journal, by connection and then in its order */
    size_t from, to;            /* of this engine */
    /* What each action became, by its order: the index of an entry, or LANE_NONE when the journal ends before
     * it. Owned. */
    size_t *expected;
    size_t expected_count;
    /* Where the client's next message is looked for. */
    uint32_t message_connection;
    size_t message;
};

/* False with the reason in `out`. */
bool lane_index(struct lane *lane, struct replay_result *out);
void lane_free(struct lane *lane);
const struct journal_entry *lane_entry(const struct lane *lane, size_t place);
/* The entry that tells what the action of that order became; NULL when it is not known. */
const struct journal_entry *lane_expected(const struct lane *lane, uint64_t order);
/* Does the entry stand for an action that an engine asked for, and that was carried out? */
bool lane_is_carried_out(const struct journal_entry *entry);
/* What the client sent, for the entry at `place`, which says it was taken. False with the reason in `out`. */
bool lane_message(struct lane *lane, size_t place, struct engine_event *event, struct replay_result *out);

/* compare.c: false with the first difference in `out`. `got` is what the recorder makes of the replay's
 * action. */
bool replay_compare(const struct journal_entry *journal, const struct journal_entry *got,
                    struct replay_result *out);
/* Says it, with where; always false. */
bool replay_stop(struct replay_result *out, enum replay_outcome outcome, size_t entry, const char *sentence);

#endif
