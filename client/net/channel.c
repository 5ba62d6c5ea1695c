#include "client/net/channel.h"

#include <libwebsockets.h>
#include <stdlib.h>

#include "codec/ws/deflate.h"
#include "codec/ws/frame.h"

enum {
    MESSAGE_BYTES_MAX = 16 * 1024 * 1024, /* of one message from the server; beyond it 1009 and over */
    REFUSAL_WAIT_MS = 1000,               /* for the rest of a refusal's body */
    SERVICE_BYTES = 65536,                /* read at once by the library */
    HEADER_BYTES_MAX = 32768,             /* of the upgrade response's head */
    RSV1 = 4,
    MASK_BIT = 0x80,       /* in the second byte of a frame */
    PONG_PENDING_MS = 1000 /* the library may take this long to answer a ping */
};

struct channel {
    struct channel_options options;
    struct tap *tap; /* NULL: left */
    bool tap_gone;
    struct lws *wsi; /* NULL: none, or gone */
    bool called_off;
    bool asked; /* the upgrade is the library's business */
    bool established;
    bool close_sent;
    bool upgrade_failed;         /* the library gave the upgrade up; the tap may still learn why */
    uint64_t refusal_wait_until; /* ns of uv_hrtime; UINT64_MAX: not waiting */
    bool over;                   /* REFUSED or CLOSED was told */
    bool muted;
    char upgrade_error[200];
    struct client_outbox outbox;
    struct buffer incoming; /* the message being put together */
    uint64_t delivered;     /* messages handed to the client */
    uint64_t pings;         /* of the tap's that were looked at */
    uint64_t pinged_at;     /* ns of uv_hrtime, of the latest; 0: there was none */
    bool pong_queued;
};

/* ---- events ---- */

static void tell(struct channel *channel, const struct client_event *event)
{
    if (!channel->muted && !channel->over)
        channel->options.event(channel->options.context, event);
}

static void tell_end(struct channel *channel, const struct client_event *event)
{
    tell(channel, event);
    channel->over = true;
}

static void refuse(struct channel *channel)
{
    channel->refusal_wait_until = UINT64_MAX;
    if (channel->tap == NULL)
        return;
    const struct tap_seen *seen = tap_seen(channel->tap);
    struct client_event event = {.kind = CLIENT_REFUSED};
    if (seen->refused_status != 0) {
        event.code = seen->refused_status;
        event.data = bytes_of_text(seen->refused_body);
        event.retry_after = bytes_of_text(seen->retry_after);
    } else if (seen->violated) {
        event.data = bytes_of_text(seen->violation);
    } else {
        event.data = bytes_of_text(channel->upgrade_error);
    }
    tell_end(channel, &event);
}

static void report_closed(struct channel *channel)
{
    if (channel->tap == NULL)
        return;
    const struct tap_seen *seen = tap_seen(channel->tap);
    struct client_event event = {.kind = CLIENT_CLOSED, .code = WS_CLOSE_NO_FRAME};
    if (seen->violated) {
        event.data = bytes_of_text(seen->violation);
    } else if (seen->closed) {
        event.code = seen->close_code;
        event.data = bytes_of_text(seen->close_reason);
    }
    tell_end(channel, &event);
}

/* ---- the way up ---- */

static void want_to_write(struct channel *channel)
{
    if (channel->established && channel->wsi != NULL && !client_outbox_is_empty(&channel->outbox))
        lws_callback_on_writable(channel->wsi);
}

bool channel_send(struct channel *channel, enum outgoing_kind kind, struct bytes message)
{
    bool good = client_outbox_add(&channel->outbox, kind, message);
    want_to_write(channel);
    return good;
}

size_t channel_unsent(const struct channel *channel)
{
    size_t bytes = channel->outbox.bytes + (channel->tap != NULL ? tap_unsent(channel->tap) : 0);
    if (channel->wsi != NULL && lws_partial_buffered(channel->wsi)) {
        bytes++;
        if (channel->tap != NULL)
            tap_expect(channel->tap); /* the library writes the rest without a word */
    }
    return bytes;
}

