/* What cases about Ojin servers can say: 000 WebSocket Handshake, InteractionInput, InteractionResponse. */
#include "conformance/script/ojin/client_side.h"

#include "codec/ojin/constants.h"
#include "codec/ojin/frame.h"
#include "codec/ojin/messages.h"
#include "codec/ojin/profile.h"
#include "codec/rules/ojin/frame_view.h"
#include "server/ojin/messages.h"

/* ---- connect ---- */

static const char *const KEYS[] = {"right", "none", "wrong", "bearer", NULL};
static const char *const CONFIGS[] = {"right", "none", "unknown", NULL};
static const struct value_rule CONNECT_OPTIONS[] = {
    {.name = "key",
     .type = VALUE_TEXT,
     .choices = KEYS,
     .sentence =
         "right (unless given), none, wrong, bearer (the word Bearer before it), or a text of its own"},
    {.name = "config",
     .type = VALUE_TEXT,
     .choices = CONFIGS,
     .sentence = "right (unless given), none, unknown, or a text of its own"},
    CLIENT_HEADER_OPTION,
    {.name = NULL}};

static const struct line_rule CONNECT[] = {
    {"connect", 0, 0, NULL, CONNECT_OPTIONS, "and `begin`: the options of both"},
    {NULL, 0, 0, NULL, NULL, NULL}};

/* ---- send ---- */

enum { MESSAGE_BYTES_MAX = 1048576 };
#define BYTES_RANGE .type = VALUE_SIZE, .min = 0, .max = MESSAGE_BYTES_MAX
#define PARAMS_OPTION                                                                                        \
    {                                                                                                        \
        .name = "params", .type = VALUE_STRING, .sentence = "the JSON of the input's parameters"             \
    }

static const struct value_rule PACED_OPTIONS[] = {CLIENT_PACE_OPTION, {.name = NULL}};
static const struct value_rule SILENCE_OPTIONS[] = {
    PARAMS_OPTION, CLIENT_PACE_OPTION, CLIENT_EVERY_OPTION, {.name = NULL}};
static const struct value_rule SPEECH_OPTIONS[] = {
    {.name = "file", .type = VALUE_STRING, .needed = true, .sentence = "a sound file of fixtures/speech"},
    {.name = "from",
     .type = VALUE_DURATION,
     .min = 0,
     .max = CLIENT_DURATION_MAX_US,
     .sentence = "from there in the file"},
    {.name = "for", .type = VALUE_DURATION, .min = 1, .max = CLIENT_DURATION_MAX_US, .sentence = "duration"},
    {.name = "size",
     BYTES_RANGE,
     .sentence = "as much as fills a message of N bytes; zeros follow where it is too short"},
    PARAMS_OPTION,
    CLIENT_PACE_OPTION,
    {.name = NULL}};
static const struct value_rule INPUT_OPTIONS[] = {
    {.name = "type", .type = VALUE_COUNT, .min = 0, .max = 255},
    {.name = "timestamp", .type = VALUE_COUNT, .min = 0, .max = UINT64_MAX},
    {.name = "params-size",
     .type = VALUE_COUNT,
     .min = 0,
     .max = UINT32_MAX,
     .sentence = "what the header says of the length of params"},
    {.name = "audio", BYTES_RANGE, .sentence = "number of bytes of zero samples"},
    {.name = "size", BYTES_RANGE, .sentence = "zeros are added until the message has N bytes"},
    {.name = "truncate", BYTES_RANGE, .sentence = "send only N bytes of the message"},
    PARAMS_OPTION,
    CLIENT_PACE_OPTION,
    {.name = NULL}};

static const struct line_rule SENDS[] = {
    {"silence", OJIN_SEND_SILENCE, 0, CLIENT_KIND_ARGS, SILENCE_OPTIONS, "an input of 640 zero samples"},
    {"speech", OJIN_SEND_SPEECH, 0, CLIENT_KIND_ARGS, SPEECH_OPTIONS,
     "inputs with the samples of a sound file"},
    {"input", OJIN_SEND_INPUT, 0, CLIENT_KIND_ARGS, INPUT_OPTIONS,
     "an input whose every part can be said; what is not said is as it ought to be"},
    {"end", OJIN_SEND_END, 0, CLIENT_KIND_ARGS, PACED_OPTIONS, "endInteraction"},
    {"cancel", OJIN_SEND_CANCEL, 0, CLIENT_KIND_ARGS, PACED_OPTIONS, "cancelInteraction"},
    {NULL, 0, 0, NULL, NULL, NULL}};

