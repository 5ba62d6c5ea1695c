#include "codec/rules/interview/watch.h"

void interview_watch_init(struct interview_watch *watch, const struct interview_profile *profile)
{
    *watch = (struct interview_watch){.profile = profile};
}

void interview_watch_observe(const struct interview_watch *watch, const struct wire_event *event,
                             struct interview_seen *seen)
{
    const bool is_message = event->kind == WIRE_EVENT_TEXT || event->kind == WIRE_EVENT_BINARY;
    *seen = (struct interview_seen){
        .event = event,
        .from_client = is_message && event->direction == WIRE_FROM_CLIENT,
        .from_server = is_message && event->direction == WIRE_FROM_SERVER,
        .is_cut = is_message && event->message_bytes > event->data.len,
        .is_binary = event->kind == WIRE_EVENT_BINARY,
        .ends = event->kind == WIRE_EVENT_CLOSE || event->kind == WIRE_EVENT_END,
    };
    if (is_message && !seen->is_cut)
        interview_message_read(event->data, watch->profile->dialect, &seen->message);
}

static void take_client(struct interview_watch *watch, const struct interview_message *message,
                        uint64_t at_us)
{
    if (message->type == INTERVIEW_MESSAGE_AUDIO_CHUNK) {
        watch->chunks++;
        watch->samples += interview_sample_count(message->audio);
        watch->chunk_us = at_us;
    } else if (message->type == INTERVIEW_MESSAGE_COMMIT_AUDIO) {
        watch->commits++;
        watch->commit_us = at_us;
        watch->chunks = 0;
        watch->cut = 0;
        watch->samples = 0;
        watch->cancelled = false;
    } else if (message->type == INTERVIEW_MESSAGE_CANCEL_RESPONSE && watch->replying) {
        watch->cancelled = true;
        watch->cancel_us = at_us;
    }
}

static void take_server(struct interview_watch *watch, const struct interview_message *message)
{
    if (message->type == INTERVIEW_MESSAGE_STATUS && message->has_status)
        watch->connected = watch->connected || message->status == INTERVIEW_STATUS_CONNECTED;
    if (message->type != INTERVIEW_MESSAGE_AI_AUDIO_CHUNK)
        return;
    watch->replying = !message->is_final;
    watch->cancelled = watch->cancelled && !message->is_final;
}

void interview_watch_settle(struct interview_watch *watch, struct interview_seen *seen)
{
    const struct wire_event *event = seen->event;
    if (event->kind == WIRE_EVENT_RESPONSE && event->code == 101 && !watch->open) {
        watch->open = true;
        watch->open_us = event->at_us;
    }
    if (seen->from_server && !seen->is_cut)
        take_server(watch, &seen->message);
    if (seen->from_client && !seen->is_cut)
        take_client(watch, &seen->message, event->at_us);
    watch->cut += seen->from_client && seen->is_cut;
    watch->over = watch->over || seen->ends;
    interview_message_free(&seen->message);
}
