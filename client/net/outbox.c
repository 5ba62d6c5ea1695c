#include "client/net/outbox.h"

#include <libwebsockets.h>
#include <stdlib.h>

void outbox_init(struct outbox *outbox)
{
    *outbox = (struct outbox){0};
}

struct outgoing_message *outgoing_message_new(enum outgoing_kind kind, size_t len)
{
    struct outgoing_message *message = malloc(sizeof *message + LWS_PRE + OUTBOX_CLOSE_BYTES + len);
    if (message != NULL)
        *message = (struct outgoing_message){.kind = kind, .len = len};
    return message;
}

bool outbox_add(struct outbox *outbox, enum outgoing_kind kind, struct bytes data)
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

void outbox_add_close(struct outbox *outbox, uint16_t code)
{
    uint8_t data[2] = {(uint8_t)(code >> 8), (uint8_t)(code & 0xFF)};
    if (outbox_add(outbox, OUTGOING_CLOSE, bytes_of(data, sizeof data)))
        outbox->closing = true;
}

struct outgoing_message *outbox_take(struct outbox *outbox)
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

bool outbox_is_empty(const struct outbox *outbox)
{
    return outbox->first == NULL;
}

void outbox_clear(struct outbox *outbox)
{
    struct outgoing_message *message = NULL;
    while ((message = outbox_take(outbox)) != NULL)
        free(message);
    outbox->closing = false;
}
