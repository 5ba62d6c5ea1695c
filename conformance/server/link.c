#include "conformance/server/link.h"

#include "codec/wire/http_head.h"
#include "codec/wire/secret.h"
#include "codec/wire/writer.h"
#include "conformance/server/client_bytes.h"
#include "server/core/session.h"
#include "server/journal/recorder.h"

static const struct server_rule_class *rules_of(const struct link *link)
{
    return link->options.class->family->server_rules;
}

static void journal_add(struct link *link, struct journal_entry *entry)
{
    entry->connection = link->options.number;
    entry->others = buffer_bytes(&link->secrets);
    if (link->options.journal != NULL)
        (void)journal_append(link->options.journal, entry);
}

static void findings_take(struct link *link, uint64_t now_us)
{
    struct journal_entry entry = {.at_us = now_us, .kind = JOURNAL_FINDING};
    while (rules_of(link)->take_finding(link->rules, &entry.finding))
        journal_add(link, &entry);
}

static void judge(struct link *link, const struct wire_event *event)
{
    rules_of(link)->event(link->rules, event);
    findings_take(link, event->at_us);
}

static void client_event(void *context, const struct wire_event *event)
{
    struct link *link = context;
    struct journal_entry entry = {.at_us = event->at_us, .kind = JOURNAL_WIRE, .wire = *event};
    action_label_set(entry.label, recorder_client_label(link->options.class, event));
    if (event->kind == WIRE_EVENT_REQUEST)
        (void)request_secrets(event->data, link->options.rules->key, &link->secrets);
    journal_add(link, &entry);
    judge(link, event);
}

/* The event, with every secret masked that the server quotes: reports show parts of what came. */
static struct wire_event shown_of(struct link *link, const struct wire_event *event)
{
    struct wire_event shown = *event;
    if (event->kind != WIRE_EVENT_BINARY)
        shown.data =
            secret_masked(event->data, link->options.rules->key, buffer_bytes(&link->secrets), &link->shown);
    return shown;
}

static void server_event(void *context, const struct wire_event *event)
{
    struct link *link = context;
    struct seen seen;
    const struct wire_event shown = shown_of(link, event);
    struct journal_entry entry = {.at_us = event->at_us, .kind = JOURNAL_WIRE, .wire = *event};
    const struct client_side *side = link->options.side;
    seen_of(side, link->options.rules->profile, &shown, &seen, &entry.frame);
    entry.has_frame = event->kind == WIRE_EVENT_BINARY;
    action_label_set(entry.label, seen_label(side, &seen));
    journal_add(link, &entry);
    if (seen.kind == SEEN_OPEN)
        link->open = true;
    if (event->kind == WIRE_EVENT_VIOLATION && event->code == WS_VIOLATION_BAD_HEAD)
        link->lost = true;
    judge(link, &shown);
    link->options.sink(link->options.context, &seen, event->data);
    if (event->kind == WIRE_EVENT_PING)
        (void)link_queue_frame(link, WS_OPCODE_PONG, event->data);
    if (event->kind == WIRE_EVENT_CLOSE)
        (void)link_queue_close(link, event->code);
}

bool link_init(struct link *link, const struct link_options *options)
{
    *link = (struct link){.options = *options, .random.state = options->seed};
    buffer_init(&link->out, LINK_OUT_BYTES_MAX);
    buffer_init(&link->secrets, HTTP_HEAD_BYTES_MAX);
    buffer_init(&link->shown, LINK_MESSAGE_BYTES_MAX);
    link->from_client = ws_stream_new(WIRE_FROM_CLIENT, LINK_MESSAGE_BYTES_MAX, client_event, link);
    link->from_server = ws_stream_new(WIRE_FROM_SERVER, LINK_MESSAGE_BYTES_MAX, server_event, link);
    link->rules = rules_of(link)->create(options->rules);
    if (link->from_client != NULL && link->from_server != NULL && link->rules != NULL)
        return true;
    link_free(link);
    return false;
}

void link_finish(struct link *link, uint64_t now_us)
{
    rules_of(link)->finish(link->rules, now_us);
    findings_take(link, now_us);
}

void link_free(struct link *link)
{
    ws_stream_free(link->from_client);
    ws_stream_free(link->from_server);
    rules_of(link)->destroy(link->rules);
    buffer_free(&link->out);
    buffer_free(&link->secrets);
    buffer_free(&link->shown);
    *link = (struct link){.ended = true};
}

/* Masks need not be secret here, only well-formed. */
void link_random(struct link *link, uint8_t out[16])
{
    struct writer writer = writer_of(out, 16);
    writer_u64(&writer, seeded_next(&link->random));
    writer_u64(&writer, seeded_next(&link->random));
}

bool link_queue(struct link *link, struct bytes bytes)
{
    return buffer_append(&link->out, bytes);
}

bool link_queue_frame(struct link *link, enum ws_opcode opcode, struct bytes payload)
{
    uint8_t random[16];
    if (link->close_sent || link->ended)
        return true;
    link_random(link, random);
    link->close_sent = opcode == WS_OPCODE_CLOSE;
    return client_frame_write(opcode, payload, random, &link->out);
}

bool link_queue_close(struct link *link, uint16_t code)
{
    uint8_t payload[sizeof code];
    struct writer writer = writer_of(payload, sizeof payload);
    if (ws_close_code_is_legal(code))
        writer_u16(&writer, code);
    return link_queue_frame(link, WS_OPCODE_CLOSE, bytes_of(payload, writer.len));
}

void link_sent(struct link *link, uint64_t now_us, size_t len)
{
    ws_stream_feed(link->from_client, now_us, bytes_of(link->out.data, len));
    buffer_consume(&link->out, len);
}

void link_received(struct link *link, uint64_t now_us, struct bytes bytes)
{
    ws_stream_feed(link->from_server, now_us, bytes);
}

void link_ended(struct link *link, uint64_t now_us, bool reset)
{
    if (link->ended)
        return;
    link->ended = true;
    ws_stream_end(link->from_server, now_us, reset);
}
