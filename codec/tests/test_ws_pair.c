/* A client's end, alone and with a server's end in memory: what one sends the other gets. */
#include "codec/tests/suite.h"
#include "codec/wire/buffer.h"
#include "codec/wire/http_head.h"
#include "codec/ws/endpoint.h"

enum { MESSAGE_MAX = 200000, OUT_MAX = 400000, WAIT_US = 1000, PIECES = 4 };

/* One end, and the last thing of each kind that it was told. */
struct side {
    struct ws_endpoint *endpoint;
    bool compresses;
    size_t violations, messages, pongs, ends, ignored;
    uint16_t response, violation;
    unsigned flaws;
    uint16_t close_code;
    bool is_text;
    struct buffer message;
};

static void take(void *context, const struct ws_event *event)
{
    struct side *side = context;
    side->ignored += event->ignored ? 1 : 0;
    switch (event->wire.kind) {
    case WIRE_EVENT_REQUEST:
        ck_assert_uint_eq(event->flaws, 0);
        ck_assert(ws_endpoint_accept(side->endpoint, bytes_of(NULL, 0), side->compresses));
        break;
    case WIRE_EVENT_RESPONSE:
        side->response = event->wire.code;
        side->flaws = event->flaws;
        break;
    case WIRE_EVENT_TEXT:
    case WIRE_EVENT_BINARY:
        side->messages++;
        side->is_text = event->wire.kind == WIRE_EVENT_TEXT;
        ck_assert_uint_eq(event->wire.message_bytes, event->wire.data.len);
        buffer_clear(&side->message);
        ck_assert(buffer_append(&side->message, event->wire.data));
        break;
    case WIRE_EVENT_PONG:
        side->pongs++;
        break;
    case WIRE_EVENT_CLOSE:
        side->close_code = event->wire.code;
        break;
    case WIRE_EVENT_VIOLATION:
        side->violations++;
        side->violation = event->wire.code;
        break;
    case WIRE_EVENT_PING:
    case WIRE_EVENT_TRANSPORT:
        break;
    case WIRE_EVENT_END:
        side->ends++;
        break;
    }
}

static void side_start(struct side *side, enum ws_role role, bool compresses, uint64_t seed)
{
    const struct ws_options options = {.role = role,
                                       .message_bytes_max = MESSAGE_MAX,
                                       .inflated_bytes_max = compresses ? MESSAGE_MAX : 0,
                                       .out_bytes_max = OUT_MAX,
                                       .handshake_wait_us = WAIT_US,
                                       .close_wait_us = WAIT_US,
                                       .seed = seed,
                                       .sink = take,
                                       .context = side};
    *side = (struct side){.compresses = compresses, .endpoint = ws_endpoint_new(&options, 0)};
    ck_assert_ptr_nonnull(side->endpoint);
    buffer_init(&side->message, MESSAGE_MAX);
}

static void side_free(struct side *side)
{
    ws_endpoint_free(side->endpoint);
    buffer_free(&side->message);
}

static void side_feed(struct side *side, const void *data, size_t len)
{
    struct ws_budget all = {.frames = SIZE_MAX, .bytes = SIZE_MAX};
    ck_assert_uint_eq(ws_endpoint_feed(side->endpoint, 1, bytes_of(data, len), &all), len);
}

/* Moves what waits to go out, at most a chunk of it; false when there was nothing. */
static bool carry(struct side *from, struct side *to, size_t chunk)
{
    struct bytes pieces[PIECES];
    const size_t count = ws_endpoint_pieces(from->endpoint, pieces, PIECES);
    if (count == 0)
        return false;
    const size_t len = pieces[0].len < chunk ? pieces[0].len : chunk;
    side_feed(to, pieces[0].data, len);
    ws_endpoint_sent(from->endpoint, 1, len);
    ck_assert(ws_endpoint_keep(from->endpoint));
    return true;
}

static void carry_all(struct side *a, struct side *b, size_t chunk)
{
    bool goes_on = true;
    while (goes_on) {
        goes_on = carry(a, b, chunk);
        goes_on = carry(b, a, chunk) || goes_on;
    }
}