static bool is_binary(const struct client_step *step)
{
    return step->send != OJIN_SEND_END && step->send != OJIN_SEND_CANCEL;
}

static bool is_paced(const struct client_step *step)
{
    return step->send != STEP_SEND_PING;
}

/* ---- what begin stands for ---- */

enum { RECEIVE_READY = RECEIVE_FAMILY, RECEIVE_SILENCE, RECEIVE_SPEECH, RECEIVE_FRAME, RECEIVE_FINAL };

static const struct client_receive RECEIVES[] = {
    {"ready", "sessionReady", "sessionReady", false},
    {"silence", "a silence frame", "a frame of index 0", false},
    {"speech", "a speech frame", "a frame of index 1", false},
    {"frame", "a frame", "a frame of any index", false},
    {"final", "a frame with is_final", "a frame with is_final", false},
    {NULL, NULL, NULL, false}};

#define PRELUDE_READY                                                                                        \
    {                                                                                                        \
        .kind = CLIENT_STEP_RECV, .receive = RECEIVE_READY, .count = 1, .duration_us = 15000000,             \
        .clause_id = "OJ-SRV-03"                                                                             \
    }
#define PRELUDE_FRAME                                                                                        \
    {                                                                                                        \
        .kind = CLIENT_STEP_RECV, .receive = RECEIVE_FRAME, .count = 1, .clause_id = "OJ-SRV-04"             \
    }
#define PRELUDE_SILENCE                                                                                      \
    {                                                                                                        \
        .kind = CLIENT_STEP_SEND, .send = OJIN_SEND_SILENCE, .rule = &SENDS[OJIN_SEND_SILENCE]               \
    }

static const struct client_step ON_FIRST_INPUT[] = {PRELUDE_READY, PRELUDE_SILENCE, PRELUDE_FRAME};
static const struct client_step ON_READY[] = {PRELUDE_READY, PRELUDE_FRAME};

static const struct client_step *prelude(const struct profile *profile, size_t *count)
{
    switch (ojin_profile_of(profile)->stream_start) {
    case OJIN_STREAM_ON_FIRST_INPUT:
        *count = sizeof ON_FIRST_INPUT / sizeof ON_FIRST_INPUT[0];
        return ON_FIRST_INPUT;
    case OJIN_STREAM_ON_READY:
        break;
    }
    *count = sizeof ON_READY / sizeof ON_READY[0];
    return ON_READY;
}

/* A stream that does not start with sessionReady, where it should, may start with input: what else the server
 * owes can be judged then. */
static const struct client_step RESCUE[] = {PRELUDE_SILENCE, PRELUDE_FRAME};

static const struct client_step *rescue(const struct client_step *step, size_t *count)
{
    *count = sizeof RESCUE / sizeof RESCUE[0];
    return step == &ON_READY[sizeof ON_READY / sizeof ON_READY[0] - 1] ? RESCUE : NULL;
}

/* ---- what came ---- */

enum { SEEN_READY, SEEN_SILENCE, SEEN_SPEECH, SEEN_OTHER_FRAME, SEEN_BAD_FRAME, SEEN_OTHER_TEXT };

static const struct seen_message MESSAGES[] = {
    [SEEN_READY] = {"ready", "sessionReady", false},
    [SEEN_SILENCE] = {"silence", "silence frame", false},
    [SEEN_SPEECH] = {"speech", "speech frame", false},
    [SEEN_OTHER_FRAME] = {"frame", "wrong-index frame", false},
    [SEEN_BAD_FRAME] = {"binary", "unreadable binary message", false},
    [SEEN_OTHER_TEXT] = {"text", "text", true},
};

