#include "server/tests/fake_session.h"

#include <stdlib.h>

#include "codec/rules/server_rules.h"
#include "codec/wire/text.h"

struct session {
    bool waits;
    bool refuses;
    bool open;
    bool bye;
    bool speaking;
    bool ending;
    uint64_t due_us;
    uint64_t queued;
    uint64_t flood;
    uint8_t turn;
    struct quirks quirks;
    struct session_progress progress;
};

enum { QUIRK_LOUD, QUIRK_LEVEL };
static const struct quirk_kind QUIRKS[] = {
    {"loud", QUIRK_FLAG, "", 0, 0, "", "silence frames are labelled noise"},
    {"level", QUIRK_NUMBER, "5", 1, 9, "", "changes nothing"},
    {NULL, QUIRK_FLAG, NULL, 0, 0, NULL, NULL},
};

static struct session *fake_create(const struct session_config *config)
{
    struct session *session = calloc(1, sizeof *session);
    if (session != NULL)
        *session = (struct session){.turn = (uint8_t)config->seed, .quirks = config->quirks};
    return session;
}

static void fake_set_quirks(struct session *session, const struct quirks *quirks)
{
    session->quirks = *quirks;
}

static void fake_destroy(struct session *session)
{
    free(session);
}

static bool fake_send(struct session *session, const char *label, struct actions *actions)
{
    struct action *action = NULL;
    if (actions_add(actions, ACTION_SEND_TEXT, label, 0, &action) == NULL)
        return false;
    action->has_interaction = true;
    memcpy(action->interaction, session->progress.interaction, UUID_BYTES);
    return true;
}

static void fake_answer(const struct session *session, struct actions *actions)
{
    static const char BODY[] = "Content-Length: 0\r\n\r\n";
    if (!session->refuses) {
        actions_add(actions, ACTION_ACCEPT, "accept", 0, NULL);
        return;
    }
    struct action *action = NULL;
    uint8_t *out = actions_add(actions, ACTION_REFUSE, "refusal", sizeof BODY - 1, &action);
    if (out == NULL)
        return;
    memcpy(out, BODY, sizeof BODY - 1);
    action->code = 403;
}

/* A target with "refuse" in it is refused; one with "later" is answered 100 ms later. */
static void fake_request(struct session *session, const struct session_event *event, struct actions *actions)
{
    char target[200];
    struct text text = text_of(target, sizeof target);
    text_add_bytes(&text, event->head->target);
    session->refuses = strstr(target, "refuse") != NULL;
    session->waits = strstr(target, "later") != NULL;
    session->due_us = event->now_us + 100000;
    if (!session->waits)
        fake_answer(session, actions);
}

static void fake_turn_ends(struct session *session)
{
    session->progress.turns_ended += session->speaking ? 1 : 0;
    session->speaking = false;
}

static bool fake_speech(struct session *session, struct actions *actions)
{
    if (!session->speaking)
        memset(session->progress.interaction, session->turn++, UUID_BYTES);
    session->speaking = true;
    if (!fake_send(session, "speech", actions))
        return false;
    session->progress.speech_frames++;
    session->queued -= session->queued < FAKE_FRAME_BYTES ? session->queued : FAKE_FRAME_BYTES;
    return true;
}

/* One frame; false when there was no room for it. */
static bool fake_frame(struct session *session, struct actions *actions)
{
    if (actions_room(actions) == 0)
        return false;
    if (session->bye) {
        struct action *action = NULL;
        if (actions_add(actions, ACTION_CLOSE, "close", 0, &action) != NULL)
            action->code = 1008;
        session->open = false;
        return true;
    }
    if (session->queued > 0)
        return fake_speech(session, actions);
    fake_turn_ends(session);
    if (session->ending) {
        session->progress.finals++;
        session->ending = false;
        return fake_send(session, "final", actions);
    }
    session->progress.silence_frames++;
    return fake_send(session, session->quirks.value[QUIRK_LOUD] != 0 ? "noise" : "silence", actions);
}

static void fake_run(struct session *session, uint64_t now_us, struct actions *actions)
{
    while (session->open && session->due_us <= now_us) {
        if (!session->progress.ready_sent) {
            if (!fake_send(session, "ready", actions))
                return;
            session->progress.ready_sent = true;
        } else if (!fake_frame(session, actions)) {
            return;
        }
        if (session->flood > 0)
            session->flood--;
        else
            session->due_us += FAKE_FRAME_US;
    }
}

