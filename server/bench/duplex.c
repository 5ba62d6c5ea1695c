/*
 * Full-duplex sessions with sound and pictures: how late events come at the rated load, what an append costs
 * in parts, and what it costs beside Node's ws with the same checks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/duplex/messages.h"
#include "codec/duplex/profile.h"
#include "codec/media/jpeg.h"
#include "codec/wire/base64.h"
#include "codec/wire/json.h"
#include "server/bench/appends.h"
#include "server/bench/talk.h"
#include "server/duplex/session.h"

enum {
    SESSIONS = 500,
    MEASURE_US = 12000000,
    PEER_SESSIONS = 60,
    PEER_MEASURE_US = 6000000,
    ROUNDS = 3,
    TIMER_US = 2000000,
    COST_REPEATS = 20,
    PATH_BYTES = 512
};

static const double LATENESS_OVER_TIMER_MS = 50;
static const double APPEND_US = 1200; /* of the core: then the rated load leaves it two fifths */
static const double OF_NODE = 0.85;
/* ---- how its clients talk ---- */

/* The latest event; which is due next, and when, follows from it. */
enum latest { LATEST_NONE, LATEST_LISTEN, LATEST_DELTA, LATEST_LISTEN_AFTER_TURN };

static void request_write(const void *messages, size_t n, char out[TALK_REQUEST_MAX])
{
    (void)messages;
    (void)n;
    snprintf(out, TALK_REQUEST_MAX,
             "GET " DUPLEX_PATH "?mode=video HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
             "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n");
}

/*
 * When an event was due, as the server has it: a listen or a further delta with the append that allows it,
 * the first delta of a turn after the server's time to think. 0: it is not known, as after a turn, when the
 * server waits until that could be played out.
 */
static uint64_t due_us(const struct talker *talker, bool delta)
{
    if (!talker->owed || talker->latest == LATEST_NONE || (!delta && talker->latest == LATEST_DELTA))
        return 0;
    if (talker->sent_us < talker->latest_us + DUPLEX_EVENT_SPACING_US)
        return 0;
    const bool first = delta && talker->latest != LATEST_DELTA;
    return talker->sent_us + (first ? DUPLEX_THINK_US : 0);
}

static void event(struct talkers *talkers, struct talker *talker, bool delta)
{
    talkers_event(talkers, talker, due_us(talker, delta), delta);
    talker->owed = false;
    talker->latest = delta                            ? LATEST_DELTA
                     : talker->latest == LATEST_DELTA ? LATEST_LISTEN_AFTER_TURN
                                                      : LATEST_LISTEN;
}

static void heard(struct talkers *talkers, struct talker *talker)
{
    const struct appends *appends = talkers_messages(talkers);
    if (talker_head_has(talker, "\"response.listen\""))
        event(talkers, talker, false);
    else if (talker_head_has(talker, "\"response.output_audio.delta\""))
        event(talkers, talker, true);
    else if (talker_head_has(talker, "\"session.queue_done\""))
        talker->out = buffer_bytes(&appends->update);
    else if (talker_head_has(talker, "\"session.created\""))
        talkers_active(talkers, talker);
    else
        talkers_other(talkers, talker);
}

static struct bytes next(const void *messages, struct talker *talker, bool *missing)
{
    const struct appends *appends = messages;
    *missing = talker->owed && talker->latest == LATEST_LISTEN;
    talker->owed = true;
    return buffer_bytes(&appends->seconds[talker->turn % APPENDS_SECONDS]);
}

static struct bytes last(const void *messages)
{
    return buffer_bytes(&((const struct appends *)messages)->close);
}

static const char *const MOCK_WORDS[] = {"--family", "duplex", NULL};
const struct talk_manner DUPLEX_TALK = {.mock_words = MOCK_WORDS,
                                        .every_us = DUPLEX_APPEND_US,
                                        .request = request_write,
                                        .heard = heard,
                                        .next = next,
                                        .last = last};

/* ---- the rated load ---- */

