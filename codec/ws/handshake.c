#include "codec/ws/handshake.h"

#include "codec/wire/base64.h"
#include "codec/wire/http_lines.h"
#include "codec/wire/http_response.h"
#include "codec/ws/sha1.h"

/* ---- headers ---- */

static struct bytes trimmed(struct bytes text)
{
    while (text.len > 0 && (text.data[0] == ' ' || text.data[0] == '\t'))
        text = bytes_of(text.data + 1, text.len - 1);
    while (text.len > 0 && (text.data[text.len - 1] == ' ' || text.data[text.len - 1] == '\t'))
        text.len--;
    return text;
}

/* Is the word an item of the list, in any case? */
static bool list_names(struct bytes list, const char *word)
{
    while (list.len > 0) {
        const uint8_t *comma = memchr(list.data, ',', list.len);
        const size_t len = comma == NULL ? list.len : (size_t)(comma - list.data);
        if (bytes_equal_text_ignoring_case(trimmed(bytes_of(list.data, len)), word))
            return true;
        const size_t taken = comma == NULL ? len : len + 1;
        list = bytes_of(list.data + taken, list.len - taken);
    }
    return false;
}

static bool request_names(const struct http_head *request, const char *name, const char *word)
{
    struct bytes list;
    for (size_t n = 0; http_head_header(request, name, n, &list); n++)
        if (list_names(list, word))
            return true;
    return false;
}

static bool response_names(struct bytes head, const char *name, const char *word)
{
    struct bytes list;
    for (size_t n = 0; http_response_header(head, name, n, &list); n++)
        if (list_names(list, word))
            return true;
    return false;
}

/* ---- a request's flaws ---- */

static bool is_base64(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/' || c == '=';
}

static bool key_is_good(const struct http_head *request)
{
    struct bytes key;
    if (!http_head_header(request, "Sec-WebSocket-Key", 0, &key) || key.len != WS_KEY_CHARS)
        return false;
    for (size_t i = 0; i < key.len; i++)
        if (!is_base64(key.data[i]))
            return false;
    return true;
}

unsigned ws_request_flaws(const struct http_head *request)
{
    struct bytes value;
    unsigned flaws = 0;
    if (!bytes_equal_text(request->method, "GET"))
        flaws |= WS_FLAW_METHOD;
    if (!http_head_asks_for_websocket(request))
        flaws |= WS_FLAW_UPGRADE;
    if (bytes_equal_text(request->version, "HTTP/1.0"))
        flaws |= WS_FLAW_HTTP;
    if (!http_head_header(request, "Sec-WebSocket-Version", 0, &value) || !bytes_equal_text(value, "13"))
        flaws |= WS_FLAW_VERSION;
    if (!key_is_good(request))
        flaws |= WS_FLAW_KEY;
    if (!http_head_header(request, "Host", 0, &value) || http_head_header(request, "Host", 1, &value))
        flaws |= WS_FLAW_HOST;
    if (!request_names(request, "Connection", "Upgrade"))
        flaws |= WS_FLAW_CONNECTION;
    return flaws;
}

const struct ws_refusal *ws_request_refusal(unsigned flaws)
{
    static const struct {
        enum ws_flaw flaw;
        struct ws_refusal refusal;
    } REFUSALS[] = {
        {WS_FLAW_METHOD, {405, "Allow: GET\r\n", "A WebSocket begins with a GET request."}},
        {WS_FLAW_UPGRADE,
         {426, "Upgrade: websocket\r\n", "This is a WebSocket endpoint: connect with a WebSocket client."}},
        {WS_FLAW_HTTP, {400, "", "A WebSocket begins with HTTP/1.1."}},
        {WS_FLAW_VERSION,
         {426, "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n",
          "Only version 13 of the WebSocket protocol is spoken here."}},
        {WS_FLAW_KEY, {400, "", "Sec-WebSocket-Key is missing or is not 24 bytes of base64."}},
        {WS_FLAW_HOST, {400, "", "A request must have exactly one Host header."}},
        {WS_FLAW_CONNECTION, {400, "", "The Connection header must name Upgrade."}},
    };
    for (size_t i = 0; i < sizeof REFUSALS / sizeof REFUSALS[0]; i++)
        if ((flaws & (unsigned)REFUSALS[i].flaw) != 0)
            return &REFUSALS[i].refusal;
    return NULL;
}

