#include "client/net/connector.h"

#include <assert.h>
#include <libwebsockets.h>
#include <stdlib.h>
#include <time.h>

#include "client/net/outbox.h"
#include "client/net/tap.h"

enum {
    MESSAGE_BYTES_MAX = 16 * 1024 * 1024, /* of one message from the server; beyond it 1009 and over */
    REFUSAL_WAIT_US = 1000000,            /* for the rest of a refusal's body */
    SERVICE_BYTES = 65536,                /* read at once by the library */
    HEADER_BYTES_MAX = 32768,             /* of the upgrade response's head */
    LAST_WORDS_MS = 300,                  /* for a close frame to go out when the connector is stopped */
    LAST_STEP_ROUNDS = 1000               /* steps in a row without time passing; more would be a loop */
};

struct connector {
    uv_loop_t *loop;
    struct connector_options options;
    struct url url;
    char *key;
    uint64_t started_ns;
    struct plan_runner runner;

    struct tap *tap;
    bool tap_gone;
    struct lws_context *context;
    struct lws *wsi; /* NULL: none, or gone */
    bool established;
    bool close_sent;
    bool upgrade_failed;            /* the library gave the upgrade up; the tap may still learn why */
    uint64_t refusal_wait_until_us; /* UINT64_MAX: not waiting */
    char upgrade_error[200];
    struct outbox outbox;
    struct buffer incoming; /* the message being put together */
    uint64_t delivered;     /* messages handed to the client */
    bool over_called;
    bool last_words_over;

    uv_timer_t timer;
    bool timer_open;
    bool timer_gone;
    struct client_actions actions;
};

uint64_t connector_epoch_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t connector_now_us(const struct connector *connector)
{
    return (uv_hrtime() - connector->started_ns) / 1000;
}

/* ---- the client's side: events in, actions out ---- */

static void perform(struct connector *connector, struct client_actions *actions)
{
    for (size_t i = 0; i < actions->count; i++) {
        const struct client_action *action = &actions->list[i];
        switch (action->kind) {
        case CLIENT_SEND_TEXT:
        case CLIENT_SEND_BINARY:
            if (!outbox_add(&connector->outbox, action->kind == CLIENT_SEND_BINARY, action->data))
                outbox_add_close(&connector->outbox, OJIN_CLOSE_GOING_AWAY);
            break;
        case CLIENT_SEND_CLOSE:
            outbox_add_close(&connector->outbox, action->code);
            break;
        case CLIENT_OBSERVE:
            if (connector->options.observe != NULL)
                connector->options.observe(connector->options.context, connector_now_us(connector), action);
            break;
        }
    }
    actions->count = 0;
    if (connector->established && connector->wsi != NULL && !outbox_is_empty(&connector->outbox))
        lws_callback_on_writable(connector->wsi);
}

static void on_timer(uv_timer_t *timer);

static void arm(struct connector *connector)
{
    if (!connector->timer_open)
        return;
    uint64_t due_us = client_deadline_us(connector->options.client);
    uint64_t plan_us =
        connector->options.plan != NULL ? plan_runner_deadline_us(&connector->runner) : UINT64_MAX;
    if (plan_us < due_us)
        due_us = plan_us;
    if (connector->refusal_wait_until_us < due_us)
        due_us = connector->refusal_wait_until_us;
    if (due_us == UINT64_MAX) {
        uv_timer_stop(&connector->timer);
        return;
    }
    uint64_t now_us = connector_now_us(connector);
    uint64_t wait_ms = due_us > now_us ? (due_us - now_us + 999) / 1000 : 0;
    uv_update_time(connector->loop);
    uv_timer_start(&connector->timer, on_timer, wait_ms, 0);
}

/* One event, and ticks as long as something is due at once. */
static void feed(struct connector *connector, enum client_event_kind kind, uint16_t code, struct bytes data)
{
    struct client *client = connector->options.client;
    if (connector->over_called)
        return;
    for (int round = 0; round < LAST_STEP_ROUNDS; round++) {
        uint64_t now_us = connector_now_us(connector);
        struct client_event event = {.kind = kind, .now_us = now_us, .code = code, .data = data};
        connector->actions.count = 0;
        client_step(client, &event, &connector->actions);
        bool commanded = connector->options.plan != NULL &&
                         plan_runner_step(&connector->runner, client, now_us, &connector->actions);
        perform(connector, &connector->actions);
        if (connector->options.stepped != NULL)
            connector->options.stepped(connector->options.context, now_us);
        if (!commanded && client_deadline_us(client) > now_us)
            break;
        kind = CLIENT_TICK;
    }
    if (client_phase(client) == CLIENT_OVER) {
        connector->over_called = true;
        if (connector->timer_open)
            uv_timer_stop(&connector->timer);
        if (connector->options.over != NULL)
            connector->options.over(connector->options.context, connector_now_us(connector));
        return;
    }
    arm(connector);
}

