#include "conformance/memory/memory.h"

#include <stdlib.h>

#include "conformance/memory/session.h"

/* Unix time at the start of every case: the same journal each time. */
static const uint64_t EPOCH_MS = 1750000000000;

void session_own_error(struct memory_session *session, const char *sentence)
{
    if (session->result->own_error[0] != '\0')
        return;
    struct text text = text_of(session->result->own_error, sizeof session->result->own_error);
    text_add(&text, sentence);
}

void session_send(struct memory_session *session, enum message_to to, enum message_kind kind, uint16_t code,
                  struct bytes data)
{
    if (!message_queue_add(&session->queue, session->now_us + MEMORY_LATENCY_US, to, kind, code,
                           session->connection, data))
        session->no_memory = true;
}

/* ---- building both sides ---- */

static struct journal *build_journal(const struct memory_case *given)
{
    struct journal_header header = {.epoch_ms = EPOCH_MS,
                                    .seed = given->seed,
                                    .picture_width = given->picture_width,
                                    .picture_height = given->picture_height,
                                    .silence_percent = SILENCE_PERCENT_DEFAULT,
                                    .speech_percent = SPEECH_PERCENT_DEFAULT,
                                    .speed = 1,
                                    .key_known = true};
    journal_header_class(&header, given->script->class);
    struct text text = text_of(header.profile, sizeof header.profile);
    text_add(&text, given->profile->name);
    text = text_of(header.config, sizeof header.config);
    text_add(&text, given->config_id);
    text = text_of(header.script, sizeof header.script);
    text_add(&text, given->script->name);
    return journal_new(&header, bytes_of_text(given->key));
}

static struct engine *build_engine(const struct memory_case *given)
{
    struct engine_config config = {.session_class = given->script->class,
                                   .session = {.profile = given->profile,
                                               .key = given->key,
                                               .config_id = given->config_id,
                                               .seed = given->seed,
                                               .epoch_ms = EPOCH_MS,
                                               .silence_percent = SILENCE_PERCENT_DEFAULT,
                                               .speech_percent = SPEECH_PERCENT_DEFAULT,
                                               .speed = 1,
                                               .persona = given->persona},
                                   .script = given->script};
    return engine_new(&config);
}

/* The rules know the speech that the plan hands to the client, in order; not what a client that reconnects
 * makes of it. */
static void add_speech(struct rule_context *rules, const struct client_plan *plan)
{
    rules->speech_known = true;
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct client_plan_step *step = &plan->steps[i];
        if (step->what == DO_RECONNECT)
            rules->speech_known = false;
        if (step->what != DO_SPEAK)
            continue;
        if (rules->speech_count == RULE_SPEECHES_MAX) {
            rules->speech_known = false;
            return;
        }
        rules->speech[rules->speech_count++] =
            (struct rule_speech){.samples = step->samples, .sample_count = step->sample_count};
    }
}

static struct recorder *build_recorder(const struct memory_case *given, struct journal *journal)
{
    struct recorder_config config = {.rules = {.profile = given->profile,
                                               .key = bytes_of_text(given->key),
                                               .config = bytes_of_text(given->config_id),
                                               .epoch_ms = EPOCH_MS,
                                               .speech_exact = given->speech_exact,
                                               .picture_size = given->picture_size},
                                     .journal = journal,
                                     .session_class = given->script->class,
                                     .watches_itself = true};
    add_speech(&config.rules, given->plan);
    return recorder_new(&config);
}

static bool session_build(struct memory_session *session, const struct memory_case *given)
{
    const struct client_making making = {.profile = given->profile,
                                         .epoch_ms = EPOCH_MS,
                                         .pictures = given->pictures,
                                         .picture_count = given->picture_count,
                                         .seams = given->seams};
    session->given = given;
    session->result = calloc(1, sizeof *session->result);
    session->actions = malloc(sizeof *session->actions);
    session->client_actions = calloc(1, sizeof *session->client_actions);
    if (session->actions != NULL)
        actions_init(session->actions);
    if (session->result == NULL || session->actions == NULL || session->client_actions == NULL)
        return false;
    session->result->journal = build_journal(given);
    session->result->rule_verdicts =
        calloc(given->script->class->family->rules->count + 1, sizeof *session->result->rule_verdicts);
    if (session->result->journal == NULL || session->result->rule_verdicts == NULL)
        return false;
    session->engine = build_engine(given);
    session->recorder = build_recorder(given, session->result->journal);
    session->core = given->client->create(&making);
    plan_runner_init(&session->runner, given->plan, given->client->plan, session->core);
    return session->engine != NULL && session->recorder != NULL && session->core != NULL;
}