uint64_t channel_taken_ns(const struct channel *channel)
{
    return channel->tap != NULL ? tap_taken_ns(channel->tap) : 0;
}

void channel_send_close(struct channel *channel, uint16_t code)
{
    client_outbox_add_close(&channel->outbox, code);
    want_to_write(channel);
}

/* Nothing but a close frame is to be sent any more. */
static void close_now(struct channel *channel, uint16_t code)
{
    client_outbox_clear(&channel->outbox);
    channel_send_close(channel, code);
}

/* Makes the two bytes of a close code a whole, masked close frame: RFC 6455 5.2. */
static void mask_close(struct channel *channel, struct outgoing_message *message)
{
    uint8_t *frame = message->data + LWS_PRE;
    uint8_t code[2] = {frame[0], frame[1]};
    frame[0] = 0x88;
    frame[1] = 0x82;
    lws_get_random(channel->options.library, frame + 2, 4);
    frame[6] = code[0] ^ frame[2];
    frame[7] = code[1] ^ frame[3];
    message->len = OUTBOX_CLOSE_BYTES;
}

static enum lws_write_protocol write_protocol(enum outgoing_kind kind)
{
    switch (kind) {
    case OUTGOING_TEXT:
        return LWS_WRITE_TEXT;
    case OUTGOING_BINARY:
        return LWS_WRITE_BINARY;
    case OUTGOING_PING:
        return LWS_WRITE_PING;
    case OUTGOING_PONG:
        return LWS_WRITE_PONG;
    case OUTGOING_PACKED:
        return LWS_WRITE_RAW;
    case OUTGOING_CLOSE:
        /* lws_close_reason would shut the socket at once, without waiting for the peer's close frame. */
        return LWS_WRITE_RAW;
    }
    return LWS_WRITE_RAW;
}

/* The pong is for the newest ping there is when it goes out. */
static void answer_newest(struct channel *channel, struct outgoing_message *message)
{
    channel->pong_queued = false;
    message->len = 0;
    if (channel->tap == NULL)
        return;
    const struct tap_seen *seen = tap_seen(channel->tap);
    memcpy(message->data + LWS_PRE, seen->ping, seen->ping_bytes);
    message->len = seen->ping_bytes;
}

/* Text and binary, once compressed messages were agreed on: made a whole frame, as the library knows no RSV1.
 * NULL when memory runs out. Frees `message`. */
static struct outgoing_message *pack(struct channel *channel, struct outgoing_message *message)
{
    struct buffer packed;
    uint8_t header[WS_FRAME_HEADER_BYTES_MAX];
    uint8_t key[WS_FRAME_MASK_BYTES];
    struct outgoing_message *frame = NULL;
    buffer_init(&packed, 2 * OUTBOX_BYTES_MAX);
    if (ws_deflate_pack(WS_DEFLATE_WINDOW_BITS_MAX, bytes_of(message->data + LWS_PRE, message->len),
                        &packed)) {
        const struct ws_frame_bits bits = {.opcode = message->kind == OUTGOING_TEXT ? WS_OPCODE_TEXT
                                                                                    : WS_OPCODE_BINARY,
                                           .rsv = RSV1,
                                           .fin = true,
                                           .mask = WS_MASK_NONE,
                                           .length = packed.len};
        size_t header_len = ws_frame_write_header(&bits, header);
        header[1] |= MASK_BIT;
        lws_get_random(channel->options.library, key, sizeof key);
        frame = outgoing_message_new(OUTGOING_PACKED, header_len + sizeof key + packed.len);
        if (frame != NULL) {
            uint8_t *at = frame->data + LWS_PRE;
            memcpy(at, header, header_len);
            memcpy(at + header_len, key, sizeof key);
            at += header_len + sizeof key;
            for (size_t i = 0; i < packed.len; i++)
                at[i] = packed.data[i] ^ key[i % sizeof key];
        }
    }
    buffer_free(&packed);
    free(message);
    return frame;
}