static void refuse(struct connector *connector)
{
    connector->refusal_wait_until_us = UINT64_MAX;
    if (connector->over_called)
        return; /* the tap may be gone */
    const struct tap_seen *seen = tap_seen(connector->tap);
    if (seen->refused_status != 0)
        feed(connector, CLIENT_REFUSED, seen->refused_status, bytes_of_text(seen->refused_body));
    else if (seen->violated)
        feed(connector, CLIENT_REFUSED, 0, bytes_of_text(seen->violation));
    else
        feed(connector, CLIENT_REFUSED, 0, bytes_of_text(connector->upgrade_error));
}

static void report_closed(struct connector *connector)
{
    if (connector->over_called)
        return; /* the tap may be gone */
    const struct tap_seen *seen = tap_seen(connector->tap);
    if (seen->violated)
        feed(connector, CLIENT_CLOSED, 1006, bytes_of_text(seen->violation));
    else if (seen->closed)
        feed(connector, CLIENT_CLOSED, seen->close_code, bytes_of_text(seen->close_reason));
    else
        feed(connector, CLIENT_CLOSED, 1006, (struct bytes){0});
}

static void on_timer(uv_timer_t *timer)
{
    struct connector *connector = timer->data;
    if (connector_now_us(connector) >= connector->refusal_wait_until_us)
        refuse(connector);
    else
        feed(connector, CLIENT_TICK, 0, (struct bytes){0});
}

/* ---- the library's side ---- */

/* Makes the two bytes of a close code a whole, masked close frame: RFC 6455 5.2. */
static void mask_close(struct connector *connector, struct outgoing_message *message)
{
    uint8_t *frame = message->data + LWS_PRE;
    uint8_t code[2] = {frame[0], frame[1]};
    frame[0] = 0x88;
    frame[1] = 0x82;
    lws_get_random(connector->context, frame + 2, 4);
    frame[6] = code[0] ^ frame[2];
    frame[7] = code[1] ^ frame[3];
    message->len = OUTBOX_CLOSE_BYTES;
}

static int send_next(struct connector *connector, struct lws *wsi)
{
    if (connector->close_sent || lws_partial_buffered(wsi))
        return 0;
    struct outgoing_message *message = outbox_take(&connector->outbox);
    if (message == NULL)
        return 0;
    enum lws_write_protocol protocol = LWS_WRITE_TEXT;
    switch (message->kind) {
    case OUTGOING_TEXT:
        break;
    case OUTGOING_BINARY:
        protocol = LWS_WRITE_BINARY;
        break;
    case OUTGOING_CLOSE:
        /* lws_close_reason would shut the socket at once, without waiting for the peer's close frame. */
        protocol = LWS_WRITE_RAW;
        mask_close(connector, message);
        connector->close_sent = true;
        break;
    }
    int written = lws_write(wsi, message->data + LWS_PRE, message->len, protocol);
    free(message);
    if (written < 0)
        return -1;
    if (!connector->close_sent && !outbox_is_empty(&connector->outbox))
        lws_callback_on_writable(wsi);
    return 0;
}

/* The library still hands over the good messages before a violation; after them the connection fails. */
static bool fail_violated(struct connector *connector)
{
    if (connector->over_called || connector->tap == NULL || connector->wsi == NULL)
        return connector->over_called;
    const struct tap_seen *seen = tap_seen(connector->tap);
    if (!seen->violated || !connector->established || connector->delivered < seen->good_messages)
        return false;
    outbox_clear(&connector->outbox);
    outbox_add_close(&connector->outbox, 1002);
    lws_callback_on_writable(connector->wsi);
    report_closed(connector);
    return true;
}

/* The library would answer a close frame with its own bytes, whatever they are. */
static bool close_is_wrong(const struct connector *connector)
{
    if (connector->over_called)
        return true; /* the tap may be gone, and nobody waits for an answer */
    return connector->tap != NULL && tap_seen(connector->tap)->violated;
}

static int receive_piece(struct connector *connector, struct lws *wsi, const void *data, size_t len)
{
    if (lws_is_first_fragment(wsi))
        buffer_clear(&connector->incoming);
    if (!buffer_append(&connector->incoming, bytes_of(data, len))) {
        outbox_clear(&connector->outbox);
        outbox_add_close(&connector->outbox, OJIN_CLOSE_TOO_BIG);
        lws_callback_on_writable(wsi);
        feed(connector, CLIENT_CLOSED, OJIN_CLOSE_TOO_BIG,
             bytes_of_text("a message of more than 16 MiB came"));
        return 0;
    }
    if (!lws_is_final_fragment(wsi) || fail_violated(connector))
        return 0;
    connector->delivered++;
    feed(connector, lws_frame_is_binary(wsi) ? CLIENT_BINARY : CLIENT_TEXT, 0,
         buffer_bytes(&connector->incoming));
    buffer_clear(&connector->incoming);
    (void)fail_violated(connector);
    return 0;
}