static void see_text(struct bytes data, struct seen *out)
{
    struct ojin_message message;
    ojin_message_read(data, &message);
    seen_word_set(out, data);
    out->kind = SEEN_MESSAGE;
    switch (message.type) {
    case OJIN_MESSAGE_SESSION_READY:
        out->type = SEEN_READY;
        break;
    case OJIN_MESSAGE_ERROR_RESPONSE:
        out->kind = SEEN_ERROR;
        seen_word_set(out, bytes_of_text(message.code));
        break;
    case OJIN_MESSAGE_PLAIN_TEXT:
        out->kind = SEEN_PLAIN_TEXT;
        break;
    case OJIN_MESSAGE_END_INTERACTION:
    case OJIN_MESSAGE_CANCEL_INTERACTION:
    case OJIN_MESSAGE_OTHER:
    case OJIN_MESSAGE_NO_OBJECT:
    case OJIN_MESSAGE_UNREADABLE:
        out->type = SEEN_OTHER_TEXT;
        break;
    }
}

/* What its header says counts, whatever is wrong behind it: that is for the rules to say. */
static void see_frame(const struct wire_event *event, struct seen *out, struct frame_summary *summary)
{
    struct frame_view view;
    ojin_frame_summarise(event->data, false, summary);
    frame_view_read(event, &view);
    out->kind = SEEN_MESSAGE;
    out->is_final = frame_view_has_header(&view) && view.header.is_final == 1;
    if (!frame_view_has_header(&view))
        out->type = SEEN_BAD_FRAME;
    else if (view.header.index == OJIN_INDEX_SILENCE)
        out->type = SEEN_SILENCE;
    else
        out->type = view.header.index == OJIN_INDEX_SPEECH ? SEEN_SPEECH : SEEN_OTHER_FRAME;
}

static void see(const struct profile *profile, const struct wire_event *event, struct seen *out,
                struct frame_summary *frame)
{
    (void)profile;
    if (event->kind == WIRE_EVENT_BINARY)
        see_frame(event, out, frame);
    else
        see_text(event->data, out);
}

static void see_body(struct bytes body, struct seen *out)
{
    struct ojin_message message;
    ojin_message_read(body, &message);
    if (message.type == OJIN_MESSAGE_ERROR_RESPONSE)
        seen_word_set(out, bytes_of_text(message.code));
    else if (message.type == OJIN_MESSAGE_PLAIN_TEXT)
        seen_word_set(out, bytes_of_text(SEEN_CODE_PLAIN_TEXT));
}

static bool matches(const struct seen *seen, int receive)
{
    const bool is_frame =
        seen->type == SEEN_SILENCE || seen->type == SEEN_SPEECH || seen->type == SEEN_OTHER_FRAME;
    switch (RECEIVE_FAMILY + receive) {
    case RECEIVE_READY:
        return seen->type == SEEN_READY;
    case RECEIVE_SILENCE:
        return seen->type == SEEN_SILENCE;
    case RECEIVE_SPEECH:
        return seen->type == SEEN_SPEECH;
    case RECEIVE_FRAME:
        return is_frame;
    case RECEIVE_FINAL:
        return is_frame && seen->is_final;
    }
    return false;
}

/* Of speech frames. */
static struct bytes picture(struct bytes message)
{
    struct ojin_frame frame;
    const bool good = ojin_frame_decode(message, &frame).status == WIRE_OK &&
                      frame.index == OJIN_INDEX_SPEECH && frame.has_image;
    return good ? frame.image : bytes_of(NULL, 0);
}

const struct client_side OJIN_CLIENT_SIDE = {
    .connect = CONNECT,
    .sends = SENDS,
    .receives = RECEIVES,
    .messages = MESSAGES,
    .error_phrase = "an errorResponse",
    .error_noun = "errorResponse",
    /* A second, and room for messages that come together on the way. */
    .pace = {.messages = OJIN_REQUESTS_PER_SECOND, .window_us = 1150000, .is_paced = is_paced},
    .target = ojin_client_target,
    .head = ojin_client_head,
    .prelude = prelude,
    .rescue = rescue,
    .write = ojin_client_write,
    .is_binary = is_binary,
    .see = see,
    .see_body = see_body,
    .matches = matches,
    .picture = picture,
    .probe = &OJIN_CLIENT_PROBE,
};