/* ---- the answer ---- */

/* Base64 of a few bytes into an array; the sizes leave no room for an error. */
static void base64_write(struct bytes data, char *out, size_t chars)
{
    struct buffer text;
    buffer_init(&text, chars);
    out[0] = '\0';
    if (base64_encode(data, &text)) {
        memcpy(out, text.data, text.len);
        out[text.len] = '\0';
    }
    buffer_free(&text);
}

void ws_accept_of(struct bytes key, char out[WS_ACCEPT_CHARS + 1])
{
    static const char GUID[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; /* RFC 6455 1.3 */
    struct buffer joined;
    uint8_t hash[SHA1_BYTES] = {0};
    buffer_init(&joined, key.len + sizeof GUID);
    if (buffer_append(&joined, key) && buffer_append(&joined, bytes_of_text(GUID)))
        sha1_of(buffer_bytes(&joined), hash);
    buffer_free(&joined);
    base64_write(bytes_of(hash, sizeof hash), out, WS_ACCEPT_CHARS);
}

static bool add(struct buffer *out, const char *text)
{
    return buffer_append(out, bytes_of_text(text));
}

bool ws_response_write(struct bytes key, const struct ws_deflate_terms *terms, struct bytes lines,
                       struct buffer *out)
{
    char accept[WS_ACCEPT_CHARS + 1];
    char extension[WS_DEFLATE_ANSWER_BYTES_MAX] = "";
    struct buffer head;
    ws_accept_of(key, accept);
    if (terms != NULL)
        (void)ws_deflate_answer(terms, extension);
    buffer_init(&head, HTTP_HEAD_BYTES_MAX);
    const bool good = add(&head, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                 "Connection: Upgrade\r\nSec-WebSocket-Accept: ") &&
                      add(&head, accept) && add(&head, "\r\n") && add(&head, extension) &&
                      add(&head, "\r\n") && http_lines_rewrite(buffer_bytes(&head), lines, out);
    buffer_free(&head);
    return good;
}

/* ---- the client's side ---- */

void ws_key_of(const uint8_t nonce[WS_NONCE_BYTES], char out[WS_KEY_CHARS + 1])
{
    base64_write(bytes_of(nonce, WS_NONCE_BYTES), out, WS_KEY_CHARS);
}

bool ws_request_write(const struct ws_request *request, struct bytes key, struct buffer *out)
{
    return add(out, "GET ") && add(out, request->target) && add(out, " HTTP/1.1\r\nHost: ") &&
           add(out, request->host) &&
           add(out, "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: ") &&
           buffer_append(out, key) && add(out, "\r\n") &&
           (!request->offers_deflate || add(out, ws_deflate_offer())) && buffer_append(out, request->lines) &&
           add(out, "\r\n");
}

static bool extensions_are_good(struct bytes head, bool offered_deflate)
{
    return ws_deflate_taken(head) == WS_DEFLATE_DECLINED ||
           (offered_deflate && ws_deflate_taken(head) == WS_DEFLATE_TAKEN);
}

unsigned ws_response_flaws(uint16_t status, struct bytes head, struct bytes key, bool offered_deflate)
{
    char accept[WS_ACCEPT_CHARS + 1];
    struct bytes value;
    unsigned flaws = 0;
    if (status != HTTP_SWITCHING_PROTOCOLS)
        return WS_FLAW_STATUS;
    ws_accept_of(key, accept);
    if (!response_names(head, "Upgrade", "websocket"))
        flaws |= WS_FLAW_UPGRADE;
    if (!response_names(head, "Connection", "Upgrade"))
        flaws |= WS_FLAW_CONNECTION;
    if (!http_response_header(head, "Sec-WebSocket-Accept", 0, &value) || !bytes_equal_text(value, accept) ||
        http_response_header(head, "Sec-WebSocket-Accept", 1, &value))
        flaws |= WS_FLAW_ACCEPT;
    if (!extensions_are_good(head, offered_deflate))
        flaws |= WS_FLAW_EXTENSION;
    if (http_response_header(head, "Sec-WebSocket-Protocol", 0, &value))
        flaws |= WS_FLAW_PROTOCOL;
    return flaws;
}
