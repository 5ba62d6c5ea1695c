#include "codec/tests/exact_copy.h"
#include "codec/tests/suite.h"
#include "codec/tests/ws_rig.h"
#include "codec/wire/http_response.h"
#include "codec/ws/sha1.h"

/* ---- SHA-1 ---- */

/* The first three of RFC 3174 7.3; the others, at the ends of a block, from coreutils' sha1sum. */
static const struct {
    const char *piece;
    size_t times;
    const char *hex;
} HASHES[] = {
    {"abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
    {"a", 1000000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"},
    {"", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
    {"a", 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"},
    {"a", 56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"},
    {"a", 63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5"},
    {"a", 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"},
    {"a", 65, "11655326c708d70319be2610e8a57d9a5b959d3b"},
};

START_TEST(hashes_are_those_of_the_document)
{
    struct buffer data;
    uint8_t hash[SHA1_BYTES];
    char hex[2 * SHA1_BYTES + 1];
    struct text text = text_of(hex, sizeof hex);
    buffer_init(&data, 1 << 20);
    for (size_t n = 0; n < HASHES[_i].times; n++)
        ck_assert(buffer_append(&data, bytes_of_text(HASHES[_i].piece)));
    struct exact_copy copy = exact_copy_of(buffer_bytes(&data));
    sha1_of(copy.bytes, hash);
    text_add_hex(&text, bytes_of(hash, sizeof hash));
    ck_assert_str_eq(hex, HASHES[_i].hex);
    exact_copy_free(copy);
    buffer_free(&data);
}
END_TEST

START_TEST(the_accept_value_is_that_of_the_document)
{
    char accept[WS_ACCEPT_CHARS + 1];
    ws_accept_of(bytes_of_text(RIG_KEY), accept);
    ck_assert_str_eq(accept, RIG_ACCEPT);
    char key[WS_KEY_CHARS + 1];
    ws_key_of((const uint8_t *)"the sample nonce", key);
    ck_assert_str_eq(key, RIG_KEY);
}
END_TEST

/* ---- requests ---- */

#define HOST       "Host: a\r\n"
#define UPGRADE    "Upgrade: websocket\r\n"
#define CONNECTION "Connection: Upgrade\r\n"
#define VERSION    "Sec-WebSocket-Version: 13\r\n"
#define KEY        "Sec-WebSocket-Key: " RIG_KEY "\r\n"
#define GET        "GET / HTTP/1.1\r\n"

static const struct {
    const char *name;
    const char *head; /* without the empty line */
    unsigned flaws;
    uint16_t refused; /* with that status; 0: not */
} REQUESTS[] = {
    {"a good one", GET HOST UPGRADE CONNECTION VERSION KEY, 0, 0},
    {"names in any case, in lists",
     GET "HOST: a\r\nupgrade: h2c, WebSocket\r\nconnection: keep-alive , upgrade\r\n" VERSION KEY, 0, 0},
    {"lists over two headers", GET HOST UPGRADE "Connection: keep-alive\r\n" CONNECTION VERSION KEY, 0, 0},
    {"no GET", "POST / HTTP/1.1\r\n" HOST UPGRADE CONNECTION VERSION KEY, WS_FLAW_METHOD, 405},
    {"no upgrade", GET HOST CONNECTION VERSION KEY, WS_FLAW_UPGRADE, 426},
    {"an upgrade to something else", GET HOST "Upgrade: websockets\r\n" CONNECTION VERSION KEY,
     WS_FLAW_UPGRADE, 426},
    {"HTTP/1.0", "GET / HTTP/1.0\r\n" HOST UPGRADE CONNECTION VERSION KEY, WS_FLAW_HTTP, 400},
    {"no version", GET HOST UPGRADE CONNECTION KEY, WS_FLAW_VERSION, 426},
    {"version 8", GET HOST UPGRADE CONNECTION "Sec-WebSocket-Version: 8\r\n" KEY, WS_FLAW_VERSION, 426},
    {"no key", GET HOST UPGRADE CONNECTION VERSION, WS_FLAW_KEY, 400},
    {"a key of 23 characters",
     GET HOST UPGRADE CONNECTION VERSION "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=\r\n", WS_FLAW_KEY, 400},
    {"a key of 25 characters",
     GET HOST UPGRADE CONNECTION VERSION "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ===\r\n", WS_FLAW_KEY,
     400},
    {"a key that is no base64",
     GET HOST UPGRADE CONNECTION VERSION "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ-=\r\n", WS_FLAW_KEY, 400},
    {"no host", GET UPGRADE CONNECTION VERSION KEY, WS_FLAW_HOST, 400},
    {"two hosts", GET HOST HOST UPGRADE CONNECTION VERSION KEY, WS_FLAW_HOST, 400},
    {"no connection", GET HOST UPGRADE VERSION KEY, WS_FLAW_CONNECTION, 400},
    {"a connection that is kept alive", GET HOST UPGRADE "Connection: keep-alive\r\n" VERSION KEY,
     WS_FLAW_CONNECTION, 400},
    {"plain HTTP", GET HOST, WS_FLAW_UPGRADE | WS_FLAW_VERSION | WS_FLAW_KEY | WS_FLAW_CONNECTION, 426},
    {"nothing of it", "PUT / HTTP/1.0\r\n",
     WS_FLAW_METHOD | WS_FLAW_UPGRADE | WS_FLAW_HTTP | WS_FLAW_VERSION | WS_FLAW_KEY | WS_FLAW_HOST |
         WS_FLAW_CONNECTION,
     405},
};

START_TEST(each_flaw_of_a_request_is_told)
{
    struct buffer bytes;
    struct http_head head;
    buffer_init(&bytes, 1024);
    ck_assert(buffer_append(&bytes, bytes_of_text(REQUESTS[_i].head)));
    ck_assert(buffer_append(&bytes, bytes_of_text("\r\n")));
    ck_assert_msg(http_head_parse(buffer_bytes(&bytes), &head), "%s", REQUESTS[_i].name);
    const unsigned flaws = ws_request_flaws(&head);
    ck_assert_msg(flaws == REQUESTS[_i].flaws, "%s: %u", REQUESTS[_i].name, flaws);
    const struct ws_refusal *refusal = ws_request_refusal(flaws);
    ck_assert_msg((refusal == NULL ? 0 : refusal->status) == REQUESTS[_i].refused, "%s", REQUESTS[_i].name);
    if (refusal != NULL)
        ck_assert_uint_gt(strlen(refusal->sentence), 0);
    buffer_free(&bytes);
}
END_TEST

/* ---- answers ---- */

#define SWITCHING "HTTP/1.1 101 Switching Protocols\r\n"
#define ACCEPT    "Sec-WebSocket-Accept: " RIG_ACCEPT "\r\n"
#define DEFLATE   "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n"

static const struct {
    const char *name;
    const char *head;
    bool offered;
    unsigned flaws;
} ANSWERS[] = {
    {"a good one", SWITCHING UPGRADE CONNECTION ACCEPT, false, 0},
    {"a good one, with what was offered", SWITCHING UPGRADE CONNECTION ACCEPT DEFLATE, true, 0},
    {"an offer that was not taken", SWITCHING UPGRADE CONNECTION ACCEPT, true, 0},
    {"a refusal", "HTTP/1.1 403 Forbidden\r\n", false, WS_FLAW_STATUS},
    {"no upgrade", SWITCHING CONNECTION ACCEPT, false, WS_FLAW_UPGRADE},
    {"no connection", SWITCHING UPGRADE ACCEPT, false, WS_FLAW_CONNECTION},
    {"no accept", SWITCHING UPGRADE CONNECTION, false, WS_FLAW_ACCEPT},
    {"an accept in another case",
     SWITCHING UPGRADE CONNECTION "Sec-WebSocket-Accept: S3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n", false,
     WS_FLAW_ACCEPT},
    {"two accepts", SWITCHING UPGRADE CONNECTION ACCEPT ACCEPT, false, WS_FLAW_ACCEPT},
    {"an extension that was not offered", SWITCHING UPGRADE CONNECTION ACCEPT DEFLATE, false,
     WS_FLAW_EXTENSION},
    {"an extension that nobody knows", SWITCHING UPGRADE CONNECTION ACCEPT "Sec-WebSocket-Extensions: x\r\n",
     true, WS_FLAW_EXTENSION},
    {"a subprotocol", SWITCHING UPGRADE CONNECTION ACCEPT "Sec-WebSocket-Protocol: chat\r\n", false,
     WS_FLAW_PROTOCOL},
    {"nothing of it", SWITCHING, false, WS_FLAW_UPGRADE | WS_FLAW_CONNECTION | WS_FLAW_ACCEPT},
};

START_TEST(each_flaw_of_an_answer_is_told)
{
    struct buffer head;
    struct http_response response;
    buffer_init(&head, 1024);
    ck_assert(buffer_append(&head, bytes_of_text(ANSWERS[_i].head)));
    ck_assert(buffer_append(&head, bytes_of_text("\r\n")));
    ck_assert(http_response_parse(buffer_bytes(&head), &response));
    const unsigned flaws =
        ws_response_flaws(response.status, buffer_bytes(&head), bytes_of_text(RIG_KEY), ANSWERS[_i].offered);
    ck_assert_msg(flaws == ANSWERS[_i].flaws, "%s: %u", ANSWERS[_i].name, flaws);
    buffer_free(&head);
}
END_TEST

static const struct {
    const char *lines;
    bool compress;
    const char *head;
} RESPONSES[] = {
    {"", false, SWITCHING UPGRADE CONNECTION ACCEPT "\r\n"},
    {"", true,
     SWITCHING UPGRADE CONNECTION ACCEPT "Sec-WebSocket-Extensions: permessage-deflate; "
                                         "server_no_context_takeover; client_no_context_takeover\r\n\r\n"},
    {"X: y\r\n", false, SWITCHING UPGRADE CONNECTION ACCEPT "X: y\r\n\r\n"},
    {"sec-websocket-accept: wrong\r\n", false,
     SWITCHING UPGRADE CONNECTION "sec-websocket-accept: wrong\r\n\r\n"},
    {"Upgrade:\r\n", false, SWITCHING CONNECTION ACCEPT "\r\n"},
};

START_TEST(an_answer_is_written_with_the_lines_asked_for)
{
    struct buffer head;
    const struct ws_deflate_terms terms = {.server_window_bits = 15};
    const size_t len = strlen(RESPONSES[_i].head);
    for (size_t max = 0; max <= len; max++) {
        buffer_init(&head, max);
        const bool good = ws_response_write(bytes_of_text(RIG_KEY), RESPONSES[_i].compress ? &terms : NULL,
                                            bytes_of_text(RESPONSES[_i].lines), &head);
        ck_assert(good == (max == len));
        if (good)
            ck_assert(bytes_equal_text(buffer_bytes(&head), RESPONSES[_i].head));
        buffer_free(&head);
    }
}
END_TEST

START_TEST(a_request_is_written_and_has_no_flaw)
{
    struct buffer bytes;
    struct http_head head;
    struct bytes value;
    const struct ws_request request = {
        .target = "/a?b=c", .host = "a:1", .lines = bytes_of_text("X: y\r\n"), .offers_deflate = true};
    buffer_init(&bytes, 1024);
    ck_assert(ws_request_write(&request, bytes_of_text(RIG_KEY), &bytes));
    ck_assert(http_head_parse(buffer_bytes(&bytes), &head));
    ck_assert_uint_eq(ws_request_flaws(&head), 0);
    ck_assert(bytes_equal_text(head.target, "/a?b=c"));
    ck_assert(http_head_header(&head, "X", 0, &value) && bytes_equal_text(value, "y"));
    ck_assert(http_head_header(&head, "Sec-WebSocket-Extensions", 0, &value));
    buffer_free(&bytes);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ws_handshake");
    tcase_add_loop_test(tcase, hashes_are_those_of_the_document, 0, TABLE_COUNT(HASHES));
    tcase_add_test(tcase, the_accept_value_is_that_of_the_document);
    tcase_add_loop_test(tcase, each_flaw_of_a_request_is_told, 0, TABLE_COUNT(REQUESTS));
    tcase_add_loop_test(tcase, each_flaw_of_an_answer_is_told, 0, TABLE_COUNT(ANSWERS));
    tcase_add_loop_test(tcase, an_answer_is_written_with_the_lines_asked_for, 0, TABLE_COUNT(RESPONSES));
    tcase_add_test(tcase, a_request_is_written_and_has_no_flaw);
    return suite_run("ws_handshake", tcase);
}
