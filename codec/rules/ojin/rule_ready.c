/* OJ-CON-06: nothing is sent before sessionReady. 001 Troubleshooting; 000 How It Works. */
#include "codec/rules/ojin/rule_set.h"

void rule_ready_first(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    const struct wire_event *event = seen->event;
    if (seen->client_message && !rules->ready && !rules->may_be_ready) {
        struct finding_draft draft;
        finding_begin(&draft);
        text_add(&draft.expected, "no message before the server's sessionReady");
        text_add(&draft.actual,
                 event->kind == WIRE_EVENT_TEXT ? "a text message of " : "a binary message of ");
        text_add_u64(&draft.actual, event->message_bytes);
        text_add(&draft.actual, " bytes");
        finding_end(rules, rule, &draft, event->at_us, false);
    } else if (seen->client_message && rules->ready) { /* one that never sends anything has not waited */
        rule_kept(rules, rule);
    }
}
