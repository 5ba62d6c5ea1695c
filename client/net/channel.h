/*
 * One WebSocket connection to the server: a tap, the library's end of it, what waits to be sent, and the
 * message being put together. Its events go to the connector, whose client may have several, one after
 * another. Private to the connector.
 */
#ifndef CLIENT_NET_CHANNEL_H
#define CLIENT_NET_CHANNEL_H

#include <uv.h>

#include "client/core/event.h"
#include "client/net/outbox.h"
#include "client/net/tap.h"

struct lws_context;

/* The library, for all channels of a connector. False when it cannot be set up; lws_context_destroy sets *out
 * to NULL once it is done. */
bool channel_library_start(uv_loop_t *loop, struct lws_context **out);

struct channel_options {
    uv_loop_t *loop;
    struct lws_context *library;       /* borrowed */
    const struct url *url;             /* borrowed for the channel's life, as is the key */
    const char *key;                   /* NULL: no Authorization header is sent */
    const char *ca_file;               /* NULL: the system's */
    const struct channel_seams *seams; /* borrowed; NULL: none */
    bool no_deflate;                   /* offers no compressed messages */
    /* OPENED, REFUSED, TEXT, BINARY, PONG or CLOSED, or TICK when channel_wait_ms is to be asked again; its
     * now_us is not set. Not called once it is muted. */
    void (*event)(void *context, const struct client_event *event);
    void *context;
};

struct channel;

/* Begins to connect. NULL with a sentence: no memory, a CA file that is none. */
struct channel *channel_start(const struct channel_options *options, char error[TAP_SENTENCE_MAX]);
/* False when the server has not been reading for so long that OUTBOX_BYTES_MAX is passed. */
bool channel_send(struct channel *channel, enum outgoing_kind kind, struct bytes message);
/* Of messages that wait for the connection to take them; 0: there are none. */
size_t channel_unsent(const struct channel *channel);
/* When the connection last took anything, in ns of uv_hrtime; 0: never. */
uint64_t channel_taken_ns(const struct channel *channel);
void channel_send_close(struct channel *channel, uint16_t code);
/* Nobody wants the connection any more: false when its upgrade was asked for already, else that is not done,
 * and nothing follows. */
bool channel_call_off(struct channel *channel);
/* How long until channel_tick is to be called; UINT64_MAX: it need not. */
uint64_t channel_wait_ms(const struct channel *channel);
void channel_tick(struct channel *channel);
/* No more events. What waits to be sent is still sent, and a close frame may be answered. */
void channel_mute(struct channel *channel);
/* Is there a close frame on its way, or an answer to it that is awaited? */
bool channel_has_last_words(const struct channel *channel);
/* Mutes it and ends the connection. Not from within an event. */
void channel_leave(struct channel *channel);
/* It was left, and nothing of it is in use by the loop. */
bool channel_is_gone(const struct channel *channel);
/* Only once it is gone and the library is destroyed, which may still think of its end of the connection. */
void channel_free(struct channel *channel);

#endif
