#include "client/ojin/frame_buffer.h"

#include <stdlib.h>

#include "client/ojin/client.h"

void frame_buffer_init(struct frame_buffer *buffer, uint32_t target)
{
    *buffer = (struct frame_buffer){.target = target};
}

static void free_list(struct held_frame *list)
{
    while (list != NULL) {
        struct held_frame *next = list->next;
        free(list);
        list = next;
    }
}

void frame_buffer_free(struct frame_buffer *buffer)
{
    free_list(buffer->first);
    free_list(buffer->taken);
    *buffer = (struct frame_buffer){0};
}

/* The payload's copy at `to`. */
static struct bytes copy_payload(uint8_t *to, struct bytes from)
{
    if (from.len != 0)
        memcpy(to, from.data, from.len);
    return bytes_of(to, from.len);
}

bool frame_buffer_add(struct frame_buffer *buffer, const struct ojin_frame *frame, uint32_t image_crc)
{
    if (buffer->count >= OJIN_CLIENT_BUFFER_FRAMES_MAX)
        return false;
    if (frame->audio.len > OJIN_CLIENT_BUFFER_BYTES_MAX - buffer->bytes ||
        frame->image.len > OJIN_CLIENT_BUFFER_BYTES_MAX - buffer->bytes - frame->audio.len)
        return false;
    size_t bytes = frame->audio.len + frame->image.len;
    struct held_frame *held = malloc(sizeof *held + bytes);
    if (held == NULL)
        return false;
    uint8_t *data = (uint8_t *)(held + 1);
    *held = (struct held_frame){.frame = *frame, .image_crc = image_crc, .bytes = bytes};
    held->frame.audio = copy_payload(data, frame->audio);
    held->frame.image = copy_payload(data + frame->audio.len, frame->image);
    held->frame.trailing = (struct bytes){0};
    if (buffer->last != NULL)
        buffer->last->next = held;
    else
        buffer->first = held;
    buffer->last = held;
    buffer->bytes += bytes;
    buffer->count++;
    if (buffer->count > buffer->high_water)
        buffer->high_water = buffer->count;
    return true;
}

static struct held_frame *unlink_first(struct frame_buffer *buffer)
{
    struct held_frame *held = buffer->first;
    buffer->first = held->next;
    if (buffer->first == NULL)
        buffer->last = NULL;
    buffer->count--;
    buffer->bytes -= held->bytes;
    held->next = NULL;
    return held;
}

static bool may_skip(const struct ojin_frame *frame)
{
    return frame->index == OJIN_INDEX_SILENCE && frame->is_final == 0;
}

const struct held_frame *frame_buffer_take(struct frame_buffer *buffer)
{
    if (buffer->first == NULL)
        return NULL;
    const bool above = buffer->count > buffer->target;
    if (above && buffer->skip_next && may_skip(&buffer->first->frame)) {
        free(unlink_first(buffer));
        buffer->skipped++;
        if (buffer->first == NULL)
            return NULL;
    }
    struct held_frame *held = unlink_first(buffer);
    buffer->skip_next = above && may_skip(&held->frame);
    held->next = buffer->taken;
    buffer->taken = held;
    return held;
}

void frame_buffer_drop(struct frame_buffer *buffer,
                       bool (*drop)(void *context, const struct ojin_frame *frame), void *context)
{
    struct held_frame **link = &buffer->first;
    struct held_frame *last = NULL;
    while (*link != NULL) {
        struct held_frame *held = *link;
        if (drop(context, &held->frame)) {
            *link = held->next;
            buffer->count--;
            buffer->bytes -= held->bytes;
            free(held);
        } else {
            last = held;
            link = &held->next;
        }
    }
    buffer->last = last;
}

void frame_buffer_release(struct frame_buffer *buffer)
{
    free_list(buffer->taken);
    buffer->taken = NULL;
}
