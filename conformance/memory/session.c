/* What a case in memory is made of: the mock's side, the client's, and what is on the way between them. */
#include "conformance/memory/session.h"

#include <stdlib.h>

/* Unix time at the start of every case: the same journal each time. */
static const uint64_t EPOCH_MS = 1750000000000;

void session_own_error(struct memory_session *session, const char *sentence)
{
    if (session->result->own_error[0] != '\0')
        return;
    struct text text = text_of(session->result->own_error, sizeof session->result->own_error);
    text_add(&text, sentence);
}

/* Is it what the other client said next? */
static void says(struct memory_session *session, const struct track_entry *entry, struct bytes data)
{
    const struct memory_track *track = session->followed;
    if (!track_has(track, &track->said, session->said++, entry, data))
        session->strayed = true;
}

void session_observed(struct memory_session *session, struct bytes line)
{
    struct memory_track *track = session->given->track;
    const struct track_entry entry = {.at_us = session->now_us, .is_observation = true};
    if (session->followed != NULL)
        says(session, &entry, line);
    else if (track != NULL)
        track_add(track, &track->said, entry, line);
}

void session_send(struct memory_session *session, enum message_to to, enum message_kind kind, uint16_t code,
                  struct bytes data)
{
    struct memory_track *track = session->given->track;
    const struct track_entry entry = {.at_us = session->now_us + MEMORY_LATENCY_US,
                                      .kind = kind,
                                      .code = code,
                                      .connection = session->connection};
    if (session->followed != NULL) {
        says(session, &entry, data);
        return;
    }
    if (track != NULL)
        track_add(track, to == MESSAGE_TO_CLIENT ? &track->heard : &track->said, entry, data);
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
                                   .script = &given->script->played};
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

bool session_build_client(struct memory_session *session, const struct memory_case *given)
{
    const struct client_making making = {.profile = given->profile,
                                         .epoch_ms = EPOCH_MS,
                                         .pictures = given->pictures,
                                         .picture_count = given->picture_count};
    session->given = given;
    session->result = calloc(1, sizeof *session->result);
    session->client_actions = calloc(1, sizeof *session->client_actions);
    session->made = given->client->create(&making);
    if (session->result == NULL || session->client_actions == NULL || session->made == NULL)
        return false;
    session->client = given->client;
    session->core = session->made;
    client_enclose(given->shell, &session->client, &session->core);
    plan_runner_init(&session->runner, given->plan, session->client->plan, session->core);
    return true;
}

bool session_build(struct memory_session *session, const struct memory_case *given)
{
    if (!session_build_client(session, given))
        return false;
    session->actions = malloc(sizeof *session->actions);
    if (session->actions == NULL)
        return false;
    actions_init(session->actions);
    session->result->journal = build_journal(given);
    session->result->rule_verdicts =
        calloc(given->script->class->family->rules->count + 1, sizeof *session->result->rule_verdicts);
    if (session->result->journal == NULL || session->result->rule_verdicts == NULL)
        return false;
    session->engine = build_engine(given);
    session->recorder = build_recorder(given, session->result->journal);
    return session->engine != NULL && session->recorder != NULL;
}

void session_free(struct memory_session *session)
{
    message_queue_clear(&session->queue);
    if (session->engine != NULL)
        engine_free(session->engine);
    if (session->recorder != NULL)
        recorder_free(session->recorder);
    session->given->client->destroy(session->made);
    if (session->actions != NULL)
        actions_free(session->actions);
    free(session->actions);
    free(session->client_actions);
}
