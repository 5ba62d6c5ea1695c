#include "server/journal/answered.h"

#include "codec/wire/http_head.h"

enum { CLIENT_ERROR = 400, SERVER_ERROR = 500, SHOWN_MAX = 200 };

static bool error_write(const struct journal_entry *entry, char sentence[ANSWERED_SENTENCE_MAX])
{
    struct text text = text_of(sentence, ANSWERED_SENTENCE_MAX);
    text_add(&text, "answered with ");
    return entry->class != NULL && entry->class->messages->blames_client(entry->wire.data, &text);
}

void answered_refusal(const struct journal_entry *entry, struct text *text)
{
    struct bytes retry_after, body;
    text_add(text, "HTTP ");
    text_add_u64(text, entry->wire.code);
    if (!http_response_split(entry->wire.data, &retry_after, &body))
        return;
    while (body.len > 0 && body.data[body.len - 1] <= ' ')
        body.len--;
    text_add(text, body.len > 0 ? ": " : "");
    text_add_printable(text, body, SHOWN_MAX);
}

static void refusal_write(const struct journal_entry *entry, char sentence[ANSWERED_SENTENCE_MAX])
{
    struct text text = text_of(sentence, ANSWERED_SENTENCE_MAX);
    text_add(&text, "answered with ");
    answered_refusal(entry, &text);
}

bool answered_entry(struct answered *answered, const struct journal_entry *entry,
                    char sentence[ANSWERED_SENTENCE_MAX])
{
    const size_t n = entry->connection % ANSWERED_SLOTS;
    const struct wire_event *wire = &entry->wire;
    if (answered->slots[n].connection != entry->connection) {
        memset(&answered->slots[n], 0, sizeof answered->slots[n]);
        answered->slots[n].connection = entry->connection;
    }
    if (entry->kind == JOURNAL_FINDING && !entry->finding.note)
        answered->slots[n].found = true;
    if (entry->kind == JOURNAL_STEP)
        answered->slots[n].scripted = true;
    if (entry->kind == JOURNAL_TAKEN)
        answered->slots[n].answering =
            strcmp(entry->label, "text") == 0 || strcmp(entry->label, "binary") == 0;
    if (entry->kind != JOURNAL_WIRE)
        return false;
    if (wire->direction == WIRE_FROM_CLIENT) {
        answered->slots[n].found = false;
        return false;
    }
    if (answered->slots[n].found || wire->fault)
        return false;
    if (wire->kind == WIRE_EVENT_TEXT && (answered->slots[n].answering || !answered->slots[n].scripted))
        return error_write(entry, sentence);
    const bool refused = wire->kind == WIRE_EVENT_RESPONSE && entry->by_host && wire->code >= CLIENT_ERROR &&
                         wire->code < SERVER_ERROR;
    if (refused)
        refusal_write(entry, sentence);
    return refused;
}
