/* OJ-END-01 and OJ-CAN-01: the control messages. 000 EndInteractionMessage, CancelInteractionMessage. */
#include "codec/rules/ojin/rule_set.h"
#include "codec/wire/json.h"

enum { SHOWN_MAX = 100 };

static const struct {
    enum ojin_message_type type;
    const char *name;
    const char *letters; /* of its name, in lower case */
    const char *expected;
} CONTROLS[] = {
    {OJIN_MESSAGE_END_INTERACTION, "endInteraction", "endinteraction",
     "{\"type\": \"endInteraction\", \"payload\": {\"timestamp\": integer milliseconds}}"},
    {OJIN_MESSAGE_CANCEL_INTERACTION, "cancelInteraction", "cancelinteraction",
     "{\"type\": \"cancelInteraction\", \"payload\": {}}, with a timestamp absent, null or integer "
     "milliseconds"},
};

/* Equal but for case and everything that is no letter. */
static bool is_misspelling(const char *type, const char *letters)
{
    for (; *type != '\0'; type++) {
        char c = *type;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c + ('a' - 'A'));
        if (c < 'a' || c > 'z')
            continue;
        if (c != *letters)
            return false;
        letters++;
    }
    return *letters == '\0';
}

static bool type_is_misspelt(struct bytes text, const char *letters)
{
    cJSON *json = NULL;
    if (json_parse_last(text, &json).status != WIRE_OK)
        return false;
    const cJSON *type = json_member(json, "type");
    bool misspelt = cJSON_IsString(type) && is_misspelling(type->valuestring, letters);
    cJSON_Delete(json);
    return misspelt;
}

static bool bytes_contain_text(struct bytes bytes, const char *text)
{
    const size_t len = strlen(text);
    for (size_t i = 0; len <= bytes.len && i <= bytes.len - len; i++) {
        if (memcmp(bytes.data + i, text, len) == 0)
            return true;
    }
    return false;
}

static void control_broken(struct rule_set *rules, enum rule rule, const struct observed *seen,
                           const char *expected, const char *what)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, expected);
    text_add(&draft.actual, what);
    text_add(&draft.actual, " in ");
    finding_add_sent(rules, &draft.actual, seen->event->data, SHOWN_MAX);
    finding_end(rules, rule, &draft, seen->event->at_us, false);
}

static void describe_payload(char *out, size_t capacity, const struct observed *seen)
{
    struct text text = text_of(out, capacity);
    finding_add_fault(&text, seen->event->data, &seen->message.error);
}

static void note_json(struct rule_set *rules, enum rule rule, const struct observed *seen, const char *what)
{
    struct finding_draft draft;
    finding_begin(&draft);
    text_add(&draft.expected, "JSON that every reader reads alike");
    text_add(&draft.actual, what);
    finding_end(rules, rule, &draft, seen->event->at_us, true);
}

/* A message that may be meant for this: what it says is not known, so it is neither kept nor broken. */
static void note_unreadable(struct rule_set *rules, enum rule rule, const struct observed *seen,
                            const char *name)
{
    char what[FINDING_TEXT_MAX];
    if (!bytes_contain_text(seen->event->data, name))
        return;
    describe_payload(what, sizeof what, seen);
    note_json(rules, rule, seen, what);
}

/*
 * Milliseconds are told from other units by the clock of the session. A number that is of no unit of now
 * (zero, a clock that began with the program) is an integer in milliseconds for all that the wire shows.
 */
static enum input_clock clock_of(const struct rule_set *rules, const struct observed *seen)
{
    const int64_t timestamp = seen->message.timestamp_ms;
    if (!seen->message.has_timestamp || timestamp < 0)
        return INPUT_CLOCK_OTHER;
    return input_clock_of((uint64_t)timestamp, rules->context.epoch_ms + seen->event->at_us / 1000);
}

/* Broken when the timestamp is in another unit; false when it is not. A client whose audio has a wrong
 * timestamp, too, in that session has one wrong clock: that is OJ-IN-02's. */
static bool unit_is_wrong(struct rule_set *rules, enum rule rule, const struct observed *seen,
                          const char *expected)
{
    const enum input_clock clock = clock_of(rules, seen);
    const char *sentence = input_clock_sentence(clock);
    if (sentence[0] == '\0' || rules->book.records[RULE_IN_02].verdict == RULE_BROKEN)
        return false;
    char what[FINDING_TEXT_MAX];
    struct text text = text_of(what, sizeof what);
    text_add(&text, "timestamp ");
    text_add_u64(&text, (uint64_t)seen->message.timestamp_ms);
    text_add(&text, sentence);
    control_broken(rules, rule, seen, expected, what);
    return true;
}

void rule_control(struct rule_set *rules, enum rule rule, const struct observed *seen)
{
    size_t n = rule == RULE_END_01 ? 0 : 1;
    if (!seen->client_message || !seen->is_text)
        return;
    const struct ojin_message *message = &seen->message;
    if (message->type == CONTROLS[n].type && message->error.status == WIRE_OK) {
        if (unit_is_wrong(rules, rule, seen, CONTROLS[n].expected))
            return;
        rule_kept(rules, rule);
        if (json_repeats(seen->event->data))
            note_json(rules, rule, seen, "a member that comes twice in an object: the last one counts here");
    } else if (message->type == CONTROLS[n].type) {
        char what[FINDING_TEXT_MAX];
        describe_payload(what, sizeof what, seen);
        control_broken(rules, rule, seen, CONTROLS[n].expected, what);
    } else if (message->type == OJIN_MESSAGE_OTHER &&
               type_is_misspelt(seen->event->data, CONTROLS[n].letters)) {
        control_broken(rules, rule, seen, CONTROLS[n].expected, "type is misspelt");
    } else if (message->type == OJIN_MESSAGE_UNREADABLE) {
        note_unreadable(rules, rule, seen, CONTROLS[n].name);
    }
}