static void fake_text(struct session *session, struct bytes text)
{
    if (bytes_equal_text(text, "cancel")) {
        session->progress.cancels++;
        session->queued = 0;
    } else if (bytes_equal_text(text, "end")) {
        session->progress.ends++;
        session->ending = true;
    } else if (bytes_equal_text(text, "bye")) {
        session->bye = true;
    } else if (bytes_equal_text(text, "flood")) {
        session->flood = FAKE_FLOOD_FRAMES - 1;
    }
}

static void fake_step(struct session *session, const struct session_event *event, struct actions *actions)
{
    switch (event->kind) {
    case SESSION_REQUEST:
        fake_request(session, event, actions);
        break;
    case SESSION_OPENED:
        session->open = true;
        session->due_us = event->now_us;
        break;
    case SESSION_TEXT:
        fake_text(session, event->data);
        break;
    case SESSION_BINARY:
        session->queued += event->data.len;
        session->progress.audio_messages++;
        session->progress.audio_bytes += event->data.len;
        break;
    case SESSION_TICK:
        if (session->waits && session->due_us <= event->now_us) {
            session->waits = false;
            fake_answer(session, actions);
        }
        fake_run(session, event->now_us, actions);
        break;
    case SESSION_RESUMED:
        session->due_us = event->now_us;
        fake_run(session, event->now_us, actions);
        break;
    case SESSION_SHUTDOWN:
        break;
    case SESSION_CLOSED:
        session->open = false;
        break;
    }
}

static uint64_t fake_deadline_us(const struct session *session)
{
    return session->open || session->waits ? session->due_us : UINT64_MAX;
}

static const struct session_progress *fake_progress(const struct session *session)
{
    return &session->progress;
}

static const struct send_kind SEND_KINDS[] = {{"ready", "load"},    {"speech", "index interaction"},
                                              {"silence", "index"}, {"text", "text"},
                                              {"ping", "data"},     {"broken", ""},
                                              {NULL, NULL}};

static bool index_is_good(const char *value)
{
    return value[0] != '\0' && strspn(value, "0123456789") == strlen(value);
}

static bool fake_refuse_option(const struct compose_option *option, const char *expected, char error[200])
{
    struct text text = text_of(error, 200);
    text_add(&text, option->name);
    text_add(&text, ": expected ");
    text_add(&text, expected);
    text_add(&text, ", found \"");
    text_add(&text, option->value);
    text_add(&text, "\"");
    return false;
}

static const struct send_kind *fake_kind(const char *name)
{
    const struct send_kind *kind = SEND_KINDS;
    while (kind->name != NULL && strcmp(kind->name, name) != 0)
        kind++;
    return kind;
}

static bool fake_check(const char *kind, const struct compose_option *options, size_t count,
                       uint8_t interaction[UUID_BYTES], char error[200])
{
    const char *names = fake_kind(kind)->options;
    for (size_t i = 0; i < count; i++) {
        if (names == NULL || strstr(names, options[i].name) == NULL)
            return fake_refuse_option(&options[i], "no such option", error);
        if (strcmp(options[i].name, "index") == 0 && !index_is_good(options[i].value))
            return fake_refuse_option(&options[i], "a number", error);
        if (strcmp(options[i].name, "interaction") == 0 && strcmp(options[i].value, "fresh") != 0 &&
            strcmp(options[i].value, "current") != 0 &&
            !uuid_parse(bytes_of_text(options[i].value), interaction))
            return fake_refuse_option(&options[i], "a UUID", error);
    }
    return true;
}

/* The first option's value becomes the message. */
static bool fake_compose(struct session *session, uint64_t now_us, const char *kind,
                         const struct compose_option *options, size_t count, struct actions *actions,
                         char error[200])
{
    uint8_t interaction[UUID_BYTES] = {0};
    (void)now_us;
    if (session != NULL)
        memcpy(interaction, session->progress.interaction, UUID_BYTES);
    if (!fake_check(kind, options, count, interaction, error))
        return false;
    if (actions == NULL || session == NULL)
        return true;
    if (strcmp(kind, "broken") == 0) {
        struct text text = text_of(error, 200);
        text_add(&text, "broken on purpose");
        return false;
    }
    if (strcmp(kind, "ready") == 0)
        session->progress.ready_sent = true;
    struct bytes body = count == 0 ? bytes_of(NULL, 0) : bytes_of_text(options[0].value);
    struct action *action = NULL;
    enum action_kind action_kind = strcmp(kind, "ping") == 0 ? ACTION_SEND_PING : ACTION_SEND_TEXT;
    uint8_t *out = actions_add(actions, action_kind, kind, body.len, &action);
    if (out == NULL)
        return false;
    if (body.len > 0)
        memcpy(out, body.data, body.len);
    action->has_interaction = strcmp(kind, "speech") == 0;
    memcpy(action->interaction, interaction, UUID_BYTES);
    return true;
}

