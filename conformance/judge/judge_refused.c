/* Did the mock refuse the client, and did the client say so? */
#include <string.h>

#include "codec/wire/json.h"
#include "conformance/judge/judge_parts.h"

static bool is_one_of(const char *label, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(label, list[i]) == 0)
            return true;
    return false;
}

/* A step that ends the session. An upgrade that is refused or ignored shows by other entries. */
static bool step_refuses(const struct journal_entry *entry)
{
    static const char *const STEPS[] = {"close", "reset", "drop", "half-close", "raw"};
    return entry->kind == JOURNAL_STEP && is_one_of(entry->label, STEPS, sizeof STEPS / sizeof STEPS[0]);
}

/* What is no JSON is no message of either protocol: the plain text of a refusal. */
static bool is_plain_text(const struct journal_entry *entry)
{
    return strcmp(entry->label, "text") == 0 && json_check(entry->wire.data).status != WIRE_OK;
}

/* session.closed is a refusal where no client asked for it: from a step. */
static bool message_refuses(const struct journal_entry *entry, bool by_step)
{
    static const char *const MESSAGES[] = {"refusal", "error"};
    return entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_SERVER &&
           (is_one_of(entry->label, MESSAGES, sizeof MESSAGES / sizeof MESSAGES[0]) || is_plain_text(entry) ||
            judge_is_fault_close(entry) || (by_step && strcmp(entry->label, "closed") == 0));
}

bool judge_was_refused(const struct journal *journal)
{
    bool here = false, ignores = false, by_step = false, refused = false;
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        const bool from_client = entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_CLIENT;
        if (entry->kind == JOURNAL_STEP) {
            ignores = strcmp(entry->label, "ignore") == 0;
            by_step = strcmp(entry->label, "send") == 0;
        }
        if (from_client && entry->wire.kind == WIRE_EVENT_REQUEST) {
            here = true;
            refused = false; /* what came before was of another connection */
        }
        refused = refused || (here && (ignores || step_refuses(entry) || message_refuses(entry, by_step)));
        if (from_client && (entry->wire.kind == WIRE_EVENT_CLOSE || entry->wire.kind == WIRE_EVENT_END))
            here = false;
    }
    return refused;
}

/* The code and message of an error in a message, whatever else is odd about it: members of `payload` or
 * `error`. */
struct sent_error {
    const char *code, *message; /* borrowed from `json`; NULL: it has none */
    cJSON *json;
};

static const char *string_member(const cJSON *object, const char *name)
{
    const cJSON *member = json_member(object, name);
    return cJSON_IsString(member) && member->valuestring[0] != '\0' ? member->valuestring : NULL;
}

/* A client may take these in silence: it sends again, or had cancelled. */
static bool may_go_unreported(const char *code)
{
    return strcmp(code, "RATE_LIMITED") == 0 || strcmp(code, "CANCELLED") == 0;
}

/* False: it holds no code, or one that may go unreported. out->json is to be freed by cJSON_Delete in any
 * case. */
static bool sent_error_read(struct bytes text, struct sent_error *out)
{
    *out = (struct sent_error){.json = NULL};
    if (json_parse_last(text, &out->json).status != WIRE_OK)
        return false;
    const cJSON *error = json_member(out->json, "error");
    const cJSON *body = error != NULL ? error : json_member(out->json, "payload");
    out->code = string_member(body, "code");
    out->message = string_member(body, "message");
    return out->code != NULL && !may_go_unreported(out->code);
}

static bool is_reported(const struct judge_input *input, const struct sent_error *error)
{
    for (size_t i = 0; i < input->observation_count; i++) {
        const struct observation *seen = &input->observations[i];
        if (seen->kind == OBSERVED_ERROR &&
            (strstr(seen->code, error->code) != NULL || strstr(seen->text, error->code) != NULL ||
             (error->message != NULL && strstr(seen->text, error->message) != NULL)))
            return true;
    }
    return false;
}

bool judge_reported_errors(const struct judge_input *input)
{
    bool any = false, all = true;
    for (size_t i = 0; i < input->observation_count; i++)
        any = any || input->observations[i].kind == OBSERVED_ERROR;
    for (size_t i = 0; any && all && i < journal_count(input->journal); i++) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        struct sent_error error;
        if (entry->kind != JOURNAL_WIRE || entry->wire.direction != WIRE_FROM_SERVER ||
            entry->wire.kind != WIRE_EVENT_TEXT)
            continue;
        if (sent_error_read(entry->wire.data, &error))
            all = is_reported(input, &error);
        cJSON_Delete(error.json);
    }
    return any && all;
}