static void join(struct side *client, struct side *server, bool compresses)
{
    side_start(client, WS_CLIENT, compresses, 1);
    side_start(server, WS_SERVER, compresses, 0);
    ck_assert(ws_endpoint_request(client->endpoint, "/x?y=z", "host:1", bytes_of_text("X-A: b\r\n")));
    ck_assert(!ws_endpoint_request(client->endpoint, "/", "host", bytes_of(NULL, 0)));
    carry_all(client, server, SIZE_MAX);
    ck_assert_int_eq(ws_endpoint_state(client->endpoint), WS_OPEN);
    ck_assert_int_eq(ws_endpoint_state(server->endpoint), WS_OPEN);
    ck_assert(ws_endpoint_compresses(client->endpoint) == compresses);
    ck_assert(ws_endpoint_compresses(server->endpoint) == compresses);
    ck_assert_uint_eq(ws_endpoint_deadline_us(client->endpoint), UINT64_MAX);
}

/* Text that shrinks a little: letters by a fixed rule. */
static uint8_t payload[MESSAGE_MAX];

static void payload_fill(void)
{
    uint32_t state = 1;
    for (size_t i = 0; i < sizeof payload; i++) {
        state = state * 1664525U + 1013904223U;
        payload[i] = (uint8_t)('a' + (state >> 28));
    }
}

static const struct {
    size_t len;
    size_t chunk;
} SIZES[] = {{0, 1},
             {1, 1},
             {125, 1},
             {126, 1},
             {300, 3},
             {65535, 97},
             {65536, 997},
             {MESSAGE_MAX, 1009},
             {MESSAGE_MAX, 1 << 20}};

static void exchange(struct side *from, struct side *to, size_t len, size_t chunk, bool text)
{
    const struct ws_part parts[] = {{.bytes = bytes_of(payload, len / 3), .life = WS_PART_LASTING},
                                    {.bytes = bytes_of(payload + len / 3, len - len / 3)}};
    const enum ws_opcode opcode = text ? WS_OPCODE_TEXT : WS_OPCODE_BINARY;
    const size_t before = to->messages;
    ck_assert(ws_endpoint_send(from->endpoint, opcode, parts, 2));
    carry_all(from, to, chunk);
    ck_assert_uint_eq(to->messages, before + 1);
    ck_assert(to->is_text == text);
    ck_assert(bytes_equal(buffer_bytes(&to->message), bytes_of(payload, len)));
    struct ws_cut cut = {.at = 1, .every = len / 7 + 1};
    ck_assert(ws_endpoint_send_cut(from->endpoint, opcode, bytes_of(payload, len), &cut));
    carry_all(from, to, chunk);
    ck_assert_uint_eq(to->messages, before + 2);
    ck_assert(bytes_equal(buffer_bytes(&to->message), bytes_of(payload, len)));
}

START_TEST(each_gets_what_the_other_sends)
{
    struct side client, server;
    payload_fill();
    join(&client, &server, _i % 2 == 1);
    const size_t len = SIZES[_i / 2].len, chunk = SIZES[_i / 2].chunk;
    exchange(&client, &server, len, chunk, true);
    exchange(&server, &client, len, chunk, false);
    ck_assert(ws_endpoint_ping(client.endpoint, bytes_of_text("a")));
    ck_assert(ws_endpoint_ping(server.endpoint, bytes_of_text("b")));
    carry_all(&client, &server, chunk);
    ck_assert_uint_eq(client.pongs, 2); /* the answer, and that it has answered */
    ck_assert_uint_eq(server.pongs, 2);
    ck_assert_uint_eq(client.violations + server.violations + client.ignored + server.ignored, 0);
    side_free(&client);
    side_free(&server);
}
END_TEST

START_TEST(a_compressed_message_may_grow_to_the_bound_and_not_beyond)
{
    struct side client, server;
    static uint8_t zeros[MESSAGE_MAX + 1];
    join(&client, &server, true);
    struct ws_part part = {.bytes = bytes_of(zeros, MESSAGE_MAX), .life = WS_PART_LASTING};
    ck_assert(ws_endpoint_send(client.endpoint, WS_OPCODE_BINARY, &part, 1));
    ck_assert_uint_lt(ws_endpoint_unsent(client.endpoint), 2000);
    carry_all(&client, &server, SIZE_MAX);
    ck_assert_uint_eq(server.messages, 1);
    ck_assert_uint_eq(server.message.len, MESSAGE_MAX);
    part.bytes.len++;
    ck_assert(ws_endpoint_send(client.endpoint, WS_OPCODE_BINARY, &part, 1));
    carry_all(&client, &server, SIZE_MAX);
    ck_assert_uint_eq(server.messages, 1);
    ck_assert_uint_eq(server.violation, WS_VIOLATION_DEFLATE_TOO_MUCH);
    ck_assert_int_eq(ws_endpoint_state(server.endpoint), WS_OPEN); /* the owner says what is too large */
    ck_assert(ws_endpoint_close(server.endpoint, 1, WS_CLOSE_TOO_BIG, bytes_of(NULL, 0)));
    carry_all(&client, &server, SIZE_MAX);
    ck_assert_uint_eq(client.close_code, WS_CLOSE_TOO_BIG);
    side_free(&client);
    side_free(&server);
}
END_TEST

