/* The steps: how each begins, and what ends it. */
#include "server/engine/engine_state.h"

/* ---- beginning ---- */

static uint64_t begin_end_us(const struct engine *engine)
{
    const struct server_step *step = engine->step;
    uint64_t duration = step->duration_us;
    switch (step->kind) {
    case STEP_RECV:
        return engine->now_us + (duration == 0 ? ENGINE_RECV_WITHIN_US : duration);
    case STEP_WAIT:
        return engine->now_us + duration;
    case STEP_SERVE:
    case STEP_ALT:
        return duration == 0 ? UINT64_MAX : engine->now_us + duration;
    case STEP_ACCEPT:
    case STEP_REFUSE:
    case STEP_SEND:
    case STEP_CLOSE:
    case STEP_RESET:
    case STEP_IGNORE:
    case STEP_RAW:
    case STEP_DROP:
    case STEP_HALF_CLOSE:
    case STEP_STOP_READING:
    case STEP_QUIRK:
    case STEP_MARK:
    case STEP_BRANCH:
    case STEP_REPEAT:
    case STEP_ASIDE:
        return UINT64_MAX;
    }
    return UINT64_MAX;
}

/*
 * The service runs only inside serve. A session that has still to be told of its opening is told by the first
 * step that takes part: by serve with its answer going out, by another with its answer dropped.
 */
static void begin_service(struct engine *engine, struct actions *actions)
{
    enum server_step_kind kind = engine->step->kind;
    bool serve = step_serves(engine->step);
    if (kind == STEP_MARK || kind == STEP_REPEAT || kind == STEP_QUIRK || kind == STEP_STOP_READING ||
        kind == STEP_ASIDE || client_has_left(engine))
        return;
    if (engine->opening)
        feed_simple(engine, SESSION_OPENED, actions);
    else if (serve && engine->paused)
        feed_simple(engine, SESSION_RESUMED, actions);
    engine->opening = false;
    engine->paused = !serve;
}

static void step_begin(struct engine *engine, struct actions *actions)
{
    struct step_state *state = &engine->state;
    state->begun = true;
    state->client_was_there = !client_has_left(engine);
    state->end_us = begin_end_us(engine);
    state->counts = engine->counts;
    if (engine->session != NULL)
        state->progress = *engine->config.session_class->progress(engine->session);
    if (engine->step->kind == STEP_SERVE && engine->step->quirk_count > 0)
        quirks_apply(engine);
    step_announce(engine, actions);
    begin_service(engine, actions);
}

/* ---- running ---- */

static enum step_result accept_run(struct engine *engine, struct actions *actions)
{
    /* One connection at a time: the one before makes way. */
    if (engine->connection == CONNECTION_OPEN && !engine->state.received)
        close_add(engine, ENGINE_CLOSE_CODE, bytes_of(NULL, 0), actions);
    if (!engine->state.received)
        return STEP_RESULT_WAITING;
    if (engine->connection == CONNECTION_ASKED || engine->connection == CONNECTION_REQUESTED)
        return STEP_RESULT_WAITING;
    return STEP_RESULT_ENDED;
}

static enum step_result accept_result(struct engine *engine, struct actions *actions, struct text *why)
{
    enum step_result result = accept_run(engine, actions);
    if (result != STEP_RESULT_ENDED || engine->step->kind == STEP_REFUSE || !client_has_left(engine))
        return result;
    text_add(why, "the client went before the upgrade was done");
    return STEP_RESULT_GONE;
}

/* The latest that was spoken in this step; one that was over before it is none of its. */
static void serve_capture(struct engine *engine, struct actions *actions)
{
    const struct session_progress *progress = engine->config.session_class->progress(engine->session);
    const struct session_progress *before = &engine->state.progress;
    uint8_t interaction[UUID_BYTES];
    if (engine->step->as[0] == '\0' || uuid_is_nil(progress->interaction))
        return;
    if (memcmp(progress->interaction, before->interaction, UUID_BYTES) == 0 &&
        progress->speech_frames == before->speech_frames)
        return;
    memcpy(interaction, progress->interaction, UUID_BYTES);
    capture_set(engine, engine->step->as, interaction, actions);
}

