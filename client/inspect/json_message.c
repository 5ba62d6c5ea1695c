#include "client/inspect/json_message.h"

enum { FAULT_SENTENCE_MAX = 256 };

/* In place of a long string, such as sound in base64, how long it is. */
static bool shorten_members(cJSON *parent)
{
    for (cJSON *item = parent->child, *next = NULL; item != NULL; item = next) {
        next = item->next;
        const size_t len = cJSON_IsString(item) ? strlen(item->valuestring) : 0;
        if (len <= INSPECT_BRIEF_MAX)
            continue;
        cJSON *length = cJSON_CreateObject();
        if (length == NULL || cJSON_AddNumberToObject(length, "characters", (double)len) == NULL) {
            cJSON_Delete(length);
            return false;
        }
        /* The name goes over to the member that takes its place. */
        length->string = item->string;
        item->string = NULL;
        if (!cJSON_ReplaceItemViaPointer(parent, item, length))
            return false;
    }
    return true;
}

/* Members of the message and, one level down, of its objects and arrays: no message has payloads deeper. */
static bool shorten(cJSON *json)
{
    bool good = shorten_members(json);
    for (cJSON *item = json->child; good && item != NULL; item = item->next)
        good = shorten_members(item);
    return good;
}

static void describe_content(struct description *description, const struct inspect_entry *entry,
                             json_message_judge *judge)
{
    cJSON *json = NULL;
    const struct wire_error error =
        entry->is_text ? json_parse(entry->data, &json) : (struct wire_error){.status = WIRE_OK};
    const cJSON *type = json_member(json, "type");
    if (cJSON_IsString(type))
        describe_string(description, "type", type->valuestring);
    describe_error(description, error);
    if (json != NULL && judge != NULL)
        judge(description, entry->data);
    if (json != NULL && description->with_data) {
        describe_json(description, "json", entry->data);
        cJSON_Delete(json);
    } else if (json != NULL) {
        description->failed = description->failed || !shorten(json);
        describe_item(description, "json", json);
    }
    if (!entry->is_text || error.status != WIRE_OK)
        describe_base64(description, "base64", entry->data);
    else if (description->with_data)
        describe_text(description, "text", entry->data);
}

void json_message_describe(struct description *description, const char *family,
                           const struct inspect_entry *entry, json_message_judge *judge)
{
    describe_string(description, "family", family);
    describe_string(description, "kind", entry->is_text ? "text" : "binary");
    describe_u64(description, "bytes", entry->bytes);
    if (entry->bytes > entry->data.len)
        describe_bool(description, "whole", false);
    else
        describe_content(description, entry, judge);
}

void json_message_describe_audio(struct description *description, struct bytes audio, size_t sample_bytes)
{
    struct description part = description_new(false);
    describe_u64(&part, "samples", audio.len / sample_bytes);
    describe_span(&part, audio);
    describe_part(description, "audio", &part);
}

void json_message_describe_faults(struct description *description, const struct json_faults *faults)
{
    cJSON *list = faults->count == 0 ? NULL : cJSON_CreateArray();
    for (size_t i = 0; i < faults->count && i < JSON_FAULTS_MAX; i++) {
        char sentence[FAULT_SENTENCE_MAX];
        struct text text = text_of(sentence, sizeof sentence);
        json_fault_write(&text, &faults->list[i]);
        cJSON *item = cJSON_CreateString(sentence);
        if (item == NULL || !cJSON_AddItemToArray(list, item)) {
            cJSON_Delete(item);
            description->failed = true;
        }
    }
    if (faults->count > 0) {
        describe_item(description, "faults", list);
        description->good = false;
    }
}

enum inspect_fit json_message_fit(bool has_type, const struct json_faults *faults)
{
    if (!has_type)
        return INSPECT_FITS_NOT;
    return faults->count > 0 ? INSPECT_FITS_TYPE : INSPECT_FITS;
}

bool json_message_has_kind(enum inspect_kind kind)
{
    return kind == INSPECT_AUTO || kind == INSPECT_TEXT;
}

struct inspect_entry json_message_entry(struct bytes message)
{
    return (struct inspect_entry){.data = message, .bytes = message.len, .is_text = true};
}
