/* What follows from a broken rule is not held against the client a second time. */
#include "codec/wire/ws_frame.h"
#include "conformance/judge/judge_parts.h"

bool judge_broke_off(const struct judge_input *input)
{
    if (input->script_line != 0)
        return true;
    for (size_t i = 0; i < journal_count(input->journal); i++)
        if (journal_at(input->journal, i)->kind == JOURNAL_FAILED)
            return true;
    return false;
}

/* In these steps the mock does as the service does, so an error is its answer to what the client did. */
static bool step_is_service(const char *word)
{
    return strcmp(word, "serve") == 0 || strcmp(word, "accept") == 0;
}

/* A close by which the service says that it was not content; an answer to the client's own is none. */
static bool close_is_objection(const struct journal_entry *entry)
{
    return entry->wire.kind == WIRE_EVENT_CLOSE && entry->wire.code >= WS_CLOSE_PROTOCOL_ERROR &&
           entry->wire.code != WS_CLOSE_NO_CODE;
}

bool judge_mock_objected(const struct judge_input *input)
{
    const struct journal *journal = input->journal;
    bool service = false, client_closed = false;
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        if (entry->kind == JOURNAL_STEP)
            service = step_is_service(entry->label);
        client_closed =
            client_closed || (entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_CLIENT &&
                              entry->wire.kind == WIRE_EVENT_CLOSE);
        bool objection = entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_SERVER &&
                         (strcmp(entry->label, "error") == 0 || strcmp(entry->label, "refusal") == 0 ||
                          (!client_closed && close_is_objection(entry)));
        if (service && objection)
            return true;
    }
    return false;
}

const struct requirement *judge_cause(const struct judge_input *input)
{
    if (!judge_broke_off(input) && !judge_mock_objected(input))
        return NULL;
    return judge_broken_rule(input);
}
