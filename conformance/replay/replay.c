/* Engines made anew, stepped as the journal says. */
#include "conformance/replay/replay.h"

#include <stdlib.h>

#include "codec/wire/text.h"
#include "conformance/replay/lane.h"
#include "server/journal/recorder.h"

/* An engine that wants to be called and does nothing: as often in a row it may. */
enum { IDLE_STEPS_MAX = 1000 };

struct replay {
    const struct replay_case *given;
    struct replay_result *result; /* of the lane in progress */
    struct lane lane;
    struct engine *engine;
    struct recorder *recorder; /* makes entries of actions */
    struct actions actions;
    uint64_t now_us;
    uint64_t asked;                       /* actions so far */
    const struct journal_entry *expected; /* of the action in progress; NULL: not known */
};

/* ---- one action ---- */

static void on_entry(void *context, const struct journal_entry *entry)
{
    struct replay *replay = context;
    if (entry->kind == JOURNAL_OWN_ERROR || replay->expected == NULL ||
        replay->result->outcome != REPLAY_IDENTICAL)
        return;
    if (replay_compare(replay->expected, entry, replay->result) && entry->kind == JOURNAL_WIRE)
        replay->result->messages++;
}

static bool compare_dropped(struct replay *replay, const struct action *action)
{
    if (strcmp(replay->expected->label, action->label) == 0) {
        replay->result->dropped++;
        return true;
    }
    struct text text = text_of(replay->result->text, sizeof replay->result->text);
    text_add(&text, "what was dropped here is ");
    text_add(&text, replay->expected->label);
    text_add(&text, " in the journal and ");
    text_add(&text, action->label);
    text_add(&text, " in the replay");
    replay->result->outcome = REPLAY_DIFFERENT;
    replay->result->entry = (size_t)replay->expected->sequence;
    return false;
}

/* Steps the engine and compares what it asks for; false when that is not what the journal says. */
static bool step(struct replay *replay, const struct engine_event *event)
{
    actions_clear(&replay->actions);
    engine_step(replay->engine, event, &replay->actions);
    if (event->now_us > replay->now_us)
        replay->now_us = event->now_us;
    for (size_t i = 0; i < replay->actions.count && replay->result->outcome == REPLAY_IDENTICAL; i++) {
        const struct action *action = &replay->actions.list[i];
        replay->expected = lane_expected(&replay->lane, replay->asked++);
        if (replay->expected != NULL && replay->expected->kind == JOURNAL_DROPPED)
            compare_dropped(replay, action);
        else
            recorder_action(replay->recorder, replay->now_us, &replay->actions, action);
    }
    return replay->result->outcome == REPLAY_IDENTICAL;
}

/* ---- time ---- */

/* The engine goes on by itself until it has asked for so many actions. False when it does not by then, or
 * asks for something else; `at` is the entry to name when no other is known. */
static bool run_to(struct replay *replay, uint64_t order, uint64_t until_us, size_t at)
{
    unsigned idle = 0;
    while (replay->asked < order) {
        const uint64_t before = replay->asked;
        const uint64_t due_us = engine_deadline_us(replay->engine);
        if (due_us > until_us || idle > IDLE_STEPS_MAX) {
            const struct journal_entry *missing = lane_expected(&replay->lane, replay->asked);
            return replay_stop(replay->result, REPLAY_DIFFERENT,
                               missing == NULL ? at : (size_t)missing->sequence,
                               "the replay does not send this");
        }
        const uint64_t now_us = due_us > replay->now_us ? due_us : replay->now_us;
        if (!step(replay, &(struct engine_event){.kind = ENGINE_TICK, .now_us = now_us}))
            return false;
        idle = replay->asked == before ? idle + 1 : 0;
    }
    return true;
}

static bool take(struct replay *replay, const struct journal_entry *taken, uint64_t horizon_us)
{
    const size_t at = (size_t)taken->sequence;
    struct engine_event event = {
        .now_us = taken->at_us, .code = taken->wire.code, .message_bytes = taken->wire.message_bytes};
    if (!engine_event_by_name(taken->label, &event.kind))
        return replay_stop(replay->result, REPLAY_IMPOSSIBLE, at, "a session cannot be told that");
    if (!lane_message(&replay->lane, taken, event.kind, &event, replay->result) ||
        !run_to(replay, taken->order, horizon_us, at))
        return false;
    if (replay->asked > taken->order)
        return replay_stop(replay->result, REPLAY_DIFFERENT, at,
                           "the replay has sent more by now than the journal shows");
    return step(replay, &event);
}

/* ---- one engine ---- */

static struct engine *engine_of(const struct replay_case *given, uint64_t seed)
{
    const struct journal_header *header = journal_header_of(given->journal);
    const struct engine_config config = {
        .session_class = session_class_by_family(header->family),
        .session = {.profile = ojin_profile_by_name(header->profile),
                    .key = header->key_known ? given->key : NULL,
                    .config_id = header->config[0] == '\0' ? NULL : header->config,
                    .seed = seed,
                    .epoch_ms = header->epoch_ms,
                    .silence_percent = header->silence_percent,
                    .speech_percent = header->speech_percent,
                    .speed = header->speed,
                    .persona = given->persona},
        .script = given->script};
    return engine_new(&config);
}

