/* The life of an endpoint: its handshake, its turns of reading, its deadlines and its end. */
#include "codec/ws/endpoint.h"

#include <stdlib.h>

#include "codec/wire/http_lines.h"
#include "codec/ws/endpoint_parts.h"

static size_t sum_bounded(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

struct ws_endpoint *ws_endpoint_new(const struct ws_options *options, uint64_t now_us)
{
    struct ws_endpoint *endpoint = calloc(1, sizeof *endpoint);
    if (endpoint == NULL)
        return NULL;
    endpoint->options = *options;
    endpoint->now_us = now_us;
    endpoint->random.state = options->seed;
    endpoint->due_us = endpoint_later(now_us, options->handshake_wait_us);
    endpoint->answers_pings = true;
    ws_out_init(&endpoint->out, options->out_bytes_max);
    endpoint->stream = ws_stream_new(endpoint_direction(endpoint, false), options->message_bytes_max,
                                     endpoint_take, endpoint);
    if (endpoint->stream == NULL) {
        free(endpoint);
        return NULL;
    }
    ws_stream_share(endpoint->stream, options->room);
    return endpoint;
}

void ws_endpoint_free(struct ws_endpoint *endpoint)
{
    if (endpoint == NULL)
        return;
    ws_stream_free(endpoint->stream);
    ws_out_free(&endpoint->out);
    free(endpoint);
}

enum ws_state ws_endpoint_state(const struct ws_endpoint *endpoint)
{
    return endpoint->state;
}

bool ws_endpoint_compresses(const struct ws_endpoint *endpoint)
{
    return endpoint->compresses;
}

void ws_endpoint_limit(struct ws_endpoint *endpoint, size_t message_bytes_max, uint64_t inflated_bytes_max)
{
    endpoint->options.inflated_bytes_max = inflated_bytes_max;
    ws_stream_keep(endpoint->stream, message_bytes_max);
}

bool ws_endpoint_is_starved(const struct ws_endpoint *endpoint)
{
    return ws_stream_is_starved(endpoint->stream);
}

void ws_endpoint_answer_pings(struct ws_endpoint *endpoint, bool answer)
{
    endpoint->answers_pings = answer;
}

/* ---- the handshake ---- */

bool ws_endpoint_accept(struct ws_endpoint *endpoint, struct bytes lines, bool compress)
{
    struct buffer head;
    if (endpoint->options.role != WS_SERVER || endpoint->state != WS_HANDSHAKE || !endpoint->asked)
        return false;
    compress = compress && endpoint->is_offered && !http_lines_name(lines, "Sec-WebSocket-Extensions");
    buffer_init(&head, sum_bounded(HTTP_HEAD_BYTES_MAX, lines.len));
    const bool good = ws_response_write(bytes_of(endpoint->key, endpoint->key_len),
                                        compress ? &endpoint->terms : NULL, lines, &head) &&
                      endpoint_add_bytes(endpoint, buffer_bytes(&head));
    buffer_free(&head);
    if (!good)
        return false;
    endpoint->state = WS_OPEN;
    endpoint->due_us = UINT64_MAX;
    endpoint->compresses = compress;
    if (compress)
        ws_stream_unpack(endpoint->stream, endpoint->options.inflated_bytes_max);
    if (endpoint->closes_with != 0)
        endpoint_close_by_itself(endpoint, endpoint->closes_with, bytes_of(NULL, 0));
    return true;
}

bool ws_endpoint_refuse(struct ws_endpoint *endpoint, struct bytes response)
{
    if (endpoint->options.role != WS_SERVER || endpoint->state == WS_OPEN || endpoint->state == WS_CLOSING ||
        endpoint->out.queued > 0 || endpoint->ended || !endpoint_add_bytes(endpoint, response))
        return false;
    endpoint->state = WS_CLOSED;
    endpoint->due_us = UINT64_MAX;
    return true;
}

bool ws_endpoint_request(struct ws_endpoint *endpoint, const char *target, const char *host,
                         struct bytes lines)
{
    uint8_t nonce[WS_NONCE_BYTES];
    char key[WS_KEY_CHARS + 1];
    struct buffer head;
    if (endpoint->options.role != WS_CLIENT || endpoint->state != WS_HANDSHAKE || endpoint->asked)
        return false;
    const struct ws_request request = {.target = target,
                                       .host = host,
                                       .lines = lines,
                                       .offers_deflate = endpoint->options.inflated_bytes_max > 0};
    endpoint_random(endpoint, nonce);
    ws_key_of(nonce, key);
    buffer_init(&head, HTTP_HEAD_BYTES_MAX);
    endpoint->asked = ws_request_write(&request, bytes_of_text(key), &head) &&
                      endpoint_add_bytes(endpoint, buffer_bytes(&head));
    buffer_free(&head);
    endpoint->key_len = WS_KEY_CHARS;
    memcpy(endpoint->key, key, WS_KEY_CHARS);
    return endpoint->asked;
}

/* ---- reading ---- */

static void starved(struct ws_endpoint *endpoint)
{
    static const char told[] = "no memory is left for a message of that size: try again later";
    const uint16_t code = endpoint->options.role == WS_SERVER ? WS_CLOSE_TRY_AGAIN : WS_CLOSE_TOO_BIG;
    endpoint->deaf = true;
    if (endpoint->state == WS_HANDSHAKE)
        endpoint->closes_with = code;
    else
        endpoint_close_by_itself(endpoint, code, bytes_of_text(told));
}

size_t ws_endpoint_feed(struct ws_endpoint *endpoint, uint64_t now_us, struct bytes data,
                        struct ws_budget *budget)
{
    endpoint->now_us = now_us;
    const size_t taken = ws_stream_feed_some(endpoint->stream, now_us, data, budget);
    if (ws_stream_is_starved(endpoint->stream) && !endpoint->deaf)
        starved(endpoint);
    return taken;
}

void ws_endpoint_pause(struct ws_endpoint *endpoint)
{
    ws_stream_pause(endpoint->stream);
}

void ws_endpoint_take_message(struct ws_endpoint *endpoint, struct ws_message *out)
{
    ws_stream_take(endpoint->stream, out);
}

void ws_endpoint_end(struct ws_endpoint *endpoint, uint64_t now_us, bool reset)
{
    endpoint->now_us = now_us;
    ws_stream_end(endpoint->stream, now_us, reset);
    endpoint->state = WS_CLOSED;
    endpoint->due_us = UINT64_MAX;
    endpoint->ended = true;
    if (reset)
        ws_out_free(&endpoint->out);
}

/* ---- time and the end ---- */

uint64_t ws_endpoint_deadline_us(const struct ws_endpoint *endpoint)
{
    return endpoint->due_us;
}

enum ws_late ws_endpoint_tick(struct ws_endpoint *endpoint, uint64_t now_us)
{
    const enum ws_late late = endpoint->state == WS_HANDSHAKE ? WS_LATE_HANDSHAKE : WS_LATE_CLOSE;
    endpoint->now_us = now_us;
    if (endpoint->due_us > now_us)
        return WS_LATE_NOT;
    endpoint->due_us = UINT64_MAX;
    endpoint->state = WS_CLOSED;
    endpoint->given_up = late == WS_LATE_CLOSE || endpoint->options.role == WS_CLIENT;
    return late;
}

bool ws_endpoint_is_over(const struct ws_endpoint *endpoint)
{
    const bool waits_for_server =
        endpoint->options.role == WS_CLIENT && endpoint->peer_has_closed && !endpoint->ended;
    return endpoint->given_up ||
           (endpoint->state == WS_CLOSED && endpoint->out.bytes == 0 && !waits_for_server);
}
