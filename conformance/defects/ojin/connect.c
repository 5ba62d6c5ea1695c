/* Defects of connecting: OJ-CON, OJ-FLD-05. */
#include <stdlib.h>

#include "codec/wire/base64.h"
#include "conformance/defects/ojin/tables.h"

/* ---- the request ---- */

static void put_key_twice(struct defect_state *state, struct buffer *head)
{
    char lines[DEFECT_KEY_MAX + 64];
    struct text text = text_of(lines, sizeof lines);
    text_add(&text, "\r\nAuthorization: ");
    text_add(&text, state->key);
    text_add(&text, "\r\nAuthorization: ");
    (void)ws_replace(head, "\r\nAuthorization: ", lines);
}

/* Cuts what stands between the path and the version. */
static void cut_query(struct defect_state *state, struct buffer *head)
{
    size_t from = 0;
    while (from < head->len && head->data[from] != '?')
        from++;
    size_t to = from;
    while (to < head->len && head->data[to] != ' ')
        to++;
    memmove(head->data + from, head->data + to, head->len - to);
    head->len -= to - from;
}

static void put_key_in_url(struct defect_state *state, struct buffer *head)
{
    char more[DEFECT_KEY_MAX + 32];
    struct text text = text_of(more, sizeof more);
    text_add(&text, "&api_key=");
    text_add(&text, state->key);
    text_add(&text, " HTTP/1.1\r\n");
    (void)ws_replace(head, " HTTP/1.1\r\n", more);
}

/* Takes an answer without the extension for a refusal. */
static void insist_on_deflate(struct defect_state *state, struct buffer *head)
{
    if (!ws_replace(head, "permessage-deflate", "permessage-deflate"))
        (void)ws_replace(head, "HTTP/1.1 101", "HTTP/1.1 400");
}

/* ---- frames ---- */

static bool put_control_in_binary(struct defect_state *state, struct ws_frame *frame)
{
    if (frame->opcode == WS_OPCODE_TEXT)
        frame->opcode = WS_OPCODE_BINARY;
    return true;
}

static bool put_audio_in_text(struct defect_state *state, struct ws_frame *frame)
{
    if (frame->opcode == WS_OPCODE_BINARY)
        frame->opcode = WS_OPCODE_TEXT;
    return true;
}

/* As a client does that was written for a service with sound in its JSON. */
static bool put_audio_in_base64(struct defect_state *state, struct ws_frame *frame)
{
    struct buffer text;
    if (frame->opcode != WS_OPCODE_BINARY)
        return true;
    buffer_init(&text, SIZE_MAX);
    if (buffer_append(&text, bytes_of_text("{\"type\":\"interactionInput\",\"payload\":{\"audio\":\"")) &&
        base64_encode(buffer_bytes(&frame->payload), &text) && buffer_append(&text, bytes_of_text("\"}}"))) {
        buffer_free(&frame->payload);
        frame->payload = text;
        frame->opcode = WS_OPCODE_TEXT;
        return true;
    }
    buffer_free(&text);
    return true;
}

static bool cut_pong(struct defect_state *state, struct ws_frame *frame)
{
    enum { PONG_ROOM = 64 };
    if (frame->opcode == WS_OPCODE_PONG && frame->payload.len > PONG_ROOM)
        frame->payload.len = PONG_ROOM;
    return true;
}

/* ---- messages ---- */

static bool put_key_in_message(struct defect_state *state, struct buffer *message)
{
    char begin[DEFECT_KEY_MAX + 32];
    struct text text = text_of(begin, sizeof begin);
    text_add(&text, "{\"api_key\":\"");
    text_add(&text, state->key);
    text_add(&text, "\",");
    if (!state->binary)
        (void)ws_replace(message, "{", begin);
    return true;
}

static enum defect_taking take_json_for_text(struct defect_state *state, struct bytes message)
{
    if (message.len > 0 && message.data[0] == '{')
        state->binary = false;
    return DEFECT_TAKE;
}

static enum defect_taking take_header_for_frame(struct defect_state *state, struct bytes message)
{
    if (message.len >= OJIN_FRAME_HEADER_BYTES && message.data[0] == 0)
        state->binary = true;
    return DEFECT_TAKE;
}

static enum defect_taking take_text_for_frame(struct defect_state *state, struct bytes message)
{
    (void)message;
    state->binary = true;
    return DEFECT_TAKE;
}

/* ---- how long it waits ---- */