static void rated_measure(struct bench *bench)
{
    struct appends appends = {.message_bytes = 0};
    struct talk_result result = {0};
    size_t count = 0;
    uint64_t *timer = timer_lateness(TIMER_US, &count);
    const double timer_ms = (double)bench_quantile(timer, count, 0.99) / 1000;
    free(timer);
    bool ok = appends_make(&appends, true);
    const struct talk_trial trial = {.manner = &DUPLEX_TALK,
                                     .messages = &appends,
                                     .sessions = SESSIONS,
                                     .measure_us = MEASURE_US / (bench->quick ? 2u : 1u)};
    ok = ok && talk_run(bench, &trial, &result);
    if (ok)
        talk_tell(&trial, &result, "");
    else
        bench_judge(bench, BENCH_NOT_MET, "full-duplex sessions: one was lost, or the mock could not be run");
    if (ok && count > 0) {
        const uint64_t lost = result.missing + result.unsent;
        bench_judge(
            bench, talk_verdict(bench_at_most(result.p99_ms, timer_ms + LATENESS_OVER_TIMER_MS), &result),
            "%d full-duplex sessions with pictures of %dx%d (%.0f KB each, %.0f KB an append): 99 %% of "
            "events at most %.2f ms late, a bare timer %.2f ms (50 ms more allowed)",
            SESSIONS, APPENDS_WIDTH, APPENDS_HEIGHT, appends.picture_bytes / 1024,
            appends.message_bytes / 1024, result.p99_ms, timer_ms);
        bench_judge(bench, talk_verdict(bench_at_most(result.cpu_us, APPEND_US), &result),
                    "CPU an append of %.0f KB: %.2f of what is allowed, %.0f us (%.0f allowed)",
                    appends.message_bytes / 1024, result.cpu_us / APPEND_US, result.cpu_us, APPEND_US);
        bench_judge(bench, talk_verdict(bench_at_most((double)lost, 0), &result),
                    "appends that had no answer before the next, or were not taken in: %lu (0 wanted)",
                    (unsigned long)lost);
    }
    appends_free(&appends);
}

/* ---- the parts of an append ---- */

struct costs {
    double json_us, base64_us, jpeg_us; /* an append */
    double whole_us;                    /* reading it as the mock does: all of that, and the checks of 002 */
};

/* The base64 texts of one append, decoded to `audio` and `jpeg`. */
static bool texts_decode(const cJSON *tree, struct buffer *audio, struct buffer *jpeg)
{
    const cJSON *sound = json_member(tree, "audio");
    const cJSON *picture = cJSON_GetArrayItem(json_member(tree, "video_frames"), 0);
    buffer_clear(audio);
    buffer_clear(jpeg);
    return cJSON_IsString(sound) && cJSON_IsString(picture) &&
           base64_decode(bytes_of_text(sound->valuestring), audio) &&
           base64_decode(bytes_of_text(picture->valuestring), jpeg);
}

static bool parts_measure(struct bytes json, struct buffer scratch[2], struct costs *costs)
{
    cJSON *tree = NULL;
    unsigned width, height;
    const uint64_t start_us = bench_cpu_us();
    if (json_parse_last(json, &tree).status != WIRE_OK)
        return false;
    const uint64_t parsed_us = bench_cpu_us();
    const bool decoded = texts_decode(tree, &scratch[0], &scratch[1]);
    const uint64_t decoded_us = bench_cpu_us();
    const bool checked = decoded && jpeg_check(buffer_bytes(&scratch[1]), &width, &height);
    const uint64_t checked_us = bench_cpu_us();
    costs->json_us += (double)(parsed_us - start_us);
    costs->base64_us += (double)(decoded_us - parsed_us);
    costs->jpeg_us += (double)(checked_us - decoded_us);
    cJSON_Delete(tree);
    return checked;
}

static bool whole_measure(struct bytes json, struct costs *costs)
{
    const struct duplex_read_options options = {.profile = duplex_profile_by_name("video"),
                                                .picture_size = jpeg_picture_size};
    struct duplex_message message;
    const uint64_t start_us = bench_cpu_us();
    duplex_message_read(json, &options, &message);
    const bool ok = message.type == DUPLEX_MESSAGE_APPEND && message.faults.count == 0;
    duplex_message_free(&message);
    costs->whole_us += (double)(bench_cpu_us() - start_us);
    return ok;
}

static bool costs_measure(const struct appends *appends, struct costs *costs)
{
    const double times = (double)COST_REPEATS * APPENDS_SECONDS;
    struct buffer scratch[2];
    bool ok = true;
    *costs = (struct costs){0};
    buffer_init(&scratch[0], DUPLEX_MESSAGE_BYTES_MAX);
    buffer_init(&scratch[1], DUPLEX_MESSAGE_BYTES_MAX);
    for (unsigned repeat = 0; repeat < COST_REPEATS; repeat++)
        for (size_t second = 0; ok && second < APPENDS_SECONDS; second++) {
            const struct bytes json = buffer_bytes(&appends->json[second]);
            ok = parts_measure(json, scratch, costs) && whole_measure(json, costs);
        }
    buffer_free(&scratch[0]);
    buffer_free(&scratch[1]);
    costs->json_us /= times;
    costs->base64_us /= times;
    costs->jpeg_us /= times;
    costs->whole_us /= times;
    return ok;
}

