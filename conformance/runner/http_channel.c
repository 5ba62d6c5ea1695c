#include "conformance/runner/http_channel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/judge/plan_writer.h"
#include "conformance/options/options.h"
#include "conformance/runner/task.h"
#include "conformance/selection/case_set.h"

enum {
    BODY_BYTES_MAX = 1024 * 1024,
    SPEECH_BYTES_MAX = 64 * 1024 * 1024,
    HEAD_LINES_MAX = 400,
    SENTENCE_MAX = 600
};

static const char ANY_ORIGIN[] = "Access-Control-Allow-Origin: *\r\nCache-Control: no-store\r\n";

static void answer(struct mock_http *http, uint16_t status, const char *type, struct bytes body)
{
    char lines[HEAD_LINES_MAX];
    snprintf(lines, sizeof lines, "%sContent-Type: %s\r\n", ANY_ORIGIN, type);
    mock_http_answer(http, status, lines, body, false);
}

static void answer_sentence(struct mock_http *http, uint16_t status, const char *sentence)
{
    char text[SENTENCE_MAX];
    snprintf(text, sizeof text, "%s\n", sentence);
    answer(http, status, "text/plain; charset=utf-8", bytes_of_text(text));
}

/* A browser asks first whether it may post JSON. */
static void answer_preflight(struct mock_http *http)
{
    char lines[HEAD_LINES_MAX];
    snprintf(lines, sizeof lines,
             "%sAccess-Control-Allow-Methods: GET, POST, OPTIONS\r\nAccess-Control-Allow-Headers: *\r\n",
             ANY_ORIGIN);
    mock_http_answer(http, 204, lines, bytes_of(NULL, 0), false);
}

/* Only a file that the plan names: nothing else of the machine is served. */
static void answer_speech(const struct http_channel *channel, struct mock_http *http, struct bytes name)
{
    char path[2 * OPTIONS_PATH_MAX];
    struct bytes data;
    for (size_t i = 0; i < channel->script->plan_count; i++) {
        const struct plan_step *step = &channel->script->plan[i];
        if (step->kind != PLAN_SPEAK || !bytes_equal(bytes_of_text(step->file), name))
            continue;
        snprintf(path, sizeof path, "%s/%s", channel->speech_folder, step->file);
        if (!file_read(path, SPEECH_BYTES_MAX, &data)) {
            answer_sentence(http, 500, strerror(errno));
            return;
        }
        answer(http, 200, "audio/wav", data);
        free((void *)(uintptr_t)data.data);
        return;
    }
    answer_sentence(http, 404, "the plan names no such sound file");
}

/* Each post is lines for itself: the last one may lack its newline. */
static void take_observations(struct http_channel *channel, struct mock_http *http, struct bytes body)
{
    char *const bad = channel->captured.bad_observation;
    char first[BAD_OBSERVATION_MAX];
    memcpy(first, bad, sizeof first);
    bad[0] = '\0';
    capture_feed(&channel->captured, body);
    if (body.len > 0 && body.data[body.len - 1] != '\n')
        capture_feed(&channel->captured, bytes_of_text("\n"));
    if (bad[0] != '\0')
        answer_sentence(http, 400, bad);
    else
        mock_http_answer(http, 204, ANY_ORIGIN, bytes_of(NULL, 0), false);
    if (first[0] != '\0') /* each post is told of its own, the report of the first */
        memcpy(bad, first, sizeof first);
}

static bool on_request(void *context, struct mock_http *http, const struct mock_http_request *request)
{
    static const char SPEECH[] = "speech/";
    struct http_channel *channel = context;
    const struct bytes whole = request->head->path, method = request->head->method;
    const struct bytes path =
        bytes_of(whole.data + strlen(CHANNEL_PREFIX), whole.len - strlen(CHANNEL_PREFIX));
    const bool gets = bytes_equal(method, bytes_of_text("GET"));
    if (request->wrong != 0)
        answer_sentence(http, request->wrong,
                        "the body cannot be read: expected Content-Length, at most 1 MB");
    else if (bytes_equal(method, bytes_of_text("OPTIONS")))
        answer_preflight(http);
    else if (gets && bytes_equal(path, bytes_of_text("plan")))
        answer(http, 200, "application/json", buffer_bytes(&channel->plan));
    else if (gets && path.len > strlen(SPEECH) && memcmp(path.data, SPEECH, strlen(SPEECH)) == 0)
        answer_speech(channel, http, bytes_of(path.data + strlen(SPEECH), path.len - strlen(SPEECH)));
    else if (bytes_equal(method, bytes_of_text("POST")) && bytes_equal(path, bytes_of_text("observations")))
        take_observations(channel, http, request->body);
    else
        answer_sentence(http, 404, "expected GET plan, GET speech/NAME or POST observations");
    return false;
}

static void on_gone(void *context, struct mock_http *http)
{
    (void)context; /* everything is answered at once */
    (void)http;
}

void http_channel_init(struct http_channel *channel, const struct case_script *script, const char *profile,
                       const char *speech_folder)
{
    *channel = (struct http_channel){.http = {.prefix = CHANNEL_PREFIX,
                                              .body_bytes_max = BODY_BYTES_MAX,
                                              .request = on_request,
                                              .gone = on_gone,
                                              .context = channel},
                                     .script = script,
                                     .profile = profile,
                                     .speech_folder = speech_folder};
    buffer_init(&channel->plan, 2 * (size_t)SCRIPT_BYTES_MAX);
    capture_init(&channel->captured, CAPTURE_POSTED);
}

void http_channel_begin(struct http_channel *channel, unsigned port, bool tls)
{
    snprintf(channel->address, sizeof channel->address, "%s://127.0.0.1:%u%s", tls ? "https" : "http", port,
             CHANNEL_PREFIX);
}

bool http_channel_set_plan(struct http_channel *channel, const struct client_values *values)
{
    char speech[CHANNEL_ADDRESS_MAX + 16];
    struct client_values theirs = *values;
    struct buffer plan;
    snprintf(speech, sizeof speech, "%sspeech", channel->address);
    theirs.audio = theirs.video = theirs.out = ""; /* files that it cannot see */
    buffer_init(&plan, SCRIPT_BYTES_MAX);
    const bool good = plan_write(channel->script, channel->profile, speech, &plan) &&
                      task_write(&theirs, buffer_bytes(&plan), &channel->plan);
    buffer_free(&plan);
    return good;
}

bool http_channel_set_raw(struct http_channel *channel, struct bytes task)
{
    return buffer_append(&channel->plan, task);
}
