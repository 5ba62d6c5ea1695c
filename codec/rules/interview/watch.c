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

void interview_watch_settle(struct interview_watch *watch, struct interview_seen *seen)
{
    watch->over = watch->over || seen->ends;
    interview_message_free(&seen->message);
}