/* ---- closing ---- */

static const struct {
    const char *name;
    bool by_client, by_server;
} CLOSINGS[] = {
    {"by the client", true, false}, {"by the server", false, true}, {"by both at once", true, true}};

START_TEST(both_close_and_the_server_ends_the_transport)
{
    struct side client, server;
    join(&client, &server, false);
    if (CLOSINGS[_i].by_client)
        ck_assert(ws_endpoint_close(client.endpoint, 1, 4001, bytes_of_text("why")));
    if (CLOSINGS[_i].by_server)
        ck_assert(ws_endpoint_close(server.endpoint, 1, 4002, bytes_of_text("so")));
    carry_all(&client, &server, 1);
    ck_assert_int_eq(ws_endpoint_state(client.endpoint), WS_CLOSED);
    ck_assert_int_eq(ws_endpoint_state(server.endpoint), WS_CLOSED);
    if (CLOSINGS[_i].by_client)
        ck_assert_uint_eq(server.close_code, 4001);
    if (CLOSINGS[_i].by_server)
        ck_assert_uint_eq(client.close_code, 4002);
    ck_assert_uint_eq(client.violations + server.violations, 0);
    ck_assert(ws_endpoint_is_over(server.endpoint));
    ck_assert(!ws_endpoint_is_over(client.endpoint)); /* RFC 6455 7.1.1 */
    ck_assert_int_eq(ws_endpoint_tick(client.endpoint, WAIT_US), WS_LATE_NOT);
    ck_assert_int_eq(ws_endpoint_tick(client.endpoint, WAIT_US + 1), WS_LATE_CLOSE);
    ck_assert(ws_endpoint_is_over(client.endpoint));
    side_free(&client);
    side_free(&server);
}
END_TEST

START_TEST(the_end_of_the_transport_is_the_end)
{
    struct side client, server;
    join(&client, &server, false);
    const struct ws_part part = {.bytes = bytes_of_text("x"), .life = WS_PART_LASTING};
    ck_assert(ws_endpoint_send(server.endpoint, WS_OPCODE_TEXT, &part, 1));
    ws_endpoint_end(server.endpoint, 2, false);
    ck_assert_uint_eq(server.ends, 1);
    ck_assert(!ws_endpoint_is_over(server.endpoint)); /* the client may still read */
    ck_assert(!ws_endpoint_send(server.endpoint, WS_OPCODE_TEXT, &part, 1));
    ck_assert(!ws_endpoint_send_raw(server.endpoint, bytes_of_text("x")));
    ws_endpoint_sent(server.endpoint, 2, 3);
    ck_assert(ws_endpoint_is_over(server.endpoint));
    ck_assert(ws_endpoint_send(client.endpoint, WS_OPCODE_TEXT, &part, 1));
    ws_endpoint_end(client.endpoint, 2, true);
    ck_assert(ws_endpoint_is_over(client.endpoint)); /* a reset leaves nobody to write to */
    ck_assert_uint_eq(ws_endpoint_unsent(client.endpoint), 0);
    side_free(&client);
    side_free(&server);
}
END_TEST

/* ---- a client alone ---- */

/* Its request as a head; the bytes live as long as nothing is sent. */
static void request_of(struct side *client, struct http_head *head)
{
    struct bytes piece;
    ck_assert(ws_endpoint_request(client->endpoint, "/", "host", bytes_of(NULL, 0)));
    ck_assert_uint_eq(ws_endpoint_pieces(client->endpoint, &piece, 1), 1);
    ck_assert(http_head_parse(piece, head));
    ck_assert_uint_eq(ws_request_flaws(head), 0);
}

