#include "conformance/memory/message_queue.h"

#include <assert.h>
#include <stdlib.h>

bool message_queue_add(struct message_queue *queue, uint64_t due_us, enum message_to to,
                       enum message_kind kind, uint16_t code, uint32_t connection, struct bytes data)
{
    assert(queue->last == NULL || queue->last->due_us <= due_us);
    struct message *message = malloc(sizeof *message + data.len);
    if (message == NULL)
        return false;
    *message = (struct message){
        .due_us = due_us, .to = to, .kind = kind, .code = code, .connection = connection, .len = data.len};
    if (data.len > 0)
        memcpy(message->data, data.data, data.len);
    if (queue->last == NULL)
        queue->first = message;
    else
        queue->last->next = message;
    queue->last = message;
    return true;
}

uint64_t message_queue_due_us(const struct message_queue *queue)
{
    return queue->first == NULL ? UINT64_MAX : queue->first->due_us;
}

struct message *message_queue_take(struct message_queue *queue)
{
    struct message *message = queue->first;
    if (message == NULL)
        return NULL;
    queue->first = message->next;
    if (queue->first == NULL)
        queue->last = NULL;
    return message;
}

void message_queue_clear(struct message_queue *queue)
{
    for (struct message *message; (message = message_queue_take(queue)) != NULL;)
        free(message);
}
