#include "server/ojin/tests/judged.h"

#include <check.h>
#include <stdlib.h>

#include "codec/media/jpeg.h"
#include "codec/ojin/input.h"
#include "codec/ojin/profile.h"
#include "codec/rules/ojin/classes.h"
#include "codec/tests/exact_copy.h"
#include "codec/wire/text.h"
#include "server/ojin/session_class.h"

static const uint64_t EPOCH_MS = 1750000000000;

static bool picture_size(void *context, struct bytes jpeg, unsigned *width, unsigned *height)
{
    struct picture picture;
    (void)context;
    if (!jpeg_decode(jpeg, &picture))
        return false;
    *width = picture.width;
    *height = picture.height;
    picture_free(&picture);
    return true;
}

void judged_init(struct judged *judged, const char *profile, const char *quirks)
{
    char error[QUIRK_ERROR_MAX];
    *judged = (struct judged){.now_us = 0};
    judged->persona = persona_new(JUDGED_WIDTH, JUDGED_HEIGHT, error);
    ck_assert_ptr_nonnull(judged->persona);
    judged->config = (struct engine_config){.session_class = &OJIN_SESSION_CLASS};
    judged->config.session = (struct session_config){.profile = ojin_profile_by_name(profile),
                                                     .key = JUDGED_KEY,
                                                     .config_id = JUDGED_CONFIG,
                                                     .seed = 5,
                                                     .epoch_ms = EPOCH_MS,
                                                     .persona = judged->persona};
    ck_assert_ptr_nonnull(judged->config.session.profile);
    ck_assert_msg(quirk_set_all(&judged->config.session.quirks, OJIN_SESSION_CLASS.quirks,
                                bytes_of_text(quirks), error),
                  "%s", error);
    judged->context = (struct server_rule_context){.profile = judged->config.session.profile,
                                                   .epoch_ms = EPOCH_MS,
                                                   .key = bytes_of_text(JUDGED_KEY),
                                                   .config = bytes_of_text(JUDGED_CONFIG),
                                                   .config_only = true,
                                                   .picture_width = JUDGED_WIDTH,
                                                   .picture_height = JUDGED_HEIGHT,
                                                   .picture_size = picture_size};
    actions_init(&judged->actions);
    judged->engine = engine_new(&judged->config);
    ck_assert_ptr_nonnull(judged->engine);
}

void judged_free(struct judged *judged)
{
    engine_free(judged->engine);
    OJIN_SERVER_RULES.destroy(judged->rules);
    actions_free(&judged->actions);
    persona_free(judged->persona);
}

static void take_findings(struct judged *judged)
{
    while (judged->finding_count < JUDGED_FINDINGS_MAX &&
           OJIN_SERVER_RULES.take_finding(judged->rules, &judged->findings[judged->finding_count]))
        judged->finding_count++;
}

static void show(struct judged *judged, enum wire_direction direction, enum wire_event_kind kind,
                 uint16_t code, struct bytes data)
{
    if (judged->rules == NULL)
        judged->rules = OJIN_SERVER_RULES.create(&judged->context);
    ck_assert_ptr_nonnull(judged->rules);
    struct exact_copy copy = exact_copy_of(data);
    const struct wire_event event = {.at_us = judged->now_us,
                                     .direction = direction,
                                     .kind = kind,
                                     .code = code,
                                     .message_bytes = data.len,
                                     .data = copy.bytes};
    OJIN_SERVER_RULES.event(judged->rules, &event);
    exact_copy_free(copy);
    take_findings(judged);
    judged->finished = judged->finished || kind == WIRE_EVENT_CLOSE || kind == WIRE_EVENT_END;
}

static void step(struct judged *judged, enum engine_event_kind kind, struct bytes data);

static void show_refusal(struct judged *judged, const struct action *action)
{
    static char response[4096];
    struct text text = text_of(response, sizeof response);
    text_add(&text, "HTTP/1.1 ");
    text_add_u64(&text, action->code);
    text_add(&text, " x\r\n");
    text_add_bytes(&text, actions_bytes(&judged->actions, action));
    show(judged, WIRE_FROM_SERVER, WIRE_EVENT_RESPONSE, action->code, bytes_of(response, text.len));
}

/* True when it was ACCEPT. */
static bool carry_out(struct judged *judged, const struct action *action)
{
    const struct bytes data = actions_bytes(&judged->actions, action);
    if (action->kind == ACTION_SEND_TEXT)
        show(judged, WIRE_FROM_SERVER, WIRE_EVENT_TEXT, 0, data);
    if (action->kind == ACTION_SEND_BINARY) {
        judged->finals += data.len > 0 && data.data[0] == 1 ? 1u : 0u;
        show(judged, WIRE_FROM_SERVER, WIRE_EVENT_BINARY, 0, data);
    }
    if (action->kind == ACTION_CLOSE && !judged->finished)
        show(judged, WIRE_FROM_SERVER, WIRE_EVENT_CLOSE, action->code, data);
    if (action->kind == ACTION_REFUSE)
        show_refusal(judged, action);
    if (action->kind == ACTION_ACCEPT)
        show(judged, WIRE_FROM_SERVER, WIRE_EVENT_RESPONSE, 101, bytes_of_text("HTTP/1.1 101 x\r\n\r\n"));
    return action->kind == ACTION_ACCEPT;
}