static int append_key(struct connector *connector, void *in, size_t len)
{
    static const char NAME[] = "Authorization: ";
    uint8_t **at = in;
    size_t key_len = strlen(connector->key);
    if (sizeof NAME - 1 + key_len + 2 > len)
        return -1;
    memcpy(*at, NAME, sizeof NAME - 1);
    memcpy(*at + sizeof NAME - 1, connector->key, key_len);
    memcpy(*at + sizeof NAME - 1 + key_len, "\r\n", 2);
    *at += sizeof NAME - 1 + key_len + 2;
    return 0;
}

/* The reason may stand in a body that is still coming. */
static void upgrade_failed(struct connector *connector, const char *reason)
{
    connector->wsi = NULL;
    if (connector->over_called)
        return; /* the tap may be gone */
    const struct tap_seen *seen = tap_seen(connector->tap);
    struct text text = text_of(connector->upgrade_error, sizeof connector->upgrade_error);
    text_add(&text, "the upgrade failed: ");
    text_add(&text, reason != NULL ? reason : "no reason given");
    connector->upgrade_failed = true;
    if (seen->refused_status != 0 || seen->violated || seen->ended) {
        refuse(connector);
        return;
    }
    connector->refusal_wait_until_us = connector_now_us(connector) + REFUSAL_WAIT_US;
    arm(connector);
}

static int on_library(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
    (void)user;
    struct connector *connector = lws_context_user(lws_get_context(wsi));
    /* The library has about a hundred reasons; the ones that matter here are these. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
    switch (reason) {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        return append_key(connector, in, len);
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        upgrade_failed(connector, in);
        return 0;
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        connector->wsi = wsi;
        connector->established = true;
        feed(connector, CLIENT_OPENED, 0, (struct bytes){0});
        (void)fail_violated(connector);
        return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return receive_piece(connector, wsi, in, len);
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return send_next(connector, wsi);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        /* After our own close frame there must be no second one, and a wrong one is not echoed: end it here.
         */
        return connector->close_sent || close_is_wrong(connector) ? -1 : 0;
    case LWS_CALLBACK_CLIENT_CLOSED:
        connector->wsi = NULL;
        connector->established = false;
        report_closed(connector);
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

/* A ping after 30 s without a valid one; 10 s later the connection is given up: 000 WebSocket Handshake. */
static const lws_retry_bo_t KEEP_ALIVE = {
    .secs_since_valid_ping = OJIN_PING_INTERVAL_US / 1000000,
    .secs_since_valid_hangup = (OJIN_PING_INTERVAL_US + OJIN_PING_TIMEOUT_US) / 1000000,
};

static bool start_library(struct connector *connector)
{
    void *loops[1] = {connector->loop};
    struct lws_context_creation_info info = {
        .options = LWS_SERVER_OPTION_LIBUV,
        .foreign_loops = loops,
        .pcontext = &connector->context,
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = PROTOCOLS,
        .gid = -1,
        .uid = -1,
        .user = connector,
        .pt_serv_buf_size = SERVICE_BYTES,
        .max_http_header_data = HEADER_BYTES_MAX,
        .fd_limit_per_thread = 64,
        .retry_and_idle_policy = &KEEP_ALIVE,
    };
    connector->context = lws_create_context(&info);
    return connector->context != NULL;
}

/* ---- the tap's side ---- */

static void tap_ready(void *context)
{
    struct connector *connector = context;
    const char *address = tap_address(connector->tap);
    struct lws_client_connect_info info = {
        .context = connector->context,
        .address = address,
        .port = 80, /* the library wants one; the socket has none */
        .path = connector->url.target,
        .host = connector->url.authority,
        .ietf_version_or_minus_one = -1,
        .local_protocol_name = "",
        .pwsi = &connector->wsi,
        .retry_and_idle_policy = &KEEP_ALIVE,
    };
    /* A failure is told to on_library, unless it came before there was anything to tell it of. */
    if (lws_client_connect_via_info(&info) == NULL && !connector->upgrade_failed)
        upgrade_failed(connector, "no memory");
}

static void tap_failed(void *context, const char *sentence)
{
    feed(context, CLIENT_REFUSED, 0, bytes_of_text(sentence));
}

static void tap_noticed(void *context)
{
    struct connector *connector = context;
    if (connector->upgrade_failed)
        refuse(connector);
    else
        (void)fail_violated(connector);
}

/* ---- start and stop ---- */

static void timer_closed(uv_handle_t *handle)
{
    struct connector *connector = handle->data;
    connector->timer_gone = true;
}

static void destroy(struct connector *connector)
{
    outbox_clear(&connector->outbox);
    buffer_free(&connector->incoming);
    free(connector->key);
    free(connector);
}

static struct connector *give_up(struct connector *connector, const char *sentence,
                                 char error[CONNECTOR_ERROR_MAX])
{
    if (sentence != NULL) {
        struct text text = text_of(error, CONNECTOR_ERROR_MAX);
        text_add(&text, sentence);
    }
    if (connector != NULL)
        connector_stop(connector);
    return NULL;
}

static char *copy_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = malloc(bytes);
    if (copy != NULL)
        memcpy(copy, text, bytes);
    return copy;
}

