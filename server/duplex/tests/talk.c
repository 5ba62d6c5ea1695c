#include "server/duplex/tests/talk.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "codec/duplex/family.h"
#include "codec/media/jpeg.h"
#include "codec/rules/duplex/classes.h"
#include "codec/tests/exact_copy.h"
#include "server/duplex/session_class.h"

enum { PICTURE_WIDTH = 64, PICTURE_HEIGHT = 48, PICTURE_QUALITY = 70, PICTURE_BYTES_MAX = 100000 };

void talk_new(struct talk *talk, const char *profile, const char *quirks, struct worker_pool *workers)
{
    char error[QUIRK_ERROR_MAX];
    *talk = (struct talk){.now_us = 0};
    talk->config = (struct session_config){.profile = family_profile(&DUPLEX_FAMILY, profile),
                                           .epoch_ms = TALK_EPOCH_MS,
                                           .speed = 1,
                                           .seed = 3,
                                           .workers = workers};
    ck_assert_ptr_nonnull(talk->config.profile);
    ck_assert_msg(
        quirk_set_all(&talk->config.quirks, DUPLEX_SESSION_CLASS.quirks, bytes_of_text(quirks), error), "%s",
        error);
    talk->read = (struct duplex_read_options){.profile = duplex_profile_of(talk->config.profile)};
    talk->session = DUPLEX_SESSION_CLASS.create(&talk->config);
    ck_assert_ptr_nonnull(talk->session);
    actions_init(&talk->actions);
    buffer_init(&talk->heard, SIZE_MAX / 2);
    talk->said = calloc(TALK_SAID_MAX, sizeof *talk->said);
    const struct rule_context client = {.profile = talk->config.profile, .epoch_ms = TALK_EPOCH_MS};
    const struct server_rule_context server = {
        .profile = talk->config.profile, .epoch_ms = TALK_EPOCH_MS, .picture_size = jpeg_picture_size};
    talk->client_rules = DUPLEX_RULES.create(&client);
    talk->server_rules = DUPLEX_SERVER_RULES.create(&server);
    ck_assert(talk->said != NULL && talk->client_rules != NULL && talk->server_rules != NULL);
}

void talk_free(struct talk *talk)
{
    DUPLEX_SESSION_CLASS.destroy(talk->session);
    DUPLEX_RULES.destroy(talk->client_rules);
    DUPLEX_SERVER_RULES.destroy(talk->server_rules);
    actions_free(&talk->actions);
    buffer_free(&talk->heard);
    free(talk->said);
}

/* ---- what the rules see ---- */

static void show_read(struct talk *talk, enum wire_direction direction, enum wire_event_kind kind,
                      uint16_t code, struct bytes data, const void *ahead)
{
    const struct wire_event event = {.at_us = talk->now_us,
                                     .direction = direction,
                                     .kind = kind,
                                     .code = code,
                                     .message_bytes = data.len,
                                     .data = data,
                                     .ahead = ahead};
    DUPLEX_RULES.event(talk->client_rules, &event);
    DUPLEX_SERVER_RULES.event(talk->server_rules, &event);
    while (talk->finding_count < TALK_FINDINGS_MAX &&
           DUPLEX_SERVER_RULES.take_finding(talk->server_rules, &talk->findings[talk->finding_count]))
        talk->finding_count++;
}

static void show(struct talk *talk, enum wire_direction direction, enum wire_event_kind kind, uint16_t code,
                 struct bytes data)
{
    show_read(talk, direction, kind, code, data, NULL);
}

static void show_sent(struct talk *talk, const struct action *action, struct bytes data)
{
    if (action->kind == ACTION_ACCEPT)
        show(talk, WIRE_FROM_SERVER, WIRE_EVENT_RESPONSE, 101,
             bytes_of_text("HTTP/1.1 101 Switching Protocols\r\n\r\n"));
    if (action->kind == ACTION_SEND_TEXT)
        show(talk, WIRE_FROM_SERVER, WIRE_EVENT_TEXT, 0, data);
    if (action->kind == ACTION_SEND_BINARY)
        show(talk, WIRE_FROM_SERVER, WIRE_EVENT_BINARY, 0, data);
    if (action->kind == ACTION_CLOSE)
        show(talk, WIRE_FROM_SERVER, WIRE_EVENT_CLOSE, action->code, data);
}

void talk_finish(struct talk *talk)
{
    DUPLEX_SERVER_RULES.finish(talk->server_rules, talk->now_us);
    while (talk->finding_count < TALK_FINDINGS_MAX &&
           DUPLEX_SERVER_RULES.take_finding(talk->server_rules, &talk->findings[talk->finding_count]))
        talk->finding_count++;
}

enum rule_verdict talk_verdict(const struct talk *talk, const char *requirement)
{
    const size_t n = server_rule_of_requirement(&DUPLEX_SERVER_RULES, requirement);
    ck_assert_msg(n < DUPLEX_SERVER_RULES.count, "%s", requirement);
    return DUPLEX_SERVER_RULES.verdict(talk->server_rules, n);
}

