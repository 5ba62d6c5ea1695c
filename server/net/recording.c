/* Who records what: the service's recorder as long as connections follow each other; one of its own for a
 * connection that comes while that is taken. Numbers run over all of one service and those beside it. */
#include "server/net/delivery.h"

static void on_entry(void *context, const struct journal_entry *entry)
{
    struct recording *recording = context;
    struct mock_service *service = recording->service;
    const struct recorder_config *config = &service->options.recorder;
    struct journal_entry copy = *entry;
    const struct journal_entry *kept = &copy;
    copy.connection = recording->number;
    copy.sequence = service->numbering->sequence++;
    if (copy.has_frame && copy.wire.data.len > JOURNAL_HEAD_BYTES_MAX)
        copy.wire.data.len = JOURNAL_HEAD_BYTES_MAX; /* as the journal does it, when there is none */
    if (config->journal != NULL && journal_append(config->journal, &copy))
        kept = journal_at(config->journal, journal_count(config->journal) - 1);
    if (config->sink != NULL)
        config->sink(config->context, kept);
}

bool recording_init(struct recording *recording, struct mock_service *service)
{
    struct recorder_config config = service->options.recorder;
    config.journal = NULL; /* entries go there by way of on_entry, with their connection's number */
    config.sink = on_entry;
    config.context = recording;
    *recording = (struct recording){.service = service, .recorder = recorder_new(&config)};
    return recording->recorder != NULL;
}

void recording_free(struct recording *recording)
{
    if (recording->recorder != NULL)
        recorder_free(recording->recorder);
    recording->recorder = NULL;
}

bool recording_begin(struct connection *connection, uint64_t now_us)
{
    struct mock_service *service = connection->service;
    if (connection->recording != NULL)
        return true;
    if (connection->number != 0)
        return false;
    struct recording *recording = &service->recording;
    if (recording->owner != NULL && recording->owner->phase == PHASE_OVER)
        recording_end(recording->owner, now_us); /* nothing of it is missing but the end of its transport */
    if (recording->owner != NULL) {
        recording = &connection->own_recording;
        if (!recording_init(recording, service))
            return false;
    }
    recording->owner = connection;
    recording->number = connection->number = ++service->numbering->connections;
    connection->recording = recording;
    recorder_connection(recording->recorder, now_us);
    return true;
}

void recording_end(struct connection *connection, uint64_t now_us)
{
    struct recording *recording = connection->recording;
    if (recording == NULL)
        return;
    recording->owner = NULL;
    connection->recording = NULL;
    recorder_finish(recording->recorder, now_us);
    if (recording != &connection->own_recording)
        return;
    recorder_join(connection->service->recording.recorder, recording->recorder);
    recording_free(recording);
}

/* Lends a recorder that writes the connection's number, even one that has passed to the next connection. */
static struct recording *recording_lend(struct mock_service *service, const struct connection *connection,
                                        uint32_t *number)
{
    struct recording *recording =
        connection != NULL && connection->recording != NULL ? connection->recording : &service->recording;
    *number = recording->number;
    if (connection != NULL && connection->number != 0)
        recording->number = connection->number;
    return recording;
}

void recording_taken(struct mock_service *service, const struct connection *connection,
                     const struct taken_event *taken)
{
    uint32_t number;
    struct recording *recording = recording_lend(service, connection, &number);
    recorder_taken(recording->recorder, taken);
    recording->number = number;
}

void recording_dropped(struct mock_service *service, const struct connection *connection,
                       const struct action *action)
{
    uint32_t number;
    if (action->by_host)
        return;
    struct recording *recording = recording_lend(service, connection, &number);
    recorder_dropped(recording->recorder, mock_server_now_us(service->server), action);
    recording->number = number;
}

void connection_record_own(struct connection *connection, enum wire_event_kind kind, uint16_t code,
                           struct bytes data)
{
    struct wire_event event = {.at_us = mock_server_now_us(connection->server),
                               .direction = WIRE_FROM_SERVER,
                               .kind = kind,
                               .code = code,
                               .message_bytes = data.len,
                               .data = data};
    if (connection->recording != NULL)
        recorder_host_event(connection->recording->recorder, &event);
}

void connection_record_end(struct connection *connection, bool reset, uint64_t sent_bytes)
{
    struct wire_event event = {.at_us = mock_server_now_us(connection->server),
                               .direction = WIRE_FROM_SERVER,
                               .kind = WIRE_EVENT_END,
                               .code = reset ? 1 : 0,
                               .fault = true,
                               .message_bytes = sent_bytes};
    if (connection->recording != NULL)
        recorder_host_event(connection->recording->recorder, &event);
}

void delivery_record(struct connection *connection, const struct actions *actions,
                     const struct action *action)
{
    struct recorder *recorder = connection->recording != NULL ? connection->recording->recorder
                                                              : connection->service->recording.recorder;
    recorder_action(recorder, mock_server_now_us(connection->server), actions, action);
}

void delivery_record_dropped(struct connection *connection, const struct action *action)
{
    recording_dropped(connection->service, connection, action);
}

void delivery_record_close(struct connection *connection, uint16_t code)
{
    struct actions *scratch = &connection->server->scratch;
    struct action *action;
    actions_clear(scratch);
    if (actions_add(scratch, ACTION_CLOSE, "close", 0, &action) == NULL)
        return;
    action->code = code;
    action->by_host = true;
    delivery_record(connection, scratch, action);
}
