#include "server/tests/engine_rig.h"

#include <check.h>
#include <stdlib.h>

#include "codec/tests/exact_copy.h"
#include "server/tests/fake_session.h"

enum { RIG_TICKS_MAX = 100000 };

static struct script *rig_script(const char *body)
{
    char source[8192];
    char error[SCRIPT_ERROR_MAX];
    struct text text = text_of(source, sizeof source);
    text_add(&text, "case test\nserver {\n");
    text_add(&text, body);
    text_add(&text, "\n}\n");
    ck_assert(!text.cut);
    struct exact_copy copy = exact_copy_of(bytes_of(source, text.len));
    struct script *script = script_parse("test", copy.bytes, &FAKE_SESSION_CLASS, error);
    exact_copy_free(copy);
    ck_assert_msg(script != NULL, "%s", error);
    return script;
}

void rig_init(struct rig *rig, const char *script, uint64_t seed)
{
    *rig = (struct rig){.shown_ms = UINT64_MAX};
    rig->out = text_of(rig->data, sizeof rig->data);
    rig->script = script == NULL ? NULL : rig_script(script);
    actions_init(&rig->actions);
    const struct engine_config config = {
        .session_class = &FAKE_SESSION_CLASS,
        .session = {.seed = seed, .epoch_ms = 1700000000000U},
        .script = rig->script,
    };
    rig->engine = engine_new(&config);
    ck_assert_ptr_nonnull(rig->engine);
}

void rig_free(struct rig *rig)
{
    engine_free(rig->engine);
    script_free(rig->script);
    actions_free(&rig->actions);
}

static void rig_number(struct rig *rig, const char *before, uint64_t number)
{
    text_add(&rig->out, before);
    text_add_u64(&rig->out, number);
}

static void rig_body(struct rig *rig, const struct action *action)
{
    struct bytes body = actions_bytes(&rig->actions, action);
    if (body.len == 0)
        return;
    text_add(&rig->out, "(");
    text_add_bytes(&rig->out, body);
    text_add(&rig->out, ")");
}

static void rig_name(struct rig *rig, const struct action *action)
{
    if (action->step[0] == '\0')
        return;
    text_add(&rig->out, "=");
    text_add(&rig->out, action->step);
}

static void rig_send(struct rig *rig, const struct action *action)
{
    const struct delivery *delivery = &action->delivery;
    text_add(&rig->out, action->label);
    if (action->kind != ACTION_SEND_RAW)
        rig_body(rig, action);
    if (delivery->slice_every != 0 || delivery->slice_at != 0) {
        rig_number(rig, "/slice=", delivery->slice_every);
        rig_number(rig, ",", delivery->slice_for);
        rig_number(rig, ",", delivery->slice_at);
        rig_number(rig, ",", delivery->gap_us);
    }
    if (delivery->fragment_at != 0)
        rig_number(rig, "/fragment=", delivery->fragment_at);
    if (delivery->fragment_every != 0)
        rig_number(rig, delivery->fragment_pings ? "/pings=" : "/fragments=", delivery->fragment_every);
    if (delivery->delay_us != 0)
        rig_number(rig, "/delay=", delivery->delay_us);
    if (delivery->end_at != 0)
        rig_number(rig, delivery->end_by_reset ? "/reset=" : "/drop=", delivery->end_at);
    text_add(&rig->out, action->fault ? "!fault" : "");
    rig_name(rig, action);
}

static void rig_hex(struct rig *rig, const struct action *action)
{
    text_add(&rig->out, "<");
    text_add_hex(&rig->out, actions_bytes(&rig->actions, action));
    text_add(&rig->out, ">");
}

static void rig_close(struct rig *rig, const struct action *action)
{
    rig_number(rig, "close:", action->code);
    if (action->raw_close)
        rig_hex(rig, action);
    else
        rig_body(rig, action);
    text_add(&rig->out, action->fault ? "!fault" : "");
}

static void rig_label(struct rig *rig, const char *prefix, const struct action *action)
{
    text_add(&rig->out, prefix);
    text_add(&rig->out, action->label);
}

