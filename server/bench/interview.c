/*
 * Interviews: clients whose microphone is open all the time and who commit an answer once in a while, how
 * late the transcripts, the replies and the evaluations come at the rated load, and what a chunk costs beside
 * Node's ws with the same checks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "codec/interview/messages.h"
#include "codec/media/sound.h"
#include "server/bench/talk.h"
#include "server/interview/session.h"
#include "server/token/token.h"

enum {
    SESSIONS = 300,
    MEASURE_US = 16000000,
    PEER_SESSIONS = 100,
    PEER_MEASURE_US = 8000000,
    ROUNDS = 3,
    TIMER_US = 2000000,
    CHUNK_US = 200000,
    CHUNK_SAMPLES = INTERVIEW_RATE / 5,
    CHUNKS = 16, /* of an answer */
    CYCLE = 35,  /* chunks from one commit to the next */
    COMMIT_AT = 16,
    TRANSCRIPT_US = 40000, /* server/interview/reply.c */
    REPLY_US = 400000,
    TOKEN_CHARS_MAX = 1024,
    PATH_BYTES = 512
};

static const char SPEECH[] = FIXTURES_DIR "/speech/answer-1.wav";
static const char REPLY[] = FIXTURES_DIR "/speech/follow-up.wav";
static const double LATENESS_OVER_TIMER_MS = 50;
static const double OF_NODE = 0.85;

/* Made ahead: each message whole, masked and framed. */
struct answers {
    char token[TOKEN_CHARS_MAX];
    struct buffer chunks[CHUNKS];
    struct buffer committed; /* the last chunk, and commit_audio */
    struct buffer close;
    double message_bytes; /* of a chunk, on the average */
};

/* ---- what is said ---- */

static bool message_add(const struct interview_message *message, struct buffer *out, double *bytes)
{
    struct buffer text, frame;
    buffer_init(&text, INTERVIEW_MESSAGE_BYTES_MAX);
    buffer_init(&frame, 0);
    const bool ok =
        interview_message_write(INTERVIEW_PROFILES[INTERVIEW_PROFILE_DOCUMENTED].dialect, message, &text) &&
        talk_frame_make(buffer_bytes(&text), false, &frame) && buffer_append(out, buffer_bytes(&frame));
    *bytes += (double)text.len;
    buffer_free(&text);
    buffer_free(&frame);
    return ok;
}

static bool chunk_make(const struct sound *sound, size_t n, struct buffer *out, double *bytes)
{
    uint8_t pcm[CHUNK_SAMPLES * INTERVIEW_SAMPLE_BYTES];
    for (size_t i = 0; i < CHUNK_SAMPLES; i++) {
        const size_t at = n * CHUNK_SAMPLES + i;
        const uint16_t sample = at < sound->sample_count ? (uint16_t)sound->samples[at] : 0;
        pcm[2 * i] = (uint8_t)(sample & 0xFFU);
        pcm[2 * i + 1] = (uint8_t)(sample >> 8);
    }
    const struct interview_message chunk = {.type = INTERVIEW_MESSAGE_AUDIO_CHUNK,
                                            .has_audio = true,
                                            .audio = bytes_of(pcm, sizeof pcm),
                                            .has_timestamp = true,
                                            .timestamp = (int64_t)time(NULL)};
    return message_add(&chunk, out, bytes);
}

