/* Engines made anew, stepped as the journal says. */
#include "conformance/replay/replay.h"

#include <stdlib.h>

#include "codec/wire/text.h"
#include "conformance/replay/lane.h"
#include "server/journal/recorder.h"

enum {
    IDLE_STEPS_MAX = 1000, /* in a row an engine may want to be called and do nothing */
    CONFIG_FAULT_MAX = 700,
    UNKNOWN_ACTIONS_MAX = 8192 /* may wait to be sent when a journal ends */
};

/* Ten years: more is no time of a session. */
static const uint64_t AT_US_MAX = (uint64_t)10 * 365 * 86400 * 1000000;

struct replay {
    const struct replay_case *given;
    struct replay_result *result; /* of the lane in progress */
    struct lane lane;
    struct engine_config config; /* of the engine */
    struct script *script;       /* that it alone plays; owned */
    char config_fault[CONFIG_FAULT_MAX];
    bool started; /* it was stepped */
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
    replay->started = true;
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

/* The engine goes on by itself until it has asked for `order` actions. False when it does not by then, or
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

/* ---- what an engine was made with, or changed to ---- */

/* As the header has it for the entry's family, with the entry's seed. */
static struct engine_config config_of(const struct replay_case *given, const struct journal_entry *entry)
{
    const struct journal_header *header = journal_header_of(given->journal);
    const char *profile = journal_header_profile(header, entry->class);
    return (struct engine_config){.session_class = entry->class,
                                  .session = {.profile = family_profile(entry->class->family, profile),
                                              /* A token never stands in a journal: see take. */
                                              .key = header->key_known ? given->key : NULL,
                                              .config_id = header->config[0] == '\0' ? NULL : header->config,
                                              .seed = entry->seed,
                                              .epoch_ms = header->epoch_ms,
                                              .silence_percent = header->silence_percent,
                                              .speech_percent = header->speech_percent,
                                              .speed = header->speed,
                                              .persona = given->persona,
                                              .quirks = *journal_header_quirks(header, entry->class)},
                                  .script = entry->is_of_other ? NULL : given->script};
}

static bool is_change(const char *label)
{
    static const char *const labels[] = {"quirks", "script", "config-fault", "any-config", "steps"};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (strcmp(label, labels[i]) == 0)
            return true;
    return false;
}

static bool cannot_change(struct replay *replay, size_t at, const char *what, const char *why)
{
    struct text text = text_of(replay->result->text, sizeof replay->result->text);
    text_add(&text, "the session was changed from outside here, and ");
    text_add(&text, what);
    text_add(&text, ": ");
    text_add(&text, why);
    replay->result->outcome = REPLAY_IMPOSSIBLE;
    replay->result->entry = at;
    return false;
}

/* All that was due before a change; what an engine wants to do at once its host had held back. */
static bool run_until(struct replay *replay, uint64_t until_us, size_t at)
{
    const uint64_t asked = replay->asked;
    for (unsigned idle = 0; idle < IDLE_STEPS_MAX; idle++) {
        const uint64_t due_us = engine_deadline_us(replay->engine);
        if (due_us > until_us || due_us <= replay->now_us)
            break;
        if (!step(replay, &(struct engine_event){.kind = ENGINE_TICK, .now_us = due_us}))
            return false;
    }
    return replay->asked == asked || replay_stop(replay->result, REPLAY_DIFFERENT, at,
                                                 "the replay has sent more by now than the journal shows");
}

static bool change_quirks(struct replay *replay, const struct journal_entry *entry)
{
    struct quirks quirks = {0};
    char error[QUIRK_ERROR_MAX];
    if (!quirk_set_all(&quirks, replay->config.session_class->quirks, entry->wire.data, error))
        return cannot_change(replay, (size_t)entry->sequence, "its quirks cannot be read", error);
    replay->config.session.quirks = quirks;
    engine_set_quirks(replay->engine, &quirks);
    return true;
}

/* NULL: said. */
static struct script *steps_of(struct replay *replay, const struct journal_entry *entry, bool injected)
{
    char error[SCRIPT_ERROR_MAX];
    struct script *steps =
        script_parse_steps(entry->label, entry->wire.data, injected, replay->config.session_class, error);
    if (steps == NULL)
        (void)cannot_change(replay, (size_t)entry->sequence, "its steps cannot be read", error);
    return steps;
}

static bool change_steps(struct replay *replay, const struct journal_entry *entry)
{
    struct script *steps = steps_of(replay, entry, true);
    if (steps == NULL)
        return false;
    if (engine_inject(replay->engine, steps))
        return true;
    script_free(steps);
    return cannot_change(replay, (size_t)entry->sequence, "its steps cannot be played",
                         "no connection is open");
}

/* Before it is stepped an engine can be made anew. */
static bool make_anew(struct replay *replay, const struct journal_entry *entry)
{
    struct session_config *session = &replay->config.session;
    engine_free(replay->engine);
    replay->engine = NULL;
    if (strcmp(entry->label, "script") == 0) {
        script_free(replay->script);
        replay->config.script = replay->script = steps_of(replay, entry, false);
        if (replay->script == NULL)
            return false;
    } else if (strcmp(entry->label, "config-fault") == 0) {
        struct text text = text_of(replay->config_fault, sizeof replay->config_fault);
        text_add_bytes(&text, entry->wire.data);
        session->config_fault = replay->config_fault;
    } else {
        session->config_id = NULL;
    }
    replay->engine = engine_new(&replay->config);
    return replay->engine != NULL ||
           replay_stop(replay->result, REPLAY_NO_MEMORY, 0, "there is not enough memory");
}

static bool change(struct replay *replay, const struct journal_entry *entry, uint64_t horizon_us)
{
    const size_t at = (size_t)entry->sequence;
    if (replay->started &&
        (!run_to(replay, entry->order, horizon_us, at) || !run_until(replay, entry->at_us, at)))
        return false;
    if (strcmp(entry->label, "quirks") == 0)
        return change_quirks(replay, entry);
    if (strcmp(entry->label, "steps") == 0)
        return change_steps(replay, entry);
    if (replay->started)
        return cannot_change(replay, at, entry->label, "that is known when a session begins");
    return make_anew(replay, entry);
}

static bool take(struct replay *replay, size_t place, uint64_t horizon_us)
{
    const struct journal_entry *taken = lane_entry(&replay->lane, place);
    const size_t at = (size_t)taken->sequence;
    if (is_change(taken->label))
        return change(replay, taken, horizon_us);
    struct engine_event event = {
        .now_us = taken->at_us, .code = taken->wire.code, .message_bytes = taken->wire.message_bytes};
    if (taken->class->has_tokens)
        event.refusal = taken->wire.data.len > 0 ? taken->wire.data : bytes_of_text("");
    if (!engine_event_by_name(taken->label, &event.kind))
        return replay_stop(replay->result, REPLAY_IMPOSSIBLE, at, "a session cannot be told that");
    if (taken->order > replay->lane.expected_count + UNKNOWN_ACTIONS_MAX)
        return replay_stop(replay->result, REPLAY_IMPOSSIBLE, at,
                           "the session had sent more by then than the journal shows");
    if (!lane_message(&replay->lane, place, &event, replay->result) ||
        !run_to(replay, taken->order, horizon_us, at))
        return false;
    if (replay->asked > taken->order)
        return replay_stop(replay->result, REPLAY_DIFFERENT, at,
                           "the replay has sent more by now than the journal shows");
    return step(replay, &event);
}

/* ---- one engine ---- */

static void run_entries(struct replay *replay)
{
    const struct lane *lane = &replay->lane;
    uint64_t horizon_us = 0;
    for (size_t i = lane->from; i < lane->to; i++) {
        const struct journal_entry *entry = lane_entry(lane, i);
        if (entry->at_us > horizon_us)
            horizon_us = entry->at_us;
        if (entry->kind == JOURNAL_TAKEN && !take(replay, i, horizon_us))
            return;
    }
    /* What came after the last of them, as far as the journal goes. */
    size_t known = lane->expected_count;
    while (known > 0 && lane->expected[known - 1] == LANE_NONE)
        known--;
    (void)run_to(replay, known, horizon_us, lane->places[lane->to - 1].index);
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

/* A script that has two connections at a time: what each was sent depends on both. */
static bool lane_parts(const struct lane *lane, struct replay_result *out)
{
    for (size_t i = lane->from; i < lane->to; i++) {
        const struct journal_entry *entry = lane_entry(lane, i);
        if (entry->kind == JOURNAL_STEP && strcmp(entry->label, "aside") == 0)
            return !replay_stop(out, REPLAY_IMPOSSIBLE, lane->places[i].index,
                                "a script with aside has two connections at a time, which are not replayed");
    }
    return false;
}

static void replay_lane(const struct replay_case *given, const struct lane *lane, struct replay_result *out)
{
    struct replay_result result = {.outcome = REPLAY_IDENTICAL};
    struct replay replay = {.given = given, .result = &result, .lane = *lane};
    const struct journal_entry *first = lane_entry(lane, lane->from);
    const struct recorder_config config = {
        .session_class = first->class, .sink = on_entry, .context = &replay};
    actions_init(&replay.actions);
    replay.config = config_of(given, first);
    replay.engine = engine_new(&replay.config);
    replay.recorder = recorder_new(&config);
    if (replay.engine == NULL || replay.recorder == NULL)
        (void)replay_stop(&result, REPLAY_NO_MEMORY, 0, "there is not enough memory");
    else if (!lane_parts(&replay.lane, &result) && lane_index(&replay.lane, &result))
        run_entries(&replay);
    lane_free(&replay.lane);
    if (replay.recorder != NULL)
        recorder_free(replay.recorder);
    engine_free(replay.engine);
    script_free(replay.script);
    actions_free(&replay.actions);
    result_add(out, &result);
}

/* ---- the journal ---- */

static bool begins_engine(const struct journal_entry *entry)
{
    return entry->kind == JOURNAL_TAKEN && entry->begins;
}

/* Does the entry at `place` begin another connection than the one before it? */
static bool begins_connection(const struct place *places, size_t place)
{
    return place == 0 || places[place].connection != places[place - 1].connection;
}

static bool family_is_known(const struct journal *journal, const struct journal_entry *entry)
{
    const char *profile = journal_header_profile(journal_header_of(journal), entry->class);
    return !entry->is_of_other || (profile != NULL && family_profile(entry->class->family, profile) != NULL);
}

/* Looks through all of it before anything runs: times, and whether an engine stands behind each message. */
static bool check_journal(const struct journal *journal, const struct place *places,
                          struct replay_result *out)
{
    bool begun = false;
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, places[i].index);
        begun = (begun && !begins_connection(places, i)) || begins_engine(entry);
        out->by_host += entry->by_host;
        if (entry->kind == JOURNAL_MARK && strcmp(entry->label, JOURNAL_FULL_MARK) == 0)
            out->ends_early = true;
        if (!family_is_known(journal, entry))
            return replay_stop(out, REPLAY_IMPOSSIBLE, places[i].index,
                               "the journal's header does not know the family of this entry, or its profile");
        if (entry->at_us > AT_US_MAX)
            return replay_stop(out, REPLAY_IMPOSSIBLE, places[i].index, "no session lasts that long");
        const bool engines =
            entry->kind == JOURNAL_TAKEN || (entry->kind == JOURNAL_WIRE && lane_is_carried_out(entry));
        if (engines && !begun)
            return replay_stop(out, REPLAY_IMPOSSIBLE, places[i].index,
                               "the journal does not say when the session began, and what it was told");
    }
    return true;
}