static void rig_write(struct rig *rig, const struct action *action)
{
    switch (action->kind) {
    case ACTION_ACCEPT:
        text_add(&rig->out, "+101");
        rig_body(rig, action);
        break;
    case ACTION_REFUSE:
        rig_number(rig, "-", action->code);
        break;
    case ACTION_SEND_TEXT:
    case ACTION_SEND_BINARY:
    case ACTION_SEND_PING:
        rig_send(rig, action);
        break;
    case ACTION_CLOSE:
        rig_close(rig, action);
        break;
    case ACTION_SEND_RAW:
        rig_hex(rig, action);
        rig_send(rig, action);
        break;
    case ACTION_STOP_READING:
        rig_label(rig, "", action);
        if (action->duration_us != UINT64_MAX)
            rig_number(rig, "=", action->duration_us);
        break;
    case ACTION_DROP:
    case ACTION_HALF_CLOSE:
    case ACTION_RESET:
        rig_label(rig, "", action);
        break;
    case ACTION_MARK:
        rig_label(rig, "mark:", action);
        break;
    case ACTION_CAPTURE:
        rig_label(rig, "$", action);
        text_add(&rig->out, "=");
        text_add_hex(&rig->out, bytes_of(action->interaction, 1));
        break;
    case ACTION_STEP:
        rig_label(rig, "[", action);
        rig_name(rig, action);
        rig_body(rig, action);
        text_add(&rig->out, "]");
        break;
    case ACTION_STEP_FAILED:
        rig_label(rig, "!", action);
        rig_body(rig, action);
        break;
    case ACTION_SCRIPT_DONE:
        text_add(&rig->out, "done");
        break;
    }
}

static void rig_step(struct rig *rig, struct engine_event event)
{
    for (;;) {
        enum engine_event_kind answer = ENGINE_TICK;
        event.now_us = rig->now_us;
        actions_clear(&rig->actions);
        engine_step(rig->engine, &event, &rig->actions);
        for (size_t i = 0; i < rig->actions.count; i++) {
            if (rig->now_us / 1000 != rig->shown_ms)
                rig_number(rig, rig->out.len == 0 ? "@" : " @", rig->now_us / 1000);
            rig->shown_ms = rig->now_us / 1000;
            text_add(&rig->out, " ");
            rig_write(rig, &rig->actions.list[i]);
            if (rig->actions.list[i].kind == ACTION_ACCEPT)
                answer = ENGINE_OPENED;
            if (rig->actions.list[i].kind == ACTION_RESET || rig->actions.list[i].kind == ACTION_DROP)
                answer = ENGINE_GONE;
        }
        if (answer == ENGINE_TICK)
            return;
        event = (struct engine_event){.kind = answer};
    }
}

void rig_feed(struct rig *rig, const struct rig_event *event)
{
    char head[300];
    static const uint8_t AUDIO[1000];
    struct engine_event out = {.kind = event->kind, .code = event->code};
    struct text text = text_of(head, sizeof head);
    if (event->kind == ENGINE_BINARY)
        out.data = bytes_of(AUDIO, strtoul(event->data, NULL, 10));
    else if (event->data != NULL)
        out.data = bytes_of_text(event->data);
    if (event->kind == ENGINE_REQUEST) {
        text_add(&text, "GET /");
        text_add(&text, event->data == NULL ? "" : event->data);
        text_add(&text, " HTTP/1.1\r\nHost: here\r\n\r\n");
        out.data = bytes_of(head, text.len);
    }
    struct exact_copy copy = exact_copy_of(out.data);
    out.data = copy.bytes;
    out.message_bytes = copy.bytes.len;
    rig_step(rig, out);
    exact_copy_free(copy);
}

static uint64_t rig_next_us(const struct rig *rig, uint64_t every_us)
{
    uint64_t due = engine_deadline_us(rig->engine);
    if (due <= rig->now_us)
        return rig->now_us;
    if (every_us == 0 || due == UINT64_MAX)
        return due;
    return (due + every_us - 1) / every_us * every_us;
}

void rig_run_to(struct rig *rig, unsigned to_ms, uint64_t every_us)
{
    uint64_t to_us = (uint64_t)to_ms * 1000;
    unsigned ticks = 0;
    while (rig_next_us(rig, every_us) < to_us) {
        ck_assert_msg(ticks++ < RIG_TICKS_MAX, "the engine is always due: %s", rig->data);
        rig->now_us = rig_next_us(rig, every_us);
        rig_step(rig, (struct engine_event){.kind = ENGINE_TICK});
    }
    if (to_us > rig->now_us)
        rig->now_us = to_us;
}
