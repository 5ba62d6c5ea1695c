#include "server/control/sessions.h"

#include <stdlib.h>

#include "codec/wire/http_head.h"
#include "codec/wire/http_response.h"

enum { SESSIONS_SETTLE_EVERY = 64, SHOWN_HEAD_BYTES_MAX = 4 * HTTP_HEAD_BYTES_MAX };

static void audio_drop(struct session_list *list, struct session_record *record)
{
    list->audio_bytes -= record->audio.len;
    buffer_free(&record->audio);
    buffer_init(&record->audio, SESSION_AUDIO_BYTES_MAX);
}

static void record_free(struct session_list *list, struct session_record *record)
{
    audio_drop(list, record);
    if (list->quick[record->number % SESSIONS_QUICK] == record)
        list->quick[record->number % SESSIONS_QUICK] = NULL;
    free(record);
}

void session_list_free(struct session_list *list)
{
    while (list->first != NULL) {
        struct session_record *record = list->first;
        list->first = record->next;
        record_free(list, record);
    }
    *list = (struct session_list){0};
}

/* Those that are over, but for the newest `kept` of them. */
static void forget(struct session_list *list, size_t kept)
{
    size_t seen = 0;
    struct session_record **link = &list->first;
    while (*link != NULL) {
        struct session_record *record = *link;
        if (!record->is_over || seen++ < kept) {
            link = &record->next;
            continue;
        }
        *link = record->next;
        list->over_count--;
        record_free(list, record);
    }
}

void session_list_clear(struct session_list *list)
{
    forget(list, 0);
}

static struct session_record *find(struct session_list *list, uint32_t number)
{
    struct session_record **quick = &list->quick[number % SESSIONS_QUICK];
    if (*quick != NULL && (*quick)->number == number)
        return *quick;
    struct session_record *record = list->first;
    while (record != NULL && record->number > number)
        record = record->next;
    if (record == NULL || record->number != number)
        return NULL;
    *quick = record;
    return record;
}

const struct session_record *session_list_find(struct session_list *list, uint32_t number)
{
    return find(list, number);
}

static void over(struct session_list *list, struct session_record *record, uint64_t now_us)
{
    if (record->is_over)
        return;
    record->is_over = true;
    record->over_us = now_us;
    list->over_count++;
}

void session_list_settle(struct session_list *list, uint64_t now_us)
{
    struct mock_session session;
    for (struct session_record *record = list->first; record != NULL; record = record->next)
        if (!record->is_over && !mock_service_session(record->service, record->number, &session))
            over(list, record, now_us);
    if (list->over_count > SESSIONS_OVER_MAX)
        forget(list, SESSIONS_OVER_MAX / 2);
}

static void text_copy(char *out, size_t out_max, struct bytes from)
{
    size_t len = from.len < out_max - 1 ? from.len : out_max - 1;
    if (len > 0)
        memcpy(out, from.data, len);
    out[len] = '\0';
}

static void config_read(struct session_record *record, const struct http_head *head)
{
    uint8_t decoded[SESSION_CONFIG_MAX - 1];
    size_t len = 0;
    if (record->class != NULL && session_config_of(record->class, head, decoded, sizeof decoded, &len))
        text_copy(record->config_id, sizeof record->config_id, bytes_of(decoded, len));
}

/* What the request says, but for the key, wherever it stands: all of it is read from what may be shown. */
static void request_read(struct session_record *record, const struct journal_entry *entry)
{
    struct http_head head;
    struct buffer shown;
    buffer_init(&shown, SHOWN_HEAD_BYTES_MAX);
    if (journal_entry_shown(entry, SHOWN_HEAD_BYTES_MAX, &shown) &&
        http_head_parse(buffer_bytes(&shown), &head)) {
        text_copy(record->path, sizeof record->path, head.path);
        config_read(record, &head);
    }
    buffer_free(&shown);
}

static struct session_record *add(struct session_list *list, const struct mock_service *service,
                                  const struct journal_entry *entry)
{
    struct session_record *record = calloc(1, sizeof *record);
    struct mock_session session;
    if (record == NULL)
        return NULL;
    if (++list->added % SESSIONS_SETTLE_EVERY == 0)
        session_list_settle(list, entry->at_us);
    record->service = service;
    record->class = entry->class;
    record->number = entry->connection;
    record->begun_us = entry->at_us;
    buffer_init(&record->audio, SESSION_AUDIO_BYTES_MAX);
    if (mock_service_session(service, entry->connection, &session))
        memcpy(record->peer, session.peer, sizeof record->peer);
    struct session_record **link = &list->first;
    while (*link != NULL && (*link)->number > record->number)
        link = &(*link)->next;
    record->next = *link;
    *link = record;
    return record;
}

