#include "client/net/outbox.h"

#include <libwebsockets.h>
#include <stdlib.h>

void client_outbox_init(struct client_outbox *outbox)
{
    *outbox = (struct client_outbox){0};
}

struct outgoing_message *outgoing_message_new(enum outgoing_kind kind, size_t len)
{
    struct outgoing_message *message = malloc(sizeof *message + LWS_PRE + OUTBOX_CLOSE_BYTES + len);
    if (message != NULL)
        *message = (struct outgoing_message){.kind = kind, .len = len};
    return message;
}

bool client_outbox_add(struct client_outbox *outbox, enum outgoing_kind kind, struct bytes data)
{
    if (outbox->closing)
        return true;
    if (data.len > OUTBOX_BYTES_MAX - outbox->bytes)
        return false;
    struct outgoing_message *message = outgoing_message_new(kind, data.len);
    if (message == NULL)
        return false;
    if (data.len > 0)
        memcpy(message->data + LWS_PRE, data.data, data.len);
    if (outbox->last != NULL)
        outbox->last->next = message;
    else
        outbox->first = message;
    outbox->last = message;
    outbox->bytes += data.len;
    return true;
}

void client_outbox_add_close(struct client_outbox *outbox, uint16_t code)
{
    uint8_t data[2] = {(uint8_t)(code >> 8), (uint8_t)(code & 0xFF)};
    if (client_outbox_add(outbox, OUTGOING_CLOSE, bytes_of(data, sizeof data)))
        outbox->closing = true;
}

struct outgoing_message *client_outbox_take(struct client_outbox *outbox)
{
    struct outgoing_message *message = outbox->first;
    if (message == NULL)
        return NULL;
    outbox->first = message->next;
    if (outbox->first == NULL)
        outbox->last = NULL;
    outbox->bytes -= message->len;
    return message;
}

bool client_outbox_is_empty(const struct client_outbox *outbox)
{
    return outbox->first == NULL;
}

void client_outbox_clear(struct client_outbox *outbox)
{
    struct outgoing_message *message = NULL;
    while ((message = client_outbox_take(outbox)) != NULL)
        free(message);
    outbox->closing = false;
}