static bool answers_make(struct answers *answers)
{
    static const struct interview_message commit = {.type = INTERVIEW_MESSAGE_COMMIT_AUDIO};
    const struct token_wish wish = {.kind = &TOKEN_KINDS[0],
                                    .secret = TOKEN_SECRET_DEFAULT,
                                    .candidate = TOKEN_CANDIDATE_DEFAULT,
                                    .now_s = (uint64_t)time(NULL),
                                    .seconds = TOKEN_SECONDS_DEFAULT};
    char error[SOUND_ERROR_MAX];
    struct sound sound = {.samples = NULL};
    double rest = 0;
    *answers = (struct answers){.message_bytes = 0};
    if (!sound_read(SPEECH, INTERVIEW_RATE, &sound, error)) {
        bench_tell("%s", error);
        return false;
    }
    bool ok = token_make(&wish, answers->token, sizeof answers->token) &&
              talk_frame_make((struct bytes){0}, true, &answers->close);
    for (size_t n = 0; ok && n < CHUNKS; n++) {
        buffer_init(&answers->chunks[n], INTERVIEW_MESSAGE_BYTES_MAX);
        ok = chunk_make(&sound, n, &answers->chunks[n], &answers->message_bytes);
    }
    buffer_init(&answers->committed, INTERVIEW_MESSAGE_BYTES_MAX);
    ok = ok && chunk_make(&sound, CHUNKS - 1, &answers->committed, &rest) &&
         message_add(&commit, &answers->committed, &rest);
    answers->message_bytes /= CHUNKS;
    sound_free(&sound);
    if (!ok)
        bench_tell("the answers could not be made: there is not enough memory");
    return ok;
}

static void answers_free(struct answers *answers)
{
    for (size_t n = 0; n < CHUNKS; n++)
        buffer_free(&answers->chunks[n]);
    buffer_free(&answers->committed);
    buffer_free(&answers->close);
}

/* ---- how the clients talk ---- */

static void request_write(const void *messages, size_t n, char out[TALK_REQUEST_MAX])
{
    const struct answers *answers = messages;
    snprintf(out, TALK_REQUEST_MAX,
             "GET /api/v1/interviews/00000000-0000-4000-8000-%012zx/realtime/connect?token=%s HTTP/1.1\r\n"
             "Host: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n",
             n, answers->token);
}

/* The server counts from the commit: the transcript of the candidate, the chunks at the pace of speech, and
 * with the last of them what ends the reply. */
static void heard(struct talkers *talkers, struct talker *talker)
{
    const uint64_t commit_us = talker->committed_us;
    const uint64_t last_us =
        commit_us + REPLY_US + (talker->chunks == 0 ? 0 : talker->chunks - 1) * (uint64_t)CHUNK_US;
    if (talker_head_has(talker, "\"ai_audio_chunk\"")) {
        talkers_event(talkers, talker,
                      commit_us == 0 ? 0 : commit_us + REPLY_US + talker->chunks * (uint64_t)CHUNK_US, true);
        talker->chunks++;
    } else if (talker_head_has(talker, "\"transcript\"") && talker_head_has(talker, "\"candidate\"")) {
        talkers_event(talkers, talker, commit_us == 0 ? 0 : commit_us + TRANSCRIPT_US, false);
    } else if (talker_head_has(talker, "\"transcript\"")) {
        talkers_event(talkers, talker, commit_us == 0 ? 0 : last_us, false);
    } else if (talker_head_has(talker, "\"function_result\"")) {
        talkers_event(talkers, talker, commit_us == 0 ? 0 : last_us, false);
        talker->owed = false;
    } else if (talker_head_has(talker, "\"connected\"")) {
        talkers_active(talkers, talker);
    } else if (!talker_head_has(talker, "\"connecting\"")) {
        talkers_other(talkers, talker);
    }
}

static struct bytes next(const void *messages, struct talker *talker, bool *missing)
{
    const struct answers *answers = messages;
    if (talker->turn % CYCLE != COMMIT_AT)
        return buffer_bytes(&answers->chunks[talker->turn % CYCLE % CHUNKS]);
    *missing = talker->owed;
    talker->owed = true;
    talker->commits = true;
    talker->chunks = 0;
    return buffer_bytes(&answers->committed);
}

static struct bytes last(const void *messages)
{
    return buffer_bytes(&((const struct answers *)messages)->close);
}

/* The fourth thing that an interviewer says is the follow-up, two seconds. */
static const char *const MOCK_WORDS[] = {"--family",   "interview",     "--quirk", "commit-only", "--quirk",
                                         "question=4", "--speech-pace", "100",     NULL};