static bool is_to_be_packed(const struct channel *channel, const struct outgoing_message *message)
{
    return (message->kind == OUTGOING_TEXT || message->kind == OUTGOING_BINARY) && channel->tap != NULL &&
           tap_seen(channel->tap)->packs;
}

static int send_next(struct channel *channel, struct lws *wsi)
{
    if (channel->close_sent || lws_partial_buffered(wsi))
        return 0;
    struct outgoing_message *message = client_outbox_take(&channel->outbox);
    if (message == NULL)
        return 0;
    if (message->kind == OUTGOING_PONG)
        answer_newest(channel, message);
    if (message->kind == OUTGOING_CLOSE) {
        mask_close(channel, message);
        channel->close_sent = true;
    }
    if (is_to_be_packed(channel, message))
        message = pack(channel, message);
    if (message == NULL)
        return -1;
    int written = lws_write(wsi, message->data + LWS_PRE, message->len, write_protocol(message->kind));
    free(message);
    if (channel->tap != NULL)
        tap_expect(channel->tap);
    if (written < 0)
        return -1;
    if (!channel->close_sent && !client_outbox_is_empty(&channel->outbox))
        lws_callback_on_writable(wsi);
    return 0;
}

/* ---- the way down ---- */

/* The library still hands over the good messages before a violation; after them the connection fails. */
static bool fail_violated(struct channel *channel)
{
    if (channel->muted || channel->over || channel->tap == NULL || channel->wsi == NULL)
        return channel->muted || channel->over;
    const struct tap_seen *seen = tap_seen(channel->tap);
    if (!seen->violated || !channel->established || channel->delivered < seen->good_messages)
        return false;
    close_now(channel, seen->fail_code);
    report_closed(channel);
    return true;
}

/* The library would answer a close frame with its own bytes, whatever they are. */
static bool close_is_wrong(const struct channel *channel)
{
    if (channel->muted || channel->over || channel->tap == NULL)
        return true; /* nobody waits for an answer */
    return tap_seen(channel->tap)->violated;
}

static int receive_piece(struct channel *channel, struct lws *wsi, const void *data, size_t len)
{
    if (lws_is_first_fragment(wsi))
        buffer_clear(&channel->incoming);
    if (channel->over)
        return 0;
    if (!buffer_append(&channel->incoming, bytes_of(data, len))) {
        close_now(channel, WS_CLOSE_TOO_BIG);
        tell_end(channel, &(struct client_event){.kind = CLIENT_CLOSED,
                                                 .code = WS_CLOSE_TOO_BIG,
                                                 .data = bytes_of_text("a message of more than 16 MiB came"),
                                                 .lasting = true});
        return 0;
    }
    if (!lws_is_final_fragment(wsi) || fail_violated(channel))
        return 0;
    channel->delivered++;
    tell(channel, &(struct client_event){.kind = lws_frame_is_binary(wsi) ? CLIENT_BINARY : CLIENT_TEXT,
                                         .data = buffer_bytes(&channel->incoming)});
    buffer_clear(&channel->incoming);
    (void)fail_violated(channel);
    return 0;
}

static bool append(uint8_t **at, size_t *room, const char *text)
{
    size_t len = strlen(text);
    if (len > *room)
        return false;
    memcpy(*at, text, len);
    *at += len;
    *room -= len;
    return true;
}

static int append_headers(const struct channel *channel, void *in, size_t room)
{
    const char *key = channel->options.key;
    bool good = key == NULL ||
                (append(in, &room, "Authorization: ") && append(in, &room, key) && append(in, &room, "\r\n"));
    good = good && (channel->options.no_deflate || append(in, &room, ws_deflate_offer()));
    return good ? 0 : -1;
}