START_TEST(keys_and_masks_are_others_each_time)
{
    struct side client[2];
    struct http_head head[2];
    struct bytes key[2];
    for (size_t i = 0; i < 2; i++) {
        side_start(&client[i], WS_CLIENT, false, i);
        request_of(&client[i], &head[i]);
        ck_assert(http_head_header(&head[i], "Sec-WebSocket-Key", 0, &key[i]));
    }
    ck_assert(!bytes_equal(key[0], key[1]));
    side_free(&client[0]);
    side_free(&client[1]);
    struct side server;
    join(&client[0], &server, false);
    const struct ws_part part = {.bytes = bytes_of_text("same"), .life = WS_PART_LASTING};
    struct bytes pieces[4];
    ck_assert(ws_endpoint_send(client[0].endpoint, WS_OPCODE_TEXT, &part, 1));
    ck_assert(ws_endpoint_send(client[0].endpoint, WS_OPCODE_TEXT, &part, 1));
    ck_assert_uint_eq(ws_endpoint_pieces(client[0].endpoint, pieces, 4), 4);
    ck_assert(ws_frame_is_masked(pieces[0].data) && ws_frame_is_masked(pieces[2].data));
    ck_assert(!bytes_equal(pieces[0], pieces[2]));
    ck_assert(!bytes_equal(pieces[1], pieces[3]));
    side_free(&client[0]);
    side_free(&server);
}
END_TEST

static const struct {
    const char *name;
    const char *response;
    uint16_t status;
    unsigned flaws;
} ANSWERS[] = {
    {"a refusal", "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno", 403, WS_FLAW_STATUS},
    {"one that comes after a hint",
     "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", 503, WS_FLAW_STATUS},
    {"an accept that is not ours",
     "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
     "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n\x81\x01x",
     101, WS_FLAW_ACCEPT},
    {"no HTTP", "SSH-2.0-x\r\n", 0, 0},
};

START_TEST(a_client_takes_no_wrong_answer)
{
    struct side client;
    struct http_head head;
    side_start(&client, WS_CLIENT, false, 1);
    request_of(&client, &head);
    side_feed(&client, ANSWERS[_i].response, strlen(ANSWERS[_i].response));
    ck_assert_msg(client.response == ANSWERS[_i].status, "%s", ANSWERS[_i].name);
    ck_assert_uint_eq(client.flaws, ANSWERS[_i].flaws);
    ck_assert_int_eq(ws_endpoint_state(client.endpoint), WS_CLOSED);
    ck_assert_uint_eq(client.messages, client.ignored);
    const struct ws_part part = {.bytes = bytes_of_text("x"), .life = WS_PART_LASTING};
    ck_assert(!ws_endpoint_send(client.endpoint, WS_OPCODE_TEXT, &part, 1));
    ws_endpoint_sent(client.endpoint, 1, ws_endpoint_unsent(client.endpoint));
    ck_assert(ws_endpoint_is_over(client.endpoint));
    side_free(&client);
}
END_TEST

START_TEST(a_client_fails_a_masked_frame_and_waits_no_longer_than_told)
{
    struct side client, server;
    join(&client, &server, false);
    side_feed(&client, "\x81\x81\0\0\0\0x", 7);
    ck_assert_uint_eq(client.violation, WS_VIOLATION_MASKED);
    ck_assert_uint_eq(client.close_code, WS_CLOSE_PROTOCOL_ERROR); /* its own */
    ck_assert_int_eq(ws_endpoint_state(client.endpoint), WS_CLOSING);
    side_free(&client);
    side_free(&server);
    side_start(&client, WS_CLIENT, false, 1);
    ck_assert_int_eq(ws_endpoint_tick(client.endpoint, WAIT_US - 1), WS_LATE_NOT);
    ck_assert_int_eq(ws_endpoint_tick(client.endpoint, WAIT_US), WS_LATE_HANDSHAKE);
    ck_assert(ws_endpoint_is_over(client.endpoint));
    side_free(&client);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ws_pair");
    tcase_add_loop_test(tcase, each_gets_what_the_other_sends, 0, 2 * TABLE_COUNT(SIZES));
    tcase_add_test(tcase, a_compressed_message_may_grow_to_the_bound_and_not_beyond);
    tcase_add_loop_test(tcase, both_close_and_the_server_ends_the_transport, 0, TABLE_COUNT(CLOSINGS));
    tcase_add_test(tcase, the_end_of_the_transport_is_the_end);
    tcase_add_test(tcase, keys_and_masks_are_others_each_time);
    tcase_add_loop_test(tcase, a_client_takes_no_wrong_answer, 0, TABLE_COUNT(ANSWERS));
    tcase_add_test(tcase, a_client_fails_a_masked_frame_and_waits_no_longer_than_told);
    return suite_run("ws_pair", tcase);
}