static void step(struct judged *judged, enum engine_event_kind kind, struct bytes data)
{
    const struct engine_event event = {
        .kind = kind, .now_us = judged->now_us, .code = 1000, .data = data, .message_bytes = data.len};
    bool accepted = false;
    engine_step(judged->engine, &event, &judged->actions);
    for (size_t i = 0; i < judged->actions.count; i++)
        accepted = carry_out(judged, &judged->actions.list[i]) || accepted;
    actions_clear(&judged->actions);
    if (accepted) {
        const struct engine_event opened = {.kind = ENGINE_OPENED, .now_us = judged->now_us};
        engine_step(judged->engine, &opened, &judged->actions);
        for (size_t i = 0; i < judged->actions.count; i++)
            (void)carry_out(judged, &judged->actions.list[i]);
        actions_clear(&judged->actions);
    }
}

void judged_run(struct judged *judged, uint64_t for_us)
{
    const uint64_t until_us = judged->now_us + for_us;
    while (!judged->finished && engine_deadline_us(judged->engine) <= until_us) {
        const uint64_t due_us = engine_deadline_us(judged->engine);
        const uint64_t every_us = judged->every_us == 0 ? 1 : judged->every_us;
        const uint64_t tick_us = (due_us / every_us + (due_us % every_us != 0)) * every_us;
        if (tick_us > until_us)
            break;
        if (tick_us > judged->now_us)
            judged->now_us = tick_us;
        step(judged, ENGINE_TICK, (struct bytes){0});
    }
    judged->now_us = until_us;
}

static void send(struct judged *judged, enum wire_event_kind kind, enum engine_event_kind engine_kind,
                 struct bytes data)
{
    if (judged->finished)
        return;
    show(judged, WIRE_FROM_CLIENT, kind, 1000, data);
    struct exact_copy copy = exact_copy_of(data);
    step(judged, engine_kind, copy.bytes);
    exact_copy_free(copy);
}

void judged_request(struct judged *judged, const char *head)
{
    send(judged, WIRE_EVENT_REQUEST, ENGINE_REQUEST, bytes_of_text(head));
}

void judged_text(struct judged *judged, const char *text)
{
    send(judged, WIRE_EVENT_TEXT, ENGINE_TEXT, bytes_of_text(text));
}

void judged_binary(struct judged *judged, struct bytes message)
{
    send(judged, WIRE_EVENT_BINARY, ENGINE_BINARY, message);
}

void judged_audio(struct judged *judged, size_t samples, unsigned seed, size_t bytes_min)
{
    const size_t least = OJIN_INPUT_HEADER_BYTES + OJIN_SAMPLE_BYTES * samples;
    const size_t params_len = bytes_min > least ? bytes_min - least : 0;
    const size_t len = least + params_len;
    uint8_t *message = malloc(len);
    ck_assert_ptr_nonnull(message);
    ck_assert(params_len == 0 || params_len >= 2);
    struct writer writer = writer_of(message, len);
    writer_u8(&writer, OJIN_PAYLOAD_AUDIO);
    writer_u64(&writer, EPOCH_MS + judged->now_us / 1000);
    writer_u32(&writer, (uint32_t)params_len);
    for (size_t i = 0; i < params_len; i++)
        writer_u8(&writer, (uint8_t)(i == 0 ? '{' : i == params_len - 1 ? '}' : ' '));
    for (size_t i = 0; i < samples; i++) {
        const uint32_t bits = seed == 0 ? 0 : 1 + (uint32_t)((i * 7919u + seed * 104729u) % 20000u);
        writer_u8(&writer, (uint8_t)(bits & 0xFFu));
        writer_u8(&writer, (uint8_t)(bits >> 8));
    }
    ck_assert_uint_eq(writer.len, len);
    judged_binary(judged, bytes_of(message, len));
    free(message);
}

void judged_ping(struct judged *judged, const char *data)
{
    send(judged, WIRE_EVENT_PING, ENGINE_PING, bytes_of_text(data));
    if (!judged->no_pong && !judged->finished)
        show(judged, WIRE_FROM_SERVER, WIRE_EVENT_PONG, 0, bytes_of_text(data));
}

void judged_close(struct judged *judged)
{
    send(judged, WIRE_EVENT_CLOSE, ENGINE_CLOSE, (struct bytes){0});
}

void judged_finish(struct judged *judged)
{
    OJIN_SERVER_RULES.finish(judged->rules, judged->now_us);
    take_findings(judged);
}

enum rule_verdict judged_verdict(const struct judged *judged, const char *requirement)
{
    for (size_t i = 0; i < OJIN_SERVER_RULES.count; i++) {
        if (strcmp(OJIN_SERVER_RULES.requirement(i), requirement) == 0)
            return OJIN_SERVER_RULES.verdict(judged->rules, i);
    }
    ck_abort_msg("no rule judges %s", requirement);
    return RULE_NOT_REACHED;
}