/* The reason may stand in a body that is still coming. */
static void upgrade_failed(struct channel *channel, const char *reason)
{
    channel->wsi = NULL;
    if (channel->muted || channel->tap == NULL)
        return;
    const struct tap_seen *seen = tap_seen(channel->tap);
    struct text text = text_of(channel->upgrade_error, sizeof channel->upgrade_error);
    text_add(&text, "the upgrade failed: ");
    text_add(&text, reason != NULL ? reason : "no reason given");
    channel->upgrade_failed = true;
    /* A wait that is over at once: the connection must not be left from within the library. */
    bool known = seen->refused_status != 0 || seen->violated || seen->ended;
    channel->refusal_wait_until = uv_hrtime() + (known ? 0 : (uint64_t)REFUSAL_WAIT_MS * 1000000);
    if (known)
        refuse(channel);
    else
        tell(channel, &(struct client_event){.kind = CLIENT_TICK});
}

static void opened(struct channel *channel, struct lws *wsi)
{
    channel->wsi = wsi;
    channel->established = true;
    tell(channel, &(struct client_event){.kind = CLIENT_OPENED});
    (void)fail_violated(channel);
    want_to_write(channel);
}

static int on_library(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
    struct channel *channel = user;
    if (channel == NULL) /* of the library itself */
        return 0;
        /* The library has about a hundred reasons; the ones that matter here are these. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
    switch (reason) {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        return append_headers(channel, in, len);
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        upgrade_failed(channel, in);
        return 0;
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        opened(channel, wsi);
        return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return receive_piece(channel, wsi, in, len);
    case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
        tell(channel, &(struct client_event){.kind = CLIENT_PONG});
        return 0;
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return send_next(channel, wsi);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        /* After our own close frame there must be no second one, and a wrong one is not echoed: end it here.
         */
        return channel->close_sent || close_is_wrong(channel) ? -1 : 0;
    case LWS_CALLBACK_CLIENT_CLOSED:
        channel->wsi = NULL;
        channel->established = false;
        report_closed(channel);
        return 0;
    default:
        return 0;
    }
#pragma GCC diagnostic pop
}

static const struct lws_protocols PROTOCOLS[] = {
    {.name = "", .callback = on_library, .rx_buffer_size = SERVICE_BYTES},
    {.name = NULL},
};

/* The client core pings; the library's own keep-alive is put off for good. */
static const lws_retry_bo_t NO_KEEP_ALIVE = {
    .secs_since_valid_ping = UINT16_MAX - 1,
    .secs_since_valid_hangup = UINT16_MAX,
};

bool channel_library_start(uv_loop_t *loop, struct lws_context **out)
{
    void *loops[1] = {loop};
    struct lws_context_creation_info info = {
        .options = LWS_SERVER_OPTION_LIBUV,
        .foreign_loops = loops,
        .pcontext = out,
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = PROTOCOLS,
        .gid = -1,
        .uid = -1,
        .pt_serv_buf_size = SERVICE_BYTES,
        .max_http_header_data = HEADER_BYTES_MAX,
        .fd_limit_per_thread = 64,
        .retry_and_idle_policy = &NO_KEEP_ALIVE,
    };
    lws_set_log_level(0, NULL);
    *out = lws_create_context(&info);
    return *out != NULL;
}

/* ---- the tap's side ---- */

static void tap_ready(void *context)
{
    struct channel *channel = context;
    if (channel->called_off)
        return;
    struct lws_client_connect_info info = {
        .context = channel->options.library,
        .address = tap_address(channel->tap),
        .port = 80,                                       /* the library wants one; the socket has none */
        .path = "/",                                      /* the tap puts the target in its place */
        .ssl_connection = LCCSCF_HTTP_NO_FOLLOW_REDIRECT, /* the key is for the server it was given for */
        .host = channel->options.url->authority,
        .ietf_version_or_minus_one = -1,
        .local_protocol_name = "",
        .pwsi = &channel->wsi,
        .userdata = channel,
        .retry_and_idle_policy = &NO_KEEP_ALIVE,
    };
    channel->asked = true;
    /* A failure is told to on_library, unless it came before there was anything to tell it of. */
    if (lws_client_connect_via_info(&info) == NULL && !channel->upgrade_failed)
        upgrade_failed(channel, "no memory");
}