static void wait_for_ready(struct defect_state *state, uint64_t wait_us)
{
    defect_client(state)->ready_wait_us = wait_us;
    state->life->deadline_us = wait_us; /* it connects already */
}

static void wait_for_ready_for_ever(struct defect_state *state)
{
    wait_for_ready(state, DEFECT_FOR_EVER_US);
}

static void wait_three_seconds_for_ready(struct defect_state *state)
{
    wait_for_ready(state, 3000000);
}

/* ---- what is told ---- */

static bool is_status(const struct observation *observation)
{
    return observation->kind == OBSERVED_ERROR && observation->code[0] >= '0' && observation->code[0] <= '9';
}

static bool hide_status(struct defect_state *state, struct observation *observation)
{
    return !is_status(observation);
}

/* As one that was not reached at all. */
static bool blur_status(struct defect_state *state, struct observation *observation)
{
    if (!is_status(observation))
        return true;
    struct text code = text_of(observation->code, sizeof observation->code);
    text_add(&code, "NO_CONNECTION");
    struct text text = text_of(observation->text, sizeof observation->text);
    text_add(&text, "could not connect to the service");
    return true;
}

static bool hide_fatal_code(struct defect_state *state, struct observation *observation)
{
    static const char *const CODES[] = {"AUTH_FAILED", "MISSING_CONFIG_ID", "MODEL_NOT_FOUND", "UNAUTHORIZED",
                                        "INVALID_HEADERS"};
    for (size_t i = 0; observation->kind == OBSERVED_ERROR && i < sizeof CODES / sizeof CODES[0]; i++)
        if (strcmp(observation->code, CODES[i]) == 0)
            observation->code[0] = '\0';
    return true;
}

/* What an error said is forgotten when the close comes. */
static void forget_fatal_error(struct defect_state *state, struct client_event *event)
{
    if (event->kind == CLIENT_CLOSED)
        state->life->lasting = false;
}