/* Makes room for `bytes` more of audio: of the sessions that are over the oldest lose theirs first. */
static bool audio_room(struct session_list *list, size_t bytes)
{
    while (list->audio_bytes + bytes > SESSIONS_AUDIO_BYTES_MAX) {
        struct session_record *oldest = NULL;
        for (struct session_record *record = list->first; record != NULL; record = record->next)
            if (record->is_over && record->audio.len > 0)
                oldest = record;
        if (oldest == NULL)
            return false;
        audio_drop(list, oldest);
    }
    return true;
}

static void input_take(struct session_list *list, struct session_record *record,
                       const struct session_messages *messages, bool binary, struct bytes message)
{
    const size_t len = messages->input_audio(binary, message, NULL, 0);
    if (len == SESSION_NO_INPUT)
        return;
    struct text params = text_of(record->params, sizeof record->params);
    record->has_input = true;
    (void)(message.len > 0 && messages->input_params(binary, message, &params));
    record->audio_bytes += len;
    const size_t left = SESSION_AUDIO_BYTES_MAX - record->audio.len;
    const size_t kept = len < left ? len : left;
    /* Only what follows without a gap is of use. */
    if (record->audio.len + len < record->audio_bytes || kept == 0 || !audio_room(list, kept))
        return;
    const size_t before = record->audio.len;
    (void)messages->input_audio(binary, message, &record->audio, kept);
    list->audio_bytes += record->audio.len - before;
}

/* The first that it was told. */
static void id_take(struct session_record *record, const struct session_messages *messages,
                    struct bytes message)
{
    enum { TELLS_BYTES_MAX = 1024 }; /* longer ones are not looked into */
    if (messages->session_id == NULL || record->session_id[0] != '\0' || message.len > TELLS_BYTES_MAX)
        return;
    struct text id = text_of(record->session_id, sizeof record->session_id);
    (void)messages->session_id(message, &id);
}

static void wire_take(struct session_list *list, struct session_record *record,
                      const struct journal_entry *entry)
{
    const struct wire_event *wire = &entry->wire;
    bool from_client = wire->direction == WIRE_FROM_CLIENT;
    uint64_t bytes = wire->message_bytes > wire->data.len ? wire->message_bytes : wire->data.len;
    counts_add(from_client ? &record->received : &record->sent, entry->label, bytes);
    if (wire->kind == WIRE_EVENT_REQUEST)
        request_read(record, entry);
    if (wire->kind == WIRE_EVENT_RESPONSE && wire->code == HTTP_SWITCHING_PROTOCOLS)
        record->accepted = true;
    else if (wire->kind == WIRE_EVENT_RESPONSE)
        record->refused = wire->code;
    if (wire->kind == WIRE_EVENT_CLOSE)
        *(from_client ? &record->close_from_client : &record->close_from_server) = wire->code;
    const bool binary = wire->kind == WIRE_EVENT_BINARY;
    if ((binary || wire->kind == WIRE_EVENT_TEXT) && from_client && entry->class != NULL)
        input_take(list, record, entry->class->messages, binary, wire->data);
    if (wire->kind == WIRE_EVENT_TEXT && !from_client && entry->class != NULL)
        id_take(record, entry->class->messages, wire->data);
    if (wire->kind == WIRE_EVENT_END && from_client)
        over(list, record, entry->at_us);
}

void session_list_entry(struct session_list *list, const struct mock_service *service,
                        const struct journal_entry *entry)
{
    if (entry->connection == 0 || entry->kind == JOURNAL_TAKEN || entry->kind == JOURNAL_DROPPED)
        return;
    struct session_record *record = find(list, entry->connection);
    bool begins = entry->kind == JOURNAL_WIRE && entry->wire.kind == WIRE_EVENT_REQUEST;
    if (record == NULL && begins)
        record = add(list, service, entry);
    if (record == NULL)
        return;
    if (entry->kind == JOURNAL_FINDING && entry->finding.note)
        record->notes++;
    else if (entry->kind == JOURNAL_FINDING)
        record->findings++;
    else if (entry->kind == JOURNAL_WIRE)
        wire_take(list, record, entry);
}