static enum step_result serve_run(struct engine *engine, struct actions *actions, struct text *why)
{
    const char *until = engine->step->until.name;
    bool met = until[0] != '\0' && until_is_met(engine, &engine->step->until);
    bool left = client_has_left(engine);
    if (!met && !left && engine->now_us < engine->state.end_us)
        return STEP_RESULT_WAITING;
    serve_capture(engine, actions);
    if (met || !left || until[0] == '\0')
        return STEP_RESULT_ENDED;
    text_add(why, "the client went before ");
    text_add(why, until);
    return STEP_RESULT_GONE;
}

/* The branch whose condition comes first; of two that are met the upper. */
static enum step_result alt_run(struct engine *engine, struct text *why)
{
    const struct server_step *alt = engine->step;
    const bool left = client_has_left(engine);
    for (size_t i = 0; i < alt->child_count; i++) {
        if (until_is_met(engine, &alt->children[i].until)) {
            cursor_enter_branch(engine, &alt->children[i]);
            return STEP_RESULT_ENDED;
        }
    }
    if (!left && engine->now_us < engine->state.end_us)
        return STEP_RESULT_WAITING;
    text_add(why, left ? "the client went before any of its conditions came"
                       : "in time none of its conditions came");
    return left ? STEP_RESULT_GONE : STEP_RESULT_FAILED;
}

static enum step_result recv_run(const struct engine *engine, struct text *why)
{
    bool left = client_has_left(engine);
    if (engine->state.received || (left && strcmp(engine->step->word, "close") == 0))
        return STEP_RESULT_ENDED;
    if (!left && engine->now_us < engine->state.end_us)
        return STEP_RESULT_WAITING;
    text_add(why, left ? "the client went before " : "in time there came no ");
    text_add(why, engine->step->word);
    return left ? STEP_RESULT_GONE : STEP_RESULT_FAILED;
}

static enum step_result wait_run(const struct engine *engine, struct text *why)
{
    if (engine->state.client_was_there && client_has_left(engine)) {
        text_add(why, "the client went during the wait");
        return STEP_RESULT_GONE;
    }
    return engine->now_us < engine->state.end_us ? STEP_RESULT_WAITING : STEP_RESULT_ENDED;
}

static enum step_result step_run(struct engine *engine, struct actions *actions, struct text *why)
{
    switch (engine->step->kind) {
    case STEP_ACCEPT:
    case STEP_REFUSE:
        return accept_result(engine, actions, why);
    case STEP_SERVE:
        return serve_run(engine, actions, why);
    case STEP_SEND:
        return send_step_run(engine, actions, why);
    case STEP_RECV:
        return recv_run(engine, why);
    case STEP_WAIT:
        return wait_run(engine, why);
    case STEP_CLOSE:
        return close_run(engine, actions);
    case STEP_RESET:
        end_run(engine, ACTION_RESET, actions);
        return STEP_RESULT_ENDED;
    case STEP_DROP:
        end_run(engine, ACTION_DROP, actions);
        return STEP_RESULT_ENDED;
    case STEP_IGNORE:
        return ignore_run(engine, actions);
    case STEP_RAW:
        return raw_step_run(engine, actions, why);
    case STEP_HALF_CLOSE:
        half_close_run(engine, actions);
        return STEP_RESULT_ENDED;
    case STEP_STOP_READING:
        stop_reading_run(engine, actions);
        return STEP_RESULT_ENDED;
    case STEP_QUIRK:
        quirk_step_run(engine);
        return STEP_RESULT_ENDED;
    case STEP_MARK:
        actions_add(actions, ACTION_MARK, engine->step->word, 0, NULL);
        return STEP_RESULT_ENDED;
    case STEP_ALT:
        return alt_run(engine, why);
    case STEP_BRANCH: /* alt_run goes into its block */
        return STEP_RESULT_ENDED;
    case STEP_REPEAT:
        cursor_enter(engine);
        return STEP_RESULT_ENDED;
    case STEP_ASIDE:
        return aside_run(engine, why);
    }
    return STEP_RESULT_ENDED;
}

/* ---- ending ---- */

static void script_finish(struct engine *engine, struct actions *actions)
{
    if (engine->again.running) {
        again_finish(engine, actions);
        return;
    }
    engine->step = NULL;
    engine->done = true;
    if (!engine->scripted)
        return;
    if (engine->connection == CONNECTION_OPEN)
        close_add(engine, ENGINE_CLOSE_CODE, bytes_of(NULL, 0), actions);
    if (!engine->is_aside)
        actions_add(actions, ACTION_SCRIPT_DONE, "done", 0, NULL);
}