static void run_entries(struct replay *replay)
{
    const struct lane *lane = &replay->lane;
    uint64_t horizon_us = 0;
    for (size_t i = lane->from; i < lane->to; i++) {
        const struct journal_entry *entry = journal_at(lane->journal, i);
        if (entry->at_us > horizon_us)
            horizon_us = entry->at_us;
        if (entry->kind == JOURNAL_TAKEN && lane_has(lane, entry) && !take(replay, entry, horizon_us))
            return;
    }
    /* What came after the last of them, as far as the journal goes. */
    size_t known = lane->expected_count;
    while (known > 0 && lane->expected[known - 1] == LANE_NONE)
        known--;
    (void)run_to(replay, known, horizon_us, lane->to - 1);
}

/* Keeps the earliest thing that is wrong. */
static void result_add(struct replay_result *out, const struct replay_result *lane)
{
    out->messages += lane->messages;
    out->dropped += lane->dropped;
    out->sessions++;
    if (lane->outcome == REPLAY_IDENTICAL || (out->outcome != REPLAY_IDENTICAL && out->entry <= lane->entry))
        return;
    out->outcome = lane->outcome;
    out->entry = lane->entry;
    memcpy(out->text, lane->text, sizeof out->text);
}

/* The engine that begins at entry `from`. */
static void replay_lane(const struct replay_case *given, size_t from, size_t to, struct replay_result *out)
{
    const struct journal_entry *first = journal_at(given->journal, from);
    struct replay_result result = {.outcome = REPLAY_IDENTICAL};
    struct replay replay = {.given = given,
                            .result = &result,
                            .lane = {.journal = given->journal,
                                     .all_connections = given->script != NULL,
                                     .connection = first->connection,
                                     .from = from,
                                     .to = to}};
    const struct recorder_config config = {
        .session_class = session_class_by_family(journal_header_of(given->journal)->family),
        .sink = on_entry,
        .context = &replay};
    actions_init(&replay.actions);
    replay.engine = engine_of(given, first->seed);
    replay.recorder = recorder_new(&config);
    if (replay.engine == NULL || replay.recorder == NULL)
        (void)replay_stop(&result, REPLAY_NO_MEMORY, from, "there is not enough memory");
    else if (lane_index(&replay.lane, &result))
        run_entries(&replay);
    lane_free(&replay.lane);
    if (replay.recorder != NULL)
        recorder_free(replay.recorder);
    engine_free(replay.engine);
    actions_free(&replay.actions);
    result_add(out, &result);
}

/* ---- the journal ---- */

static bool begins_engine(const struct journal_entry *entry)
{
    return entry->kind == JOURNAL_TAKEN && entry->begins;
}

/* Where the engine that begins at `from` ends: with a script, where the next one begins. */
static size_t lane_end(const struct replay_case *given, size_t from)
{
    size_t to = from + 1;
    while (to < journal_count(given->journal) &&
           !(given->script != NULL && begins_engine(journal_at(given->journal, to))))
        to++;
    return to;
}

/* Has the host a sender for it: an engine that begins before? */
static bool is_without_engine(const struct replay_case *given, size_t n)
{
    const struct journal_entry *entry = journal_at(given->journal, n);
    if (entry->kind != JOURNAL_WIRE || entry->wire.direction != WIRE_FROM_SERVER || entry->by_host)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct journal_entry *before = journal_at(given->journal, i);
        if (begins_engine(before) && (given->script != NULL || before->connection == entry->connection))
            return false;
    }
    return true;
}

/* The server's first message of each connection must come from an engine that the journal knows. */
static bool journal_is_whole(const struct replay_case *given, struct replay_result *out)
{
    uint32_t last = 0;
    for (size_t i = 0; i < journal_count(given->journal); i++) {
        const struct journal_entry *entry = journal_at(given->journal, i);
        out->by_host += entry->by_host;
        if (entry->kind == JOURNAL_MARK && strcmp(entry->label, JOURNAL_FULL_MARK) == 0)
            out->ends_early = true;
        if (entry->connection <= last)
            continue;
        if (is_without_engine(given, i))
            return replay_stop(out, REPLAY_IMPOSSIBLE, i,
                               "the journal does not say what the session was told before it sent this");
        if (entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_SERVER)
            last = entry->connection;
    }
    return true;
}

void replay_run(const struct replay_case *replay_case, struct replay_result *out)
{
    const struct journal *journal = replay_case->journal;
    const struct journal_header *header = journal_header_of(journal);
    *out = (struct replay_result){.outcome = REPLAY_IDENTICAL};
    if (session_class_by_family(header->family) == NULL || ojin_profile_by_name(header->profile) == NULL) {
        (void)replay_stop(out, REPLAY_IMPOSSIBLE, 0, "the journal's family or profile is not known");
        return;
    }
    if (!journal_is_whole(replay_case, out))
        return;
    for (size_t i = 0; i < journal_count(journal); i++) {
        if (begins_engine(journal_at(journal, i)))
            replay_lane(replay_case, i, lane_end(replay_case, i), out);
    }
}