void talk_check_sound(const struct talk *talk)
{
    for (size_t i = 0; i < talk->finding_count; i++)
        ck_abort_msg("%s at %llu us: expected %s, got %s", talk->findings[i].requirement,
                     (unsigned long long)talk->findings[i].at_us, talk->findings[i].expected,
                     talk->findings[i].actual);
}

/* ---- what was sent ---- */

static void word_set(char *out, size_t room, struct bytes word)
{
    struct text text = text_of(out, room);
    text_add_bytes(&text, word);
}

static void keep_message(struct talk *talk, struct bytes data, struct said *said)
{
    struct duplex_message message;
    duplex_message_read(data, &talk->read, &message);
    said->type = message.type;
    said->faults = message.faults.count;
    said->has_audio = message.has_audio;
    said->samples = message.audio.len / FLOAT32_BYTES;
    said->end_of_turn = message.end_of_turn;
    said->has_kv = message.has_kv_cache_length;
    said->kv = message.kv_cache_length;
    said->number = message.has_position ? message.position : message.prompt_length;
    said->wait_s = message.wait_s;
    word_set(said->text, sizeof said->text, message.type == DUPLEX_MESSAGE_DELTA ? message.text : data);
    const struct bytes words[] = {message.reason, message.code, message.session_id, message.ticket_id};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].len > 0)
            word_set(said->word, sizeof said->word, words[i]);
    said->heard_at = talk->heard.len / FLOAT32_BYTES;
    ck_assert(buffer_append(&talk->heard, message.audio));
    duplex_message_free(&message);
}

static void collect(struct talk *talk)
{
    for (size_t i = 0; i < talk->actions.count; i++) {
        const struct action *action = &talk->actions.list[i];
        const struct exact_copy copy = exact_copy_of(actions_bytes(&talk->actions, action));
        ck_assert_uint_lt(talk->count, TALK_SAID_MAX);
        struct said *said = &talk->said[talk->count++];
        said->at_us = talk->now_us;
        said->kind = action->kind;
        said->code = action->code;
        said->fault = action->fault;
        memcpy(said->label, action->label, sizeof said->label);
        if (action->kind == ACTION_SEND_TEXT)
            keep_message(talk, copy.bytes, said);
        else
            word_set(said->text, sizeof said->text, copy.bytes);
        show_sent(talk, action, copy.bytes);
        exact_copy_free(copy);
    }
    actions_clear(&talk->actions);
}

/* ---- what goes in ---- */

void talk_event(struct talk *talk, enum session_event_kind kind, struct bytes data)
{
    const struct exact_copy copy = exact_copy_of(data);
    void *ahead = NULL;
    if (kind == SESSION_TEXT && talk->reads_ahead) {
        ahead = DUPLEX_SESSION_CLASS.read_ahead(talk->config.profile, copy.bytes);
        ck_assert_ptr_nonnull(ahead);
        memset(copy.owned, ' ', data.len);
    }
    const struct session_event event = {
        .kind = kind, .now_us = talk->now_us, .data = copy.bytes, .message_bytes = data.len, .ahead = ahead};
    if (kind == SESSION_TEXT || kind == SESSION_BINARY)
        show_read(talk, WIRE_FROM_CLIENT, kind == SESSION_TEXT ? WIRE_EVENT_TEXT : WIRE_EVENT_BINARY, 0,
                  copy.bytes, ahead);
    DUPLEX_SESSION_CLASS.step(talk->session, &event, &talk->actions);
    if (ahead != NULL)
        DUPLEX_SESSION_CLASS.free_ahead(ahead);
    exact_copy_free(copy);
    collect(talk);
}

void talk_request(struct talk *talk, const char *head)
{
    struct http_head parsed;
    ck_assert(http_head_parse(bytes_of_text(head), &parsed));
    const struct session_event event = {.kind = SESSION_REQUEST, .now_us = talk->now_us, .head = &parsed};
    show(talk, WIRE_FROM_CLIENT, WIRE_EVENT_REQUEST, 0, bytes_of_text(head));
    DUPLEX_SESSION_CLASS.step(talk->session, &event, &talk->actions);
    collect(talk);
    if (talk->count > 0 && talk->said[talk->count - 1].kind == ACTION_ACCEPT)
        talk_event(talk, SESSION_OPENED, (struct bytes){0});
}

void talk_run(struct talk *talk, uint64_t until_us)
{
    for (;;) {
        const uint64_t deadline = DUPLEX_SESSION_CLASS.deadline_us(talk->session);
        if (deadline > until_us)
            break;
        if (deadline > talk->now_us)
            talk->now_us = deadline;
        if (talk->tick_us != 0)
            talk->now_us = (talk->now_us + talk->tick_us - 1) / talk->tick_us * talk->tick_us;
        if (talk->now_us > until_us)
            break;
        talk_event(talk, SESSION_TICK, (struct bytes){0});
    }
    talk->now_us = until_us;
}

void talk_text(struct talk *talk, const char *json)
{
    talk_event(talk, SESSION_TEXT, bytes_of_text(json));
}