/* ---- beside Node ---- */

/* Each append behind its length, four bytes, big-endian. */
static bool appends_write(const struct appends *appends, char path[RECORDED_PATH_MAX])
{
    FILE *file = recorded_create(path);
    bool ok = file != NULL;
    for (size_t second = 0; ok && second < APPENDS_SECONDS; second++)
        ok = recorded_add(file, buffer_bytes(&appends->json[second]));
    return file != NULL && fclose(file) == 0 && ok;
}

static bool node_costs(const struct bench *bench, const struct appends *appends, struct costs *costs)
{
    char script[PATH_BYTES], path[RECORDED_PATH_MAX], tail[LAUNCH_TAIL_BYTES];
    snprintf(script, sizeof script, "%s/node-duplex.mjs", bench->peers);
    const char *const words[] = {"node", script, path, NULL};
    *costs = (struct costs){0};
    bool ok = appends_write(appends, path) && launch_and_wait_us(words, tail) > 0 &&
              sscanf(tail, "json %lf base64 %lf jpeg %lf", &costs->json_us, &costs->base64_us,
                     &costs->jpeg_us) == 3;
    unlink(path);
    return ok;
}

static void costs_tell(const char *whose, const struct costs *costs)
{
    bench_tell("an append of %s: JSON %.0f us, base64 %.0f us, JPEG %.0f us, together %.0f us", whose,
               costs->json_us, costs->base64_us, costs->jpeg_us,
               costs->json_us + costs->base64_us + costs->jpeg_us);
    if (costs->whole_us > 0)
        bench_tell("an append of %s, read whole with all checks: %.0f us", whose, costs->whole_us);
}

static bool peers_run(const struct bench *bench, const struct appends *appends, struct talk_result results[2])
{
    char script[PATH_BYTES];
    snprintf(script, sizeof script, "%s/node-duplex.mjs", bench->peers);
    const char *const words[] = {"node", script, NULL};
    struct talk_trial trial = {.manner = &DUPLEX_TALK,
                               .messages = appends,
                               .sessions = PEER_SESSIONS,
                               .measure_us = PEER_MEASURE_US / (bench->quick ? 2u : 1u)};
    for (size_t n = 0; n < 2; n++) {
        trial.words = n == 0 ? NULL : words;
        if (!talk_run(bench, &trial, &results[n]))
            return false;
        talk_tell(&trial, &results[n], n == 0 ? " that are silent" : " that are silent, of Node ws");
    }
    return true;
}

static void peer_measure(struct bench *bench, const struct appends *appends)
{
    struct talk_result rounds[ROUNDS][2];
    const size_t count = bench->quick ? 1 : ROUNDS;
    for (size_t n = 0; n < count; n++) {
        if (!peers_run(bench, appends, rounds[n])) {
            bench_judge(bench, BENCH_INCONCLUSIVE, "CPU an append beside Node ws: it could not be run");
            return;
        }
    }
    const struct talk_result *middle = talk_middle(rounds, count);
    const enum bench_verdict verdict = bench_at_most(talk_ratio(middle), OF_NODE);
    bench_judge(
        bench, talk_verdict(talk_verdict(verdict, &middle[0]), &middle[1]),
        "CPU an append: %.2f of Node ws with the same checks (%.2f allowed), %.0f us and %.0f us, both with "
        "%d sessions",
        talk_ratio(middle), OF_NODE, middle[0].cpu_us, middle[1].cpu_us, PEER_SESSIONS);
}

static void beside_node_measure(struct bench *bench)
{
    struct appends appends = {.message_bytes = 0};
    struct costs own, node;
    if (!appends_make(&appends, false)) {
        bench_judge(bench, BENCH_NOT_MET, "an append: none could be made");
        return;
    }
    if (costs_measure(&appends, &own))
        costs_tell("the mock", &own);
    else
        bench_judge(bench, BENCH_NOT_MET, "an append: the mock's own reader refuses it");
    if (node_costs(bench, &appends, &node))
        costs_tell("Node", &node);
    else
        bench_judge(bench, BENCH_INCONCLUSIVE, "an append of Node: its costs could not be had");
    peer_measure(bench, &appends);
    appends_free(&appends);
}

void duplex_measure(struct bench *bench)
{
    rated_measure(bench);
    beside_node_measure(bench);
}