/* On to what comes after a step that is done, however it went. */
static void step_leave(struct engine *engine, enum step_result result, struct actions *actions)
{
    const bool had_quirks = engine->step->kind == STEP_SERVE && engine->step->quirk_count > 0;
    const bool injected = engine->suspended.steps != NULL;
    if (!injected && engine->again.running &&
        (result != STEP_RESULT_ENDED || engine->step == engine->again.last))
        again_finish(engine, actions);
    else if (result == STEP_RESULT_ENDED)
        cursor_advance(engine);
    else if (injected) /* the rest of them is left out, and the script's own step sees for itself */
        inject_finish(engine, actions);
    else if (result == STEP_RESULT_GONE)
        cursor_skip_to_connection(engine);
    else
        script_finish(engine, actions);
    if (had_quirks)
        quirks_apply(engine);
}

/* True when the next step can run at once. */
static bool step_finish(struct engine *engine, enum step_result result, const struct text *why,
                        struct actions *actions)
{
    switch (result) {
    case STEP_RESULT_WAITING:
        return false;
    case STEP_RESULT_MORE:
        engine->more = true;
        return false;
    case STEP_RESULT_GONE:
    case STEP_RESULT_FAILED:
        step_fail(engine, why, actions);
        step_leave(engine, result, actions);
        return true;
    case STEP_RESULT_ENDED:
        step_leave(engine, result, actions);
        return true;
    }
    return false;
}

/* There is no further step in the block: that of the script, or that from outside. */
static bool steps_are_over(struct engine *engine, struct actions *actions)
{
    if (engine->step == NULL && engine->suspended.steps != NULL)
        inject_finish(engine, actions);
    if (engine->step != NULL)
        return false;
    script_finish(engine, actions);
    return true;
}

void steps_run(struct engine *engine, struct actions *actions)
{
    bool going = true;
    engine->more = false;
    while (going && !engine->done) {
        char why_data[ENGINE_WHY_MAX];
        struct text why = text_of(why_data, sizeof why_data);
        if (!engine_has_room(actions)) {
            engine->more = true;
            return;
        }
        if (steps_are_over(engine, actions))
            return;
        if (!engine->state.begun)
            step_begin(engine, actions);
        going = step_finish(engine, step_run(engine, actions, &why), &why, actions);
    }
}

static void request_take_answer(struct engine *engine, enum request_answer answer, struct actions *actions)
{
    char why_data[ENGINE_WHY_MAX];
    struct text why = text_of(why_data, sizeof why_data);
    switch (answer) {
    case REQUEST_LET_IN:
        engine->connection = CONNECTION_REQUESTED;
        break;
    case REQUEST_WAITS:
        engine->connection = CONNECTION_ASKED;
        break;
    case REQUEST_REFUSED:
        engine->connection = CONNECTION_NONE;
        text_add(&why, "refused by admission");
        step_fail(engine, &why, actions);
        script_finish(engine, actions);
        break;
    }
}

void steps_tick(struct engine *engine, struct actions *actions)
{
    if (engine->connection == CONNECTION_ASKED)
        request_take_answer(engine, feed_waiting(engine, actions), actions);
    else
        feed_simple(engine, SESSION_TICK, actions);
}

void steps_take_request(struct engine *engine, const struct engine_event *request, struct actions *actions)
{
    if (!engine_wants_connection(engine) || !engine->state.begun || engine->state.received)
        return;
    engine->state.received = true;
    engine->opening = false;
    again_note(engine);
    if (engine->step->kind == STEP_IGNORE) {
        engine->connection = CONNECTION_REQUESTED;
        if (engine->step->duration_us > 0)
            engine->state.end_us = engine->now_us + engine->step->duration_us;
        return;
    }
    if (engine->step->kind == STEP_REFUSE) {
        uint64_t now_ms = engine->config.session.epoch_ms + engine->now_us / 1000;
        engine->connection = CONNECTION_NONE;
        refusal_add(engine->config.session_class->messages, actions, engine->step->code,
                    engine->step->options, engine->step->option_count, now_ms);
        return;
    }
    request_take_answer(engine, feed_request(engine, request, actions), actions);
}
