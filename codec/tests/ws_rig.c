#include "codec/tests/ws_rig.h"

#include <check.h>

#include "codec/tests/exact_copy.h"

enum { SHOWN_MAX = 24 };

static const char *const KIND_NAMES[] = {"request", "response", "text",      "binary", "ping",
                                         "pong",    "close",    "violation", "end"};

static void note_span(struct text *text, struct ws_span span)
{
    text_add(text, " @");
    text_add_u64(text, span.begin);
    text_add(text, "-");
    text_add_u64(text, span.end);
}

static void take(void *context, const struct ws_event *event)
{
    struct rig *rig = context;
    struct text *text = &rig->text;
    const bool from_client = event->wire.direction == WIRE_FROM_CLIENT;
    if (from_client == (rig->options.role == WS_CLIENT))
        text_add(text, "own ");
    if (event->early && event->wire.kind > WIRE_EVENT_RESPONSE)
        text_add(text, "early ");
    if (event->ignored)
        text_add(text, "ignored ");
    text_add(text, KIND_NAMES[event->wire.kind]);
    text_add(text, " ");
    text_add_u64(text, event->wire.code);
    if (event->flaws != 0) {
        text_add(text, " flaws ");
        text_add_u64(text, event->flaws);
    }
    if (event->wire.kind > WIRE_EVENT_RESPONSE && event->wire.kind < WIRE_EVENT_VIOLATION) {
        const struct bytes data = event->wire.data;
        text_add(text, " ");
        text_add_u64(text, event->wire.message_bytes > data.len ? event->wire.message_bytes : data.len);
        text_add(text, " ");
        if (data.len > 0)
            text_add_printable(text, bytes_of(data.data, data.len < SHOWN_MAX ? data.len : SHOWN_MAX),
                               SHOWN_MAX);
    }
    if (rig->spans)
        note_span(text, event->span);
    text_add(text, "\n");
    if (event->wire.kind == WIRE_EVENT_REQUEST && rig->answer != RIG_WAITS)
        (void)ws_endpoint_accept(rig->endpoint, bytes_of(NULL, 0), rig->answer == RIG_COMPRESSES);
    if (rig->pauses)
        ws_endpoint_pause(rig->endpoint);
}

void rig_init(struct rig *rig)
{
    memset(rig, 0, sizeof *rig);
    rig->options = (struct ws_options){.role = WS_SERVER,
                                       .message_bytes_max = RIG_KEPT_MAX,
                                       .inflated_bytes_max = 4 * RIG_KEPT_MAX,
                                       .out_bytes_max = RIG_OUT_MAX,
                                       .handshake_wait_us = RIG_WAIT_US,
                                       .close_wait_us = RIG_WAIT_US,
                                       .seed = 7,
                                       .sink = take,
                                       .context = rig};
    rig->text = text_of(rig->lines, sizeof rig->lines);
    buffer_init(&rig->sent, RIG_SENT_MAX);
}

void rig_start(struct rig *rig)
{
    rig->endpoint = ws_endpoint_new(&rig->options, 0);
    ck_assert_ptr_nonnull(rig->endpoint);
}

void rig_free(struct rig *rig)
{
    ck_assert(!rig->text.cut);
    ws_endpoint_free(rig->endpoint);
    buffer_free(&rig->sent);
}

void rig_feed(struct rig *rig, uint64_t now_us, struct bytes data)
{
    struct exact_copy copy = exact_copy_of(data);
    size_t done = 0;
    while (done < data.len) {
        struct ws_budget all = {.frames = 100000, .bytes = 1 << 24};
        const size_t used =
            ws_endpoint_feed(rig->endpoint, now_us, bytes_of(copy.bytes.data + done, data.len - done), &all);
        ck_assert_uint_gt(used, 0);
        done += used;
    }
    exact_copy_free(copy);
}

void rig_drain(struct rig *rig, uint64_t now_us, size_t max)
{
    struct bytes pieces[3];
    for (;;) {
        const size_t count = ws_endpoint_pieces(rig->endpoint, pieces, 3);
        size_t sent = 0;
        for (size_t i = 0; i < count; i++) {
            ck_assert_uint_gt(pieces[i].len, 0);
            const size_t len = pieces[i].len < max ? pieces[i].len : max;
            ck_assert(buffer_append(&rig->sent, bytes_of(pieces[i].data, len)));
            sent += len;
            max -= len;
        }
        if (sent == 0)
            return;
        ws_endpoint_sent(rig->endpoint, now_us, sent);
    }
}

void rig_forget(struct rig *rig)
{
    rig->text = text_of(rig->lines, sizeof rig->lines);
    rig->lines[0] = '\0';
    buffer_clear(&rig->sent);
}

void rig_skip_head(struct rig *rig)
{
    static const char END[] = "\r\n\r\n";
    for (size_t i = 0; i + 4 <= rig->sent.len; i++) {
        if (memcmp(rig->sent.data + i, END, 4) != 0)
            continue;
        buffer_consume(&rig->sent, i + 4);
        return;
    }
    ck_abort_msg("no head was sent");
}

void rig_play(struct rig *rig, struct bytes data, size_t split)
{
    struct buffer all;
    buffer_init(&all, 1 << 16);
    ck_assert(buffer_append(
        &all, bytes_of_text(rig->answer == RIG_COMPRESSES ? RIG_DEFLATE_REQUEST : RIG_REQUEST)));
    ck_assert(buffer_append(&all, data));
    rig_start(rig);
    for (size_t at = 0; at < all.len;) {
        const size_t len = split == SIZE_MAX ? 1 : at < split && split < all.len ? split - at : all.len - at;
        rig_feed(rig, 1, bytes_of(all.data + at, len));
        at += len;
    }
    buffer_free(&all);
    rig_drain(rig, 1, SIZE_MAX);
}

void rig_open(struct rig *rig, enum rig_answer answer)
{
    rig_init(rig);
    rig->answer = answer;
    rig_play(rig, bytes_of(NULL, 0), SIZE_MAX);
    ck_assert_int_eq(ws_endpoint_state(rig->endpoint), WS_OPEN);
    rig_forget(rig);
}

bool rig_send_text(struct rig *rig, const char *text)
{
    const struct ws_part part = {.bytes = bytes_of_text(text), .life = WS_PART_PASSING};
    return ws_endpoint_send(rig->endpoint, WS_OPCODE_TEXT, &part, 1);
}

void rig_assert_sent(struct rig *rig, const char *bytes, size_t len)
{
    rig_drain(rig, 1, SIZE_MAX);
    ck_assert_uint_eq(rig->sent.len, len);
    ck_assert(bytes_equal(buffer_bytes(&rig->sent), bytes_of(bytes, len)));
    rig_forget(rig);
}
