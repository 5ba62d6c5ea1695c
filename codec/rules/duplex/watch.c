#include "codec/rules/duplex/watch.h"

void duplex_watch_init(struct duplex_watch *watch, const struct duplex_profile *profile)
{
    *watch = (struct duplex_watch){.profile = profile, .phase = DUPLEX_PHASE_QUEUED};
}

void duplex_watch_observe(const struct duplex_watch *watch, const struct wire_event *event,
                          const struct duplex_read_options *options, struct duplex_seen *seen)
{
    const bool is_message = event->kind == WIRE_EVENT_TEXT || event->kind == WIRE_EVENT_BINARY;
    (void)watch;
    *seen = (struct duplex_seen){
        .event = event,
        .from_client = is_message && event->direction == WIRE_FROM_CLIENT,
        .from_server = is_message && event->direction == WIRE_FROM_SERVER,
        .is_cut = is_message && event->message_bytes > event->data.len,
        .is_binary = event->kind == WIRE_EVENT_BINARY,
        .ends = event->kind == WIRE_EVENT_CLOSE || event->kind == WIRE_EVENT_END,
    };
    if (is_message && !seen->is_cut)
        duplex_message_read_once(event->data, options, event->ahead, &seen->message);
}

static void enter(struct duplex_watch *watch, enum duplex_phase phase, uint64_t at_us)
{
    if (phase <= watch->phase)
        return;
    watch->phase = phase;
    watch->phase_us = at_us;
}

static void take_output(struct duplex_watch *watch, const struct duplex_message *message, uint64_t at_us)
{
    watch->outputs++;
    if (message->type == DUPLEX_MESSAGE_LISTEN) {
        watch->in_turn = false;
        watch->speaking = false;
        (void)duplex_playout_drop(&watch->playout, at_us);
        return;
    }
    watch->speaking = true;
    watch->in_turn = !message->end_of_turn;
    duplex_playout_add(&watch->playout, at_us, float32_count(message->audio));
}

static void take_error(struct duplex_watch *watch, const struct duplex_message *message, uint64_t at_us)
{
    enum duplex_error_code code;
    if (watch->fatal || !duplex_error_by_name(message->code, &code) || duplex_error_close(code) == 0)
        return;
    watch->fatal = true;
    watch->fatal_us = at_us;
}

static void take_server(struct duplex_watch *watch, const struct duplex_message *message, uint64_t at_us)
{
    switch (message->type) {
    case DUPLEX_MESSAGE_QUEUED:
        watch->queued = true;
        watch->queue_events++;
        break;
    case DUPLEX_MESSAGE_QUEUE_UPDATE:
        watch->queue_events++;
        break;
    case DUPLEX_MESSAGE_QUEUE_DONE:
        if (watch->phase == DUPLEX_PHASE_QUEUED)
            watch->queue_done_us = at_us;
        enter(watch, DUPLEX_PHASE_CONNECTED, at_us);
        break;
    case DUPLEX_MESSAGE_CREATED:
        enter(watch, DUPLEX_PHASE_ACTIVE, at_us);
        break;
    case DUPLEX_MESSAGE_DELTA:
    case DUPLEX_MESSAGE_LISTEN:
        take_output(watch, message, at_us);
        break;
    case DUPLEX_MESSAGE_CLOSED:
        enter(watch, DUPLEX_PHASE_CLOSED, at_us);
        break;
    case DUPLEX_MESSAGE_ERROR:
        take_error(watch, message, at_us);
        break;
    case DUPLEX_MESSAGE_UPDATE:
    case DUPLEX_MESSAGE_APPEND:
    case DUPLEX_MESSAGE_CLOSE:
    case DUPLEX_MESSAGE_OTHER:
    case DUPLEX_MESSAGE_NO_OBJECT:
    case DUPLEX_MESSAGE_UNREADABLE:
    case DUPLEX_MESSAGE_NOT_JSON:
        break;
    }
}

static void take_client(struct duplex_watch *watch, const struct duplex_message *message, uint64_t at_us)
{
    watch->updates += message->type == DUPLEX_MESSAGE_UPDATE;
    watch->appends += message->type == DUPLEX_MESSAGE_APPEND;
    if (message->type == DUPLEX_MESSAGE_CLOSE && !watch->close_sent) {
        watch->close_sent = true;
        watch->close_us = at_us;
    }
}

void duplex_watch_settle(struct duplex_watch *watch, struct duplex_seen *seen)
{
    const struct wire_event *event = seen->event;
    if (event->kind == WIRE_EVENT_RESPONSE && event->code == 101 && !watch->open) {
        watch->open = true;
        watch->open_us = event->at_us;
    }
    if (seen->from_server && !seen->is_cut)
        take_server(watch, &seen->message, event->at_us);
    if (seen->from_client && !seen->is_cut)
        take_client(watch, &seen->message, event->at_us);
    watch->over = watch->over || seen->ends;
    duplex_message_free(&seen->message);
}