/* A line break in it would end the header. */
static bool is_header_value(const char *key)
{
    for (const char *c = key; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            return false;
    return true;
}

struct connector *connector_start(uv_loop_t *loop, const struct connector_options *options,
                                  char error[CONNECTOR_ERROR_MAX])
{
    struct url url;
    if (!url_parse(options->url, options->config_id, &url, error, CONNECTOR_ERROR_MAX))
        return NULL;
    const char *key = options->key != NULL ? options->key : "";
    if (!is_header_value(key))
        return give_up(NULL, "the key holds a control character", error);
    struct connector *connector = calloc(1, sizeof *connector);
    if (connector == NULL)
        return give_up(NULL, "no memory", error);
    connector->loop = loop;
    connector->options = *options;
    connector->url = url;
    connector->refusal_wait_until_us = UINT64_MAX;
    connector->timer_gone = true;
    connector->tap_gone = true;
    outbox_init(&connector->outbox);
    buffer_init(&connector->incoming, MESSAGE_BYTES_MAX);
    if (options->plan != NULL)
        plan_runner_init(&connector->runner, options->plan);
    connector->key = copy_text(key);
    if (connector->key == NULL || uv_timer_init(loop, &connector->timer) != 0)
        return give_up(connector, "no memory", error);
    connector->timer.data = connector;
    connector->timer_open = true;
    connector->timer_gone = false;
    lws_set_log_level(0, NULL);
    if (!start_library(connector))
        return give_up(connector, "the WebSocket library cannot be set up", error);
    connector->started_ns = uv_hrtime();
    struct tap_listener listener = {
        .ready = tap_ready, .failed = tap_failed, .noticed = tap_noticed, .context = connector};
    char sentence[TAP_SENTENCE_MAX];
    connector->tap = tap_start(loop, &connector->url, options->ca_file, &listener, sentence);
    if (connector->tap == NULL)
        return give_up(connector, sentence, error);
    connector->tap_gone = false;
    uv_timer_start(&connector->timer, on_timer, 0, 0);
    return connector;
}

void connector_perform(struct connector *connector, struct client_actions *actions)
{
    perform(connector, actions);
    feed(connector, CLIENT_TICK, 0, (struct bytes){0});
}

static void stop_waiting(uv_timer_t *timer)
{
    struct connector *connector = timer->data;
    connector->last_words_over = true;
}

/* A close frame that is on its way (1002, 1009) still goes out, and the peer may answer it. */
static void say_last_words(struct connector *connector)
{
    bool closing = connector->close_sent || !outbox_is_empty(&connector->outbox);
    if (!connector->timer_open || !connector->established || !closing)
        return;
    uv_update_time(connector->loop);
    uv_timer_start(&connector->timer, stop_waiting, LAST_WORDS_MS, 0);
    while (connector->wsi != NULL && !connector->last_words_over)
        uv_run(connector->loop, UV_RUN_ONCE);
}

void connector_stop(struct connector *connector)
{
    connector->over_called = true;
    say_last_words(connector);
    if (connector->timer_open) {
        connector->timer_open = false;
        uv_close((uv_handle_t *)&connector->timer, timer_closed);
    }
    /* What the library wrote last, its answer to a close frame, is still on its way through the tap. */
    for (int round = 0; round < 8 && connector->tap != NULL; round++)
        uv_run(connector->loop, UV_RUN_NOWAIT);
    if (connector->tap != NULL)
        tap_stop(connector->tap, &connector->tap_gone);
    connector->tap = NULL;
    /* On a loop of somebody else's the library wants to be destroyed twice: its handles need a round of the
     * loop in between. */
    if (connector->context != NULL)
        lws_context_destroy(connector->context);
    while (!connector->timer_gone || !connector->tap_gone)
        uv_run(connector->loop, UV_RUN_NOWAIT);
    for (int round = 0; round < 8; round++)
        uv_run(connector->loop, UV_RUN_NOWAIT);
    if (connector->context != NULL)
        lws_context_destroy(connector->context);
    for (int round = 0; round < 8; round++)
        uv_run(connector->loop, UV_RUN_NOWAIT);
    destroy(connector);
}
