#include "client/net/connector.h"

#include <libwebsockets.h>
#include <stdlib.h>
#include <time.h>

#include "client/core/life.h"
#include "client/net/channel.h"
#include "codec/wire/secret.h"
#include "codec/ws/frame.h"

enum {
    LAST_WORDS_MS = 300,    /* for a close frame to go out when the connector is stopped */
    LAST_STEP_ROUNDS = 1000 /* steps in a row without time passing; more would be a loop */
};

/* Those that are over are kept until the library is destroyed. */
struct earlier_channel {
    struct earlier_channel *next;
    struct channel *channel;
};

struct connector {
    uv_loop_t *loop;
    struct connector_options options;
    struct url url;
    char *key;
    struct buffer secrets; /* of the URL's query */
    struct buffer shown;   /* what came, without them and the key */
    uint64_t started_ns;

    struct lws_context *library;
    struct channel *channel; /* NULL: none */
    struct earlier_channel *earlier;
    bool connect_due; /* the client asked for a further one */
    bool stuck;       /* the server does not read */
    bool over_called;
    bool last_words_over;

    uv_timer_t timer;
    bool timer_open;
    bool timer_gone;
    bool armed;        /* the timer runs for … */
    uint64_t armed_us; /* … this deadline of the client and of its plan */
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

/* ---- the client ---- */

static enum client_standing standing(const struct connector *connector)
{
    return connector->options.client->life(connector->options.core)->standing;
}

static uint64_t deadline_us(const struct connector *connector)
{
    return connector->options.client->deadline_us(connector->options.core);
}

/* ---- events in, actions out ---- */

static void send_message(struct connector *connector, enum outgoing_kind kind, struct bytes data)
{
    if (connector->channel != NULL && !channel_send(connector->channel, kind, data))
        connector->stuck = true;
}

static void perform(struct connector *connector, struct client_actions *actions)
{
    for (size_t i = 0; i < actions->count; i++) {
        const struct client_action *action = &actions->list[i];
        switch (action->kind) {
        case CLIENT_CONNECT:
            connector->connect_due = true;
            break;
        case CLIENT_SEND_TEXT:
            send_message(connector, OUTGOING_TEXT, action->data);
            break;
        case CLIENT_SEND_BINARY:
            send_message(connector, OUTGOING_BINARY, action->data);
            break;
        case CLIENT_SEND_PING:
            send_message(connector, OUTGOING_PING, (struct bytes){0});
            break;
        case CLIENT_SEND_CLOSE:
            if (connector->channel != NULL)
                channel_send_close(connector->channel, action->code);
            break;
        case CLIENT_OBSERVE:
            if (connector->options.observe != NULL)
                connector->options.observe(connector->options.context, connector_now_us(connector), action);
            break;
        }
    }
    actions->count = 0;
}

static void on_timer(uv_timer_t *timer);

/* Is there something to do that must wait until no callback of the connection is running? */
static bool has_deferred_work(const struct connector *connector)
{
    if (connector->connect_due || connector->stuck)
        return true;
    if (connector->channel == NULL)
        return false;
    return standing(connector) == CLIENT_STANDS_WAITING && !channel_has_last_words(connector->channel);
}

static void arm(struct connector *connector)
{
    if (!connector->timer_open)
        return;
    const struct client_driver *driver = connector->options.driver;
    uint64_t due_us = deadline_us(connector);
    uint64_t plan_us = driver != NULL ? driver->deadline_us(connector->options.plan) : UINT64_MAX;
    if (plan_us < due_us)
        due_us = plan_us;
    uint64_t channel_ms = connector->channel != NULL ? channel_wait_ms(connector->channel) : UINT64_MAX;
    const bool deferred = has_deferred_work(connector);
    const bool by_core = channel_ms == UINT64_MAX && !deferred;
    if (by_core && connector->armed && due_us == connector->armed_us)
        return; /* most messages change nothing, and a flood of them has its price */
    connector->armed = by_core;
    connector->armed_us = due_us;
    uint64_t now_us = connector_now_us(connector);
    uint64_t wait_ms = UINT64_MAX;
    if (due_us != UINT64_MAX)
        wait_ms = due_us > now_us ? (due_us - now_us + 999) / 1000 : 0;
    if (channel_ms < wait_ms)
        wait_ms = channel_ms;
    if (deferred)
        wait_ms = 0;
    if (wait_ms == UINT64_MAX) {
        uv_timer_stop(&connector->timer);
        return;
    }
    uv_update_time(connector->loop);
    uv_timer_start(&connector->timer, on_timer, wait_ms, 0);
}

/* Closed by its user while it connects: an upgrade that was not asked for yet is not asked for any more. */
static bool is_called_off(struct connector *connector)
{
    return standing(connector) == CLIENT_STANDS_CLOSING && connector->channel != NULL &&
           channel_call_off(connector->channel);
}

/* One event, and ticks as long as something is due at once. */
static void feed(struct connector *connector, const struct client_event *given)
{
    const struct connector_options *options = &connector->options;
    struct client_event event = *given;
    if (connector->over_called)
        return;
    for (int round = 0; round < LAST_STEP_ROUNDS; round++) {
        event.now_us = connector_now_us(connector);
        if (connector->channel != NULL) {
            const uint64_t taken_ns = channel_taken_ns(connector->channel);
            event.unsent = channel_unsent(connector->channel);
            event.taken_us = taken_ns > connector->started_ns ? (taken_ns - connector->started_ns) / 1000 : 0;
        }
        connector->actions.count = 0;
        options->client->step(options->core, &event, &connector->actions);
        bool commanded = options->driver != NULL &&
                         options->driver->step(options->plan, event.now_us, &connector->actions);
        perform(connector, &connector->actions);
        if (options->stepped != NULL)
            options->stepped(options->context, event.now_us);
        bool called_off = is_called_off(connector);
        if (!commanded && !called_off && deadline_us(connector) > event.now_us)
            break;
        event = (struct client_event){.kind = called_off ? CLIENT_CLOSED : CLIENT_TICK,
                                      .code = WS_CLOSE_NO_FRAME};
    }
    if (standing(connector) == CLIENT_STANDS_WAITING && connector->channel != NULL)
        channel_mute(connector->channel);
    if (standing(connector) == CLIENT_STANDS_OVER) {
        connector->over_called = true;
        if (connector->timer_open)
            uv_timer_stop(&connector->timer);
        if (connector->options.over != NULL)
            connector->options.over(connector->options.context, connector_now_us(connector));
        return;
    }
    arm(connector);
}

/* A server may quote the key or the token, and what it says is told: each becomes as many '*' first. */
static void on_event(void *context, const struct client_event *given)
{
    struct connector *connector = context;
    struct client_event event = *given;
    struct bytes key = bytes_of_text(connector->key == NULL ? "" : connector->key);
    if (event.kind != CLIENT_BINARY)
        event.data = secret_masked(event.data, key, buffer_bytes(&connector->secrets), &connector->shown);
    feed(connector, &event);
}

/* ---- one connection after another ---- */

static void leave(struct connector *connector)
{
    struct channel *channel = connector->channel;
    if (channel == NULL)
        return;
    connector->channel = NULL;
    channel_leave(channel);
    struct earlier_channel *earlier = malloc(sizeof *earlier);
    if (earlier == NULL)
        abort(); /* to forget the channel would be worse: the loop still uses it */
    *earlier = (struct earlier_channel){.next = connector->earlier, .channel = channel};
    connector->earlier = earlier;
}

static bool open_channel(struct connector *connector, char error[TAP_SENTENCE_MAX])
{
    const struct channel_options options = {.loop = connector->loop,
                                            .library = connector->library,
                                            .url = &connector->url,
                                            .key = connector->key,
                                            .ca_file = connector->options.ca_file,
                                            .seams = connector->options.seams,
                                            .no_deflate = connector->options.no_deflate,
                                            .event = on_event,
                                            .context = connector};
    connector->channel = channel_start(&options, error);
    return connector->channel != NULL;
}

static void connect_again(struct connector *connector)
{
    char error[TAP_SENTENCE_MAX];
    connector->connect_due = false;
    leave(connector);
    if (!open_channel(connector, error))
        feed(connector, &(struct client_event){.kind = CLIENT_REFUSED, .data = bytes_of_text(error)});
}

static void on_timer(uv_timer_t *timer)
{
    struct connector *connector = timer->data;
    struct client_event event = {.kind = CLIENT_TICK};
    connector->armed = false;
    if (connector->stuck) {
        event = (struct client_event){.kind = CLIENT_CLOSED,
                                      .code = WS_CLOSE_NO_FRAME,
                                      .data = bytes_of_text("the server does not read any more")};
        connector->stuck = false;
    } else if (connector->connect_due) {
        connect_again(connector);
    } else if (has_deferred_work(connector)) {
        leave(connector);
    } else if (connector->channel != NULL) {
        channel_tick(connector->channel);
    }
    feed(connector, &event);
}

/* ---- start and stop ---- */

static void timer_closed(uv_handle_t *handle)
{
    struct connector *connector = handle->data;
    connector->timer_gone = true;
}

static void destroy(struct connector *connector)
{
    for (struct earlier_channel *earlier; (earlier = connector->earlier) != NULL;) {
        connector->earlier = earlier->next;
        channel_free(earlier->channel);
        free(earlier);
    }
    free(connector->key);
    buffer_free(&connector->secrets);
    buffer_free(&connector->shown);
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

static struct bytes query_of(const char *target)
{
    const char *mark = strchr(target, '?');
    return bytes_of_text(mark == NULL ? "" : mark + 1);
}

struct connector *connector_start(uv_loop_t *loop, const struct connector_options *options,
                                  char error[CONNECTOR_ERROR_MAX])
{
    struct url url;
    if (!url_parse(options->url, options->config_id, &url, error, CONNECTOR_ERROR_MAX))
        return NULL;
    const char *key = options->key;
    if (key != NULL && !is_header_value(key))
        return give_up(NULL, "the key holds a control character", error);
    struct connector *connector = calloc(1, sizeof *connector);
    if (connector == NULL)
        return give_up(NULL, "no memory", error);
    connector->loop = loop;
    connector->options = *options;
    connector->url = url;
    connector->timer_gone = true;
    buffer_init(&connector->secrets, 2 * URL_TARGET_MAX);
    buffer_init(&connector->shown, SIZE_MAX / 2);
    connector->key = key != NULL ? copy_text(key) : NULL;
    if ((key != NULL && connector->key == NULL) ||
        !secrets_of_query(query_of(url.target), (struct bytes){0}, &connector->secrets) ||
        uv_timer_init(loop, &connector->timer) != 0)
        return give_up(connector, "no memory", error);
    connector->timer.data = connector;
    connector->timer_open = true;
    connector->timer_gone = false;
    if (!channel_library_start(loop, &connector->library))
        return give_up(connector, "the WebSocket library cannot be set up", error);
    connector->started_ns = uv_hrtime();
    char sentence[TAP_SENTENCE_MAX];
    if (!open_channel(connector, sentence))
        return give_up(connector, sentence, error);
    uv_timer_start(&connector->timer, on_timer, 0, 0);
    return connector;
}

void connector_perform(struct connector *connector, struct client_actions *actions)
{
    perform(connector, actions);
    feed(connector, &(struct client_event){.kind = CLIENT_TICK});
}

static void stop_waiting(uv_timer_t *timer)
{
    struct connector *connector = timer->data;
    connector->last_words_over = true;
}

/* A close frame that is on its way (1002, 1009) still goes out, and the peer may answer it. */
static void say_last_words(struct connector *connector)
{
    if (!connector->timer_open || connector->channel == NULL || !channel_has_last_words(connector->channel))
        return;
    channel_mute(connector->channel);
    uv_update_time(connector->loop);
    uv_timer_start(&connector->timer, stop_waiting, LAST_WORDS_MS, 0);
    while (channel_has_last_words(connector->channel) && !connector->last_words_over)
        uv_run(connector->loop, UV_RUN_ONCE);
}

static bool all_gone(const struct connector *connector)
{
    for (const struct earlier_channel *earlier = connector->earlier; earlier != NULL; earlier = earlier->next)
        if (!channel_is_gone(earlier->channel))
            return false;
    return connector->timer_gone;
}

static void run_rounds(struct connector *connector)
{
    for (int round = 0; round < 8; round++)
        uv_run(connector->loop, UV_RUN_NOWAIT);
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
    if (connector->channel != NULL)
        run_rounds(connector);
    leave(connector);
    /* On a loop of somebody else's the library wants to be destroyed twice: its handles need a round of the
     * loop in between. */
    if (connector->library != NULL)
        lws_context_destroy(connector->library);
    while (!all_gone(connector))
        uv_run(connector->loop, UV_RUN_NOWAIT);
    run_rounds(connector);
    if (connector->library != NULL)
        lws_context_destroy(connector->library);
    run_rounds(connector);
    destroy(connector);
}