static const char *fake_classify(bool binary, struct bytes message)
{
    if (binary)
        return "audio";
    return bytes_equal_text(message, "cancel") ? "cancel" : "other";
}

static const char *const RECEIVE_TYPES[] = {"audio", "cancel", "other", NULL};

static bool fake_summarise(bool binary, struct bytes message, bool checksums, struct frame_summary *out)
{
    (void)message;
    (void)checksums;
    *out = (struct frame_summary){.decodes = true};
    return binary;
}

static const char *fake_mistake(bool binary, struct bytes message, const struct frame_summary *frame)
{
    (void)binary;
    (void)frame;
    return bytes_equal_text(message, "mistake") ? "a mistake was sent" : NULL;
}

static size_t fake_input_audio(bool binary, struct bytes message, struct buffer *out, size_t bytes_max)
{
    if (!binary)
        return SESSION_NO_INPUT;
    if (out != NULL)
        buffer_append(out, bytes_of(message.data, message.len < bytes_max ? message.len : bytes_max));
    return message.len;
}

static bool fake_input_params(bool binary, struct bytes message, struct text *out)
{
    const bool loud = binary && message.len > 0 && message.data[0] == '!';
    if (loud || message.len == 0)
        text_add(out, loud ? "{\"loud\":true}" : "{\"loud\":false}");
    return loud;
}

static bool fake_is_error_code(struct bytes code)
{
    return bytes_equal_text(code, "NOT_YOU");
}

static bool fake_blames_client(struct bytes message, struct text *out)
{
    (void)message;
    (void)out;
    return false;
}

static bool fake_error_code(struct bytes message, struct text *out)
{
    (void)message;
    (void)out;
    return false;
}

static const char *fake_error_of_status(uint16_t status)
{
    return status == 401 ? "NOT_YOU" : NULL;
}

static void fake_error_body(struct text *out, const char *code, uint64_t now_ms)
{
    (void)now_ms;
    text_add(out, "{\"fault\":");
    text_add_json_string(out, bytes_of_text(code));
    text_add(out, "}");
}

static size_t fake_wrong_offset(struct bytes message)
{
    (void)message;
    return SIZE_MAX;
}

static const struct message_field FAKE_FIELDS[] = {{NULL, 0}};

static const struct session_messages FAKE_MESSAGES = {.client_fields = FAKE_FIELDS,
                                                      .server_fields = FAKE_FIELDS,
                                                      .wrong_offset = fake_wrong_offset,
                                                      .index_silence = 0,
                                                      .index_speech = 1,
                                                      .summarise = fake_summarise,
                                                      .mistake = fake_mistake,
                                                      .input_rate = 8000,
                                                      .input_audio = fake_input_audio,
                                                      .input_params = fake_input_params,
                                                      .is_error_code = fake_is_error_code,
                                                      .blames_client = fake_blames_client,
                                                      .error_code = fake_error_code,
                                                      .challenge = "Fake realm=\"fake\"",
                                                      .error_of_status = fake_error_of_status,
                                                      .error_body = fake_error_body};

const struct profile FAKE_PROFILE = {.name = "fake-1",
                                     .title = "A family for tests",
                                     .document = "000",
                                     .groups = "all both current",
                                     .family = "fake",
                                     .id_prefix = "FK-",
                                     .query = ""};
static const char *const VARIABLES[] = {"FAKE_URL={url}", NULL};
static const struct profile *const PROFILES[] = {&FAKE_PROFILE, NULL};
static const char *const PROFILE_GROUPS[] = {"all", "both", "current", "earlier", NULL};

const struct family FAKE_FAMILY = {.name = "fake",
                                   .title = "A family for tests",
                                   .id_prefix = "FK-",
                                   .path = "/fake",
                                   .url_variable = "FAKE_URL",
                                   .client_variables = VARIABLES,
                                   .case_variables = VARIABLES + 1,
                                   .speech = "hello-1s.wav",
                                   .profiles = PROFILES,
                                   .profile_groups = PROFILE_GROUPS,
                                   .message_bytes_max = 1024,
                                   .rules = &NO_RULES,
                                   .server_rules = &NO_SERVER_RULES};

const struct session_class FAKE_SESSION_CLASS = {
    .family = &FAKE_FAMILY,
    .messages = &FAKE_MESSAGES,
    .send_kinds = SEND_KINDS,
    .receive_types = RECEIVE_TYPES,
    .quirks = QUIRKS,
    .set_quirks = fake_set_quirks,
    .create = fake_create,
    .destroy = fake_destroy,
    .step = fake_step,
    .deadline_us = fake_deadline_us,
    .progress = fake_progress,
    .compose = fake_compose,
    .classify = fake_classify,
};