static void tap_failed(void *context, const char *sentence, bool lasting)
{
    struct client_event event = {.kind = CLIENT_REFUSED, .data = bytes_of_text(sentence), .lasting = lasting};
    tell_end(context, &event);
}

static void tap_noticed(void *context)
{
    struct channel *channel = context;
    if (channel->upgrade_failed)
        refuse(channel);
    else
        (void)fail_violated(channel);
}

/* While the library's answer to a ping has not gone out, it forgets the pings that come then; the newest is
 * the one that has to be answered: RFC 6455 5.5.3. One pong too many does no harm. */
static void tap_pinged(void *context)
{
    struct channel *channel = context;
    const struct tap_seen *seen = tap_seen(channel->tap);
    uint64_t now = uv_hrtime();
    bool soon = channel->pinged_at != 0 && now - channel->pinged_at < (uint64_t)PONG_PENDING_MS * 1000000;
    bool forgotten = soon || seen->pings - channel->pings > 1;
    channel->pings = seen->pings;
    channel->pinged_at = now;
    if (!forgotten || channel->pong_queued)
        return;
    static const uint8_t ROOM[TAP_PING_MAX] = {0};
    channel->pong_queued = channel_send(channel, OUTGOING_PONG, bytes_of(ROOM, sizeof ROOM));
}

/* ---- its life ---- */

struct channel *channel_start(const struct channel_options *options, char error[TAP_SENTENCE_MAX])
{
    struct channel *channel = calloc(1, sizeof *channel);
    if (channel == NULL) {
        struct text text = text_of(error, TAP_SENTENCE_MAX);
        text_add(&text, "no memory");
        return NULL;
    }
    channel->options = *options;
    channel->refusal_wait_until = UINT64_MAX;
    client_outbox_init(&channel->outbox);
    buffer_init(&channel->incoming, MESSAGE_BYTES_MAX);
    struct tap_listener listener = {.ready = tap_ready,
                                    .failed = tap_failed,
                                    .noticed = tap_noticed,
                                    .pinged = tap_pinged,
                                    .context = channel};
    const struct tap_options tap = {.url = options->url,
                                    .ca_file = options->ca_file,
                                    .seams = options->seams,
                                    .offers_deflate = !options->no_deflate};
    channel->tap = tap_start(options->loop, &tap, &listener, error);
    if (channel->tap != NULL)
        return channel;
    channel_free(channel);
    return NULL;
}

bool channel_call_off(struct channel *channel)
{
    channel->called_off = channel->called_off || !channel->asked;
    return channel->called_off;
}

uint64_t channel_wait_ms(const struct channel *channel)
{
    if (channel->refusal_wait_until == UINT64_MAX || channel->muted)
        return UINT64_MAX;
    const uint64_t now = uv_hrtime();
    return channel->refusal_wait_until > now ? (channel->refusal_wait_until - now) / 1000000 + 1 : 0;
}

void channel_tick(struct channel *channel)
{
    if (channel->refusal_wait_until <= uv_hrtime())
        refuse(channel);
}

void channel_mute(struct channel *channel)
{
    channel->muted = true;
}

bool channel_has_last_words(const struct channel *channel)
{
    return channel->established && channel->wsi != NULL && (channel->close_sent || channel->outbox.closing);
}

void channel_leave(struct channel *channel)
{
    channel->muted = true;
    if (channel->tap == NULL)
        return;
    tap_stop(channel->tap, &channel->tap_gone);
    channel->tap = NULL;
    /* The library sees its end hang up, and lets go of it by itself. */
    client_outbox_clear(&channel->outbox);
    buffer_free(&channel->incoming);
}

bool channel_is_gone(const struct channel *channel)
{
    return channel->tap_gone;
}

void channel_free(struct channel *channel)
{
    if (channel == NULL)
        return;
    client_outbox_clear(&channel->outbox);
    buffer_free(&channel->incoming);
    free(channel);
}