static void replay_all(const struct replay_case *given, const struct place *places, struct replay_result *out)
{
    const size_t count = journal_count(given->journal);
    struct lane lane = {.journal = given->journal, .places = places};
    while (lane.from < count) {
        if (!begins_engine(lane_entry(&lane, lane.from))) {
            lane.from++;
            continue;
        }
        lane.to = lane.from + 1;
        while (lane.to < count && !begins_connection(places, lane.to) &&
               !begins_engine(lane_entry(&lane, lane.to)))
            lane.to++;
        replay_lane(given, &lane, out);
        lane.from = lane.to;
    }
}

void replay_run(const struct replay_case *replay_case, struct replay_result *out)
{
    const struct journal_header *header = journal_header_of(replay_case->journal);
    *out = (struct replay_result){.outcome = REPLAY_IDENTICAL};
    if (header->class == NULL || family_profile(header->class->family, header->profile) == NULL) {
        (void)replay_stop(out, REPLAY_IMPOSSIBLE, 0, "the journal's family or profile is not known");
        return;
    }
    struct place *places = places_new(replay_case->journal, replay_case->script != NULL);
    if (places == NULL)
        (void)replay_stop(out, REPLAY_NO_MEMORY, 0, "there is not enough memory");
    else if (check_journal(replay_case->journal, places, out))
        replay_all(replay_case, places, out);
    free(places);
}
