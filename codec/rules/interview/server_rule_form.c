/* What a server's messages hold: IV-SRV-09. 004 Server to Client Messages. */
#include "codec/rules/interview/classes.h"
#include "codec/rules/interview/server_rule_set.h"

void interview_server_form(struct server_rule_set *rules, enum interview_server_rule rule,
                           const struct interview_seen *seen)
{
    static const char expected[] = "each member of the message, as the document has it";
    if (!seen->from_server || seen->is_cut || !interview_message_is_servers(seen->message.type))
        return;
    if (seen->message.faults.count == 0) {
        finding_book_kept(&rules->book, rule);
        return;
    }
    rules->blur |= INTERVIEW_BLUR_FORM;
    finding_book_broken_by_fault(&rules->book, rule, seen->event->at_us, expected,
                                 &seen->message.faults.list[0]);
}