static void session_free(struct memory_session *session)
{
    message_queue_clear(&session->queue);
    if (session->engine != NULL)
        engine_free(session->engine);
    if (session->recorder != NULL)
        recorder_free(session->recorder);
    session->given->client->destroy(session->core);
    if (session->actions != NULL)
        actions_free(session->actions);
    free(session->actions);
    free(session->client_actions);
}

/* ---- running ---- */

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool client_is_over(const struct memory_session *session)
{
    return session->given->client->standing(session->core) == CLIENT_STANDS_OVER;
}

static uint64_t client_due_us(const struct memory_session *session)
{
    if (client_is_over(session))
        return UINT64_MAX;
    return earlier(session->given->client->deadline_us(session->core),
                   plan_runner_deadline_us(&session->runner));
}

/* Messages go before what either side does on its own at the same time. */
static void turn(struct memory_session *session)
{
    uint64_t queue_us = message_queue_due_us(&session->queue);
    uint64_t server_us = engine_deadline_us(session->engine);
    uint64_t client_us = client_due_us(session);
    uint64_t due_us = earlier(queue_us, earlier(server_us, client_us));
    if (due_us > session->now_us)
        session->now_us = due_us;
    if (queue_us <= session->now_us) {
        struct message *message = message_queue_take(&session->queue);
        if (message->to == MESSAGE_TO_SERVER)
            session_server_takes(session, message);
        else if (message->connection == session->connection)
            session_client_takes(session, message);
        free(message);
    } else if (server_us <= session->now_us) {
        session_server_tick(session);
    } else {
        session_client_tick(session);
    }
}

static bool is_over(const struct memory_session *session)
{
    uint64_t next_us = earlier(message_queue_due_us(&session->queue),
                               earlier(engine_deadline_us(session->engine), client_due_us(session)));
    bool both_done = client_is_over(session) && engine_is_done(session->engine) &&
                     message_queue_due_us(&session->queue) == UINT64_MAX;
    return both_done || next_us == UINT64_MAX || next_us > session->given->script->limit_us;
}

static void session_run(struct memory_session *session)
{
    session_client_asks(session);
    session_client_tick(session); /* the plan's first steps are not kept waiting for the mock's answer */
    while (!is_over(session) && !session->no_memory && session->result->own_error[0] == '\0') {
        turn(session);
        if (session->steps > MEMORY_STEPS_MAX)
            session_own_error(session, "the case in memory turns in a circle");
    }
    recorder_finish(session->recorder, session->now_us);
}

static void session_conclude(struct memory_session *session, bool declined)
{
    struct memory_result *result = session->result;
    for (size_t n = 0; n < session->given->script->class->family->rules->count; n++)
        result->rule_verdicts[n] = recorder_verdict(session->recorder, n);
    result->script_line = engine_is_done(session->engine) ? 0 : engine_line(session->engine);
    if (declined)
        result->end = CLIENT_DECLINED;
    else
        result->end = client_is_over(session) ? CLIENT_ENDED : CLIENT_TIMED_OUT;
}

struct memory_result *memory_run(const struct memory_case *memory_case)
{
    struct memory_session session = {.now_us = 0};
    bool good = session_build(&session, memory_case);
    if (good) {
        const bool declined = !client_plan_can_follow(memory_case->client->plan, memory_case->plan);
        if (!declined)
            session_run(&session);
        session_conclude(&session, declined);
        good = !session.no_memory;
    }
    session_free(&session);
    if (good)
        return session.result;
    memory_result_free(session.result);
    return NULL;
}

void memory_result_free(struct memory_result *result)
{
    if (result == NULL)
        return;
    if (result->journal != NULL)
        journal_free(result->journal);
    free(result->rule_verdicts);
    free(result->observations);
    free(result);
}

void memory_result_judge_input(const struct memory_result *result, struct judge_input *input)
{
    input->journal = result->journal;
    input->rule_verdicts = result->rule_verdicts;
    input->observations = result->observations;
    input->observation_count = result->observation_count;
    input->end = result->end;
    memcpy(input->end_text, result->end_text, sizeof input->end_text);
    input->script_line = result->script_line;
    memcpy(input->own_error, result->own_error, sizeof input->own_error);
}
