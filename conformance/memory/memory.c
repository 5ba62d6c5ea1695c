#include "conformance/memory/memory.h"

#include <stdlib.h>

#include "client/core/life.h"
#include "conformance/memory/session.h"

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool client_is_over(const struct memory_session *session)
{
    return session->client->life(session->core)->standing == CLIENT_STANDS_OVER;
}

static uint64_t client_due_us(const struct memory_session *session)
{
    if (client_is_over(session))
        return UINT64_MAX;
    return earlier(session->client->deadline_us(session->core), plan_runner_deadline_us(&session->runner));
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
    result->speeches_said = recorder_speeches_said(session->recorder);
    result->script_line = engine_is_done(session->engine) ? 0 : engine_line(session->engine);
    if (declined)
        result->end = CLIENT_DECLINED;
    else
        result->end = client_is_over(session) ? CLIENT_ENDED : CLIENT_TIMED_OUT;
    if (session->given->track == NULL)
        return;
    struct memory_track *track = session->given->track;
    track->over = client_is_over(session);
    track->client_us = session->client_us;
    track->whole =
        !declined && !session->no_memory && !track->bytes.no_memory && result->own_error[0] == '\0';
}

struct memory_result *memory_run(const struct memory_case *memory_case)
{
    struct memory_session session = {.now_us = 0};
    if (memory_case->track != NULL)
        track_begin(memory_case->track);
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

/* ---- a client that has the session of another ---- */

/* The next message that came in goes on its way to this client, when there is one. */
static void send_next(struct memory_session *session)
{
    const struct memory_track *track = session->followed;
    if (session->queue.first != NULL || session->heard == track->heard.count)
        return;
    const struct track_entry *entry = &track->heard.entries[session->heard++];
    if (!message_queue_add(&session->queue, entry->at_us, MESSAGE_TO_CLIENT, entry->kind, entry->code,
                           entry->connection, track_bytes(track, entry)))
        session->no_memory = true;
}

/* As `turn`, of a client without a mock. False: there is none. */
static bool turn_alone(struct memory_session *session)
{
    send_next(session);
    const uint64_t queue_us = message_queue_due_us(&session->queue);
    const uint64_t due_us = earlier(queue_us, client_due_us(session));
    if (due_us == UINT64_MAX || due_us > session->given->script->limit_us)
        return false;
    if (due_us > session->now_us)
        session->now_us = due_us;
    if (queue_us > session->now_us) {
        session_client_tick(session);
        return true;
    }
    struct message *message = message_queue_take(&session->queue);
    if (message->connection == session->connection)
        session_client_takes(session, message);
    free(message);
    return true;
}

static bool has_strayed(const struct memory_session *session)
{
    return session->strayed || session->no_memory || session->steps > MEMORY_STEPS_MAX ||
           session->result->own_error[0] != '\0';
}

static bool session_follow(struct memory_session *session)
{
    const struct memory_track *track = session->followed;
    session_client_asks(session);
    session_client_tick(session);
    while (!has_strayed(session) && turn_alone(session))
        continue;
    return !has_strayed(session) && session->said == track->said.count &&
           client_is_over(session) == track->over && session->client_us == track->client_us;
}

bool memory_has_session(const struct memory_case *memory_case, const struct memory_track *track)
{
    struct memory_session session = {.followed = track};
    const bool same = track->whole && session_build_client(&session, memory_case) && session_follow(&session);
    if (session.given != NULL)
        session_free(&session);
    memory_result_free(session.result);
    return same;
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
    input->speeches_said = result->speeches_said;
    input->observations = result->observations;
    input->observation_count = result->observation_count;
    input->end = result->end;
    memcpy(input->end_text, result->end_text, sizeof input->end_text);
    input->script_line = result->script_line;
    memcpy(input->own_error, result->own_error, sizeof input->own_error);
}