static const struct defect ROWS[] = {
    {.name = "no-config-id",
     .requirement = "OJ-CON-01",
     .wrong = "connects without a config_id",
     .request = cut_query},
    {.name = "bearer-prefix",
     .requirement = "OJ-CON-02",
     .wrong = "puts \"Bearer \" before the key",
     .swap = {"\r\nAuthorization: ", "\r\nAuthorization: Bearer "},
     .request = defect_swap_in_head},
    {.name = "key-header-twice",
     .requirement = "OJ-CON-02",
     .wrong = "sends the header with the key twice",
     .request = put_key_twice},
    {.name = "key-in-url",
     .requirement = "OJ-CON-03",
     .wrong = "puts the key into the URL",
     .request = put_key_in_url},
    {.name = "key-in-message",
     .requirement = "OJ-CON-03",
     .wrong = "puts the key into its control messages",
     .say = put_key_in_message},
    {.name = "key-in-log", .requirement = "OJ-CON-03", .wrong = "logs the key", .seams.says_key = true},
    {.name = "hides-401",
     .requirement = "OJ-CON-04",
     .wrong = "does not report that it was refused",
     .tell = hide_status},
    {.name = "401-is-no-connection",
     .requirement = "OJ-CON-04",
     .wrong = "reports a refused key as a service that was not reached",
     .tell = blur_status},
    {.name = "retries-401",
     .requirement = "OJ-CON-04",
     .wrong = "tries again whatever the refusal was",
     .implies = {"OJ-CON-05", "OJ-CLS-01"},
     .ends_badly = true,
     .event = defect_come_back_after_any,
     .tell = defect_tell_true_status,
     .after = defect_come_back_at_once},
    {.name = "hides-fatal-code",
     .requirement = "OJ-CON-05",
     .wrong = "reports a fatal error without its code",
     .implies = {"OJ-ERR-01"},
     .tell = hide_fatal_code},
    {.name = "retries-fatal-error",
     .requirement = "OJ-CON-05",
     .wrong = "connects again after an error that stays",
     .implies = {"OJ-CON-04", "OJ-CLS-01"},
     .ends_badly = true,
     .event = defect_come_back_after_any,
     .tell = defect_tell_true_status,
     .after = defect_come_back_at_once},
    {.name = "goes-by-close-code",
     .requirement = "OJ-CON-05",
     .wrong = "goes by the close code alone when it decides whether to connect again",
     .cases = "ojin/reconnect/fatal-code-then-1011*",
     .event = forget_fatal_error},
    {.name = "speaks-at-once",
     .requirement = "OJ-CON-06",
     .wrong = "sends as soon as it is connected, ready or not",
     .hear = defect_hear_ready_late,
     .after = defect_be_ready},
    {.name = "no-pong", .requirement = "OJ-CON-07", .wrong = "answers no ping", .up = defect_drop_pong},
    {.name = "no-pong-inside",
     .requirement = "OJ-CON-07",
     .wrong = "answers no ping that comes between two fragments of a message",
     .cases = "ojin/frame/ping-inside",
     .down = defect_overlook_ping_inside},
    {.name = "empty-pong",
     .requirement = "OJ-CON-07",
     .wrong = "answers pings without their data",
     .up = defect_empty_pong},
    {.name = "short-pong",
     .requirement = "OJ-CON-07",
     .wrong = "answers with no more than 64 bytes of the data of a ping",
     .cases = "ojin/connect/ping-sizes",
     .up = cut_pong},
    {.name = "no-pings", .requirement = "OJ-CON-08", .wrong = "never pings", .act = defect_send_no_ping},
    {.name = "ignores-missing-pong",
     .requirement = "OJ-CON-08",
     .wrong = "goes on when no ping is answered",
     .act = defect_await_no_pong},
    {.name = "trusts-all",
     .requirement = "OJ-CON-09",
     .wrong = "takes any certificate",
     .seams.channel.trust_all = true},
    {.name = "trusts-none",
     .requirement = "OJ-CON-09",
     .wrong = "refuses the good certificate",
     .seams.channel.trust_none = true},
    {.name = "waits-for-ready-for-ever",
     .requirement = "OJ-CON-10",
     .wrong = "waits for the upgrade and for sessionReady without end",
     .ends_badly = true,
     .begin = wait_for_ready_for_ever},
    {.name = "waits-three-seconds-for-ready",
     .requirement = "OJ-CON-10",
     .wrong = "gives up when sessionReady has not come after three seconds",
     .cases = "ojin/ready/late-by-seconds",
     .ends_badly = true,
     .begin = wait_three_seconds_for_ready},
    {.name = "unmasked",
     .requirement = "OJ-CON-11",
     .wrong = "leaves the mask off its frames",
     .up = defect_leave_unmasked},
    {.name = "control-in-binary",
     .requirement = "OJ-CON-11",
     .wrong = "sends control messages in binary frames",
     .up = put_control_in_binary},
    {.name = "audio-in-text",
     .requirement = "OJ-CON-11",
     .wrong = "sends audio in text frames",
     .alone = true,
     .up = put_audio_in_text},
    {.name = "audio-in-base64",
     .requirement = "OJ-CON-11",
     .wrong = "sends audio as base64 in JSON",
     .alone = true,
     .up = put_audio_in_base64},
    {.name = "json-is-text",
     .requirement = "OJ-CON-12",
     .wrong = "takes a binary message that begins with a brace for text",
     .cases = "ojin/connect/binary-like-json",
     .hear = take_json_for_text},
    {.name = "header-is-frame",
     .requirement = "OJ-CON-12",
     .wrong = "takes a text that looks like a frame for one",
     .cases = "ojin/connect/text-like-a-frame",
     .hear = take_header_for_frame},
    {.name = "text-is-frame",
     .requirement = "OJ-CON-12",
     .wrong = "takes every text for a frame",
     .cases = "ojin/connect/text-like-a-frame",
     .hear = take_text_for_frame},
    {.name = "config-unescaped",
     .requirement = "OJ-CON-13",
     .wrong = "leaves an ampersand in the config_id as it is",
     .swap = {"%26", "&"},
     .request = defect_swap_in_head},
    {.name = "config-twice",
     .requirement = "OJ-CON-13",
     .wrong = "sends config_id twice",
     .swap = {" HTTP/1.1\r\n", "&config_id=again HTTP/1.1\r\n"},
     .request = defect_swap_in_head},
    {.name = "deflate-not-read",
     .requirement = "OJ-FLD-05",
     .wrong = "offers permessage-deflate and cannot read what is compressed",
     .seams.channel.unpacks_nothing = true},
    {.name = "deflate-or-nothing",
     .requirement = "OJ-FLD-05",
     .wrong = "leaves a server that declines permessage-deflate",
     .alone = true,
     .response = insist_on_deflate},
};

const struct defect_table OJIN_DEFECTS_CONNECT = DEFECT_TABLE(ROWS);