static const struct talk_manner MANNER = {.mock_words = MOCK_WORDS,
                                          .every_us = CHUNK_US,
                                          .request = request_write,
                                          .heard = heard,
                                          .next = next,
                                          .last = last};

/* ---- the rated load ---- */

static void rated_measure(struct bench *bench, const struct answers *answers)
{
    struct talk_result result = {0};
    size_t count = 0;
    uint64_t *timer = timer_lateness(TIMER_US, &count);
    const double timer_ms = (double)bench_quantile(timer, count, 0.99) / 1000;
    free(timer);
    const struct talk_trial trial = {.manner = &MANNER,
                                     .messages = answers,
                                     .sessions = SESSIONS,
                                     .measure_us = MEASURE_US / (bench->quick ? 2u : 1u)};
    if (!talk_run(bench, &trial, &result)) {
        bench_judge(bench, BENCH_NOT_MET, "interviews: one was lost, or the mock could not be run");
        return;
    }
    talk_tell(&trial, &result, "");
    const uint64_t lost = result.missing + result.unsent;
    if (count > 0)
        bench_judge(
            bench, talk_verdict(bench_at_most(result.p99_ms, timer_ms + LATENESS_OVER_TIMER_MS), &result),
            "%d interviews, chunks of 200 ms (%.0f KB): 99 %% of events at most %.2f ms late, a bare timer "
            "%.2f ms (50 ms more allowed)",
            SESSIONS, answers->message_bytes / 1024, result.p99_ms, timer_ms);
    bench_judge(
        bench, talk_verdict(bench_at_most((double)lost, 0), &result),
        "answers that had no evaluation before the next, or chunks that were not taken in: %lu (0 wanted)",
        (unsigned long)lost);
}

/* ---- beside Node ---- */

static bool peers_run(const struct bench *bench, const struct answers *answers, struct talk_result results[2])
{
    char script[PATH_BYTES];
    snprintf(script, sizeof script, "%s/node-interview.mjs", bench->peers);
    const char *const words[] = {"node", script, TOKEN_SECRET_DEFAULT, TOKEN_CANDIDATE_DEFAULT, REPLY, NULL};
    struct talk_trial trial = {.manner = &MANNER,
                               .messages = answers,
                               .sessions = PEER_SESSIONS,
                               .measure_us = PEER_MEASURE_US / (bench->quick ? 2u : 1u)};
    for (size_t n = 0; n < 2; n++) {
        trial.words = n == 0 ? NULL : words;
        if (!talk_run(bench, &trial, &results[n]))
            return false;
        talk_tell(&trial, &results[n], n == 0 ? "" : " of Node ws");
    }
    return true;
}

static void beside_node_measure(struct bench *bench, const struct answers *answers)
{
    struct talk_result rounds[ROUNDS][2];
    const size_t count = bench->quick ? 1 : ROUNDS;
    for (size_t n = 0; n < count; n++) {
        if (!peers_run(bench, answers, rounds[n])) {
            bench_judge(bench, BENCH_INCONCLUSIVE, "CPU a chunk beside Node ws: it could not be run");
            return;
        }
    }
    const struct talk_result *middle = talk_middle(rounds, count);
    const enum bench_verdict verdict = bench_at_most(talk_ratio(middle), OF_NODE);
    bench_judge(
        bench, talk_verdict(talk_verdict(verdict, &middle[0]), &middle[1]),
        "CPU a chunk: %.2f of Node ws with the same checks (%.2f allowed), %.0f us and %.0f us, both with %d "
        "interviews",
        talk_ratio(middle), OF_NODE, middle[0].cpu_us, middle[1].cpu_us, PEER_SESSIONS);
}

void interview_measure(struct bench *bench)
{
    struct answers *answers = malloc(sizeof *answers);
    if (answers == NULL || !answers_make(answers)) {
        bench_judge(bench, BENCH_NOT_MET, "interviews: what clients say could not be made");
    } else {
        rated_measure(bench, answers);
        beside_node_measure(bench, answers);
    }
    if (answers != NULL)
        answers_free(answers);
    free(answers);
}