static void send(struct talk *talk, const struct duplex_message *message)
{
    struct buffer buffer;
    buffer_init(&buffer, DUPLEX_MESSAGE_BYTES_MAX);
    ck_assert(duplex_message_write(talk->read.profile, message, &buffer));
    talk_event(talk, SESSION_TEXT, buffer_bytes(&buffer));
    buffer_free(&buffer);
}

void talk_update(struct talk *talk)
{
    send(talk,
         &(struct duplex_message){.type = DUPLEX_MESSAGE_UPDATE,
                                  .has_max_slices = talk->slices != 0,
                                  .max_slices = talk->slices,
                                  .has_instructions = true,
                                  .instructions = bytes_of_text("You are a helpful English assistant.")});
}

void talk_close(struct talk *talk)
{
    send(talk, &(struct duplex_message){
                   .type = DUPLEX_MESSAGE_CLOSE, .has_reason = true, .reason = bytes_of_text("user_stop")});
}

static void picture_make(struct buffer *out)
{
    struct picture picture;
    buffer_init(out, PICTURE_BYTES_MAX);
    ck_assert(picture_init(&picture, PICTURE_WIDTH, PICTURE_HEIGHT));
    ck_assert(jpeg_encode(&picture, PICTURE_QUALITY, out));
    picture_free(&picture);
}

void talk_append(struct talk *talk, struct talk_append append)
{
    const size_t samples = append.samples == 0 ? DUPLEX_APPEND_SAMPLES : append.samples;
    uint8_t *pcm = malloc(samples * FLOAT32_BYTES);
    struct buffer picture;
    ck_assert_ptr_nonnull(pcm);
    picture_make(&picture);
    for (size_t i = 0; i < samples; i++)
        float32_put(pcm + i * FLOAT32_BYTES,
                    append.sound == TALK_SPEECH ? 0.2F * sinf((float)i * 0.07F) : 0.0F);
    struct duplex_message message = {.type = DUPLEX_MESSAGE_APPEND,
                                     .has_audio = true,
                                     .audio = bytes_of(pcm, samples * FLOAT32_BYTES),
                                     .has_force_listen = append.force,
                                     .force_listen = append.force,
                                     .has_max_slices = append.slices != 0,
                                     .max_slices = append.slices};
    message.has_pictures = talk->read.profile->pictures && !append.no_picture;
    message.picture_count = message.has_pictures ? 1 : 0;
    message.pictures[0].jpeg = buffer_bytes(&picture);
    send(talk, &message);
    buffer_free(&picture);
    free(pcm);
}

void talk_seconds(struct talk *talk, size_t count, enum talk_sound sound)
{
    for (size_t i = 0; i < count; i++) {
        talk_append(talk, (struct talk_append){.sound = sound});
        talk_wait(talk, TALK_SECOND_US);
    }
}

void talk_begin(struct talk *talk, const char *profile, const char *quirks)
{
    talk_new(talk, profile, quirks, NULL);
    const bool audio = talk->read.profile->mode == DUPLEX_MODE_AUDIO;
    talk_request(talk, audio ? TALK_HEAD("?mode=audio") : TALK_HEAD("?mode=video"));
    talk_run(talk, 0);
    talk_update(talk);
    talk_run(talk, 0);
    ck_assert_uint_eq(talk_count(talk, "created"), 1);
}

void talk_compose(struct talk *talk, const char *kind, const struct compose_option *options, size_t count)
{
    char error[200] = "";
    const bool done = DUPLEX_SESSION_CLASS.compose(talk->session, talk->now_us, kind, options, count,
                                                   &talk->actions, error);
    ck_assert_msg(done, "send %s: %s", kind, error);
    collect(talk);
}

/* ---- what is asked of it ---- */

size_t talk_count(const struct talk *talk, const char *label)
{
    size_t count = 0;
    for (size_t i = 0; i < talk->count; i++)
        count += strcmp(talk->said[i].label, label) == 0;
    return count;
}

const struct said *talk_nth(const struct talk *talk, const char *label, size_t n)
{
    for (size_t i = 0; i < talk->count; i++)
        if (strcmp(talk->said[i].label, label) == 0 && n-- == 0)
            return &talk->said[i];
    ck_abort_msg("there are fewer of %s", label);
    return NULL;
}

const struct said *talk_last(const struct talk *talk, const char *label)
{
    const size_t count = talk_count(talk, label);
    ck_assert_msg(count > 0, "there is no %s", label);
    return talk_nth(talk, label, count - 1);
}

size_t talk_errors(const struct talk *talk, const char *code)
{
    size_t count = 0;
    for (size_t i = 0; i < talk->count; i++)
        count += strcmp(talk->said[i].label, "error") == 0 && strcmp(talk->said[i].word, code) == 0;
    return count;
}

void talk_labels(const struct talk *talk, char out[TALK_TEXT_MAX])
{
    struct text text = text_of(out, TALK_TEXT_MAX);
    for (size_t i = 0; i < talk->count; i++) {
        text_add(&text, i == 0 ? "" : " ");
        text_add(&text, talk->said[i].label);
    }
}
