#include "client/tests/simulation.h"

#include <stdlib.h>

void *simulation_checked(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

struct simulation simulation_with(const struct client_class *class, const struct profile *profile,
                                  void *client)
{
    return (struct simulation){.class = class,
                               .profile = profile,
                               .client = simulation_checked(client),
                               .actions = simulation_checked(calloc(1, sizeof(struct client_actions)))};
}

void simulation_end(struct simulation *simulation)
{
    for (size_t i = 0; i < simulation->count; i++)
        free(simulation->records[i].data);
    free(simulation->records);
    free(simulation->actions);
    simulation->class->destroy(simulation->client);
}

void simulation_record(struct simulation *simulation)
{
    for (size_t i = 0; i < simulation->actions->count; i++) {
        const struct client_action *action = &simulation->actions->list[i];
        if (simulation->count == simulation->capacity) {
            simulation->capacity = simulation->capacity == 0 ? 256 : simulation->capacity * 2;
            simulation->records = simulation_checked(
                realloc(simulation->records, simulation->capacity * sizeof *simulation->records));
        }
        struct recorded *record = &simulation->records[simulation->count++];
        *record = (struct recorded){.at_us = simulation->now_us,
                                    .kind = action->kind,
                                    .code = action->code,
                                    .observation = action->observation,
                                    .len = action->data.len,
                                    .has_samples = action->samples != NULL};
        record->data = simulation_checked(malloc(action->data.len + 1));
        if (action->data.len > 0)
            memcpy(record->data, action->data.data, action->data.len);
        if (action->samples != NULL)
            memcpy(record->samples, action->samples, sizeof record->samples);
    }
    simulation->actions->count = 0;
}

/* Told of its pings as a server would answer them, at once. */
static void answer_pings(struct simulation *simulation, size_t from)
{
    for (size_t i = from; i < simulation->count && !simulation->no_pongs; i++)
        if (simulation->records[i].kind == CLIENT_SEND_PING)
            simulation_event(simulation, CLIENT_PONG, 0, (struct bytes){0});
}

void simulation_event(struct simulation *simulation, enum client_event_kind kind, uint16_t code,
                      struct bytes data)
{
    /* An exact copy on the heap, gone after the call, as a host's would be. */
    uint8_t *copy = simulation_checked(malloc(data.len > 0 ? data.len : 1));
    if (data.len > 0)
        memcpy(copy, data.data, data.len);
    struct client_event event = {.kind = kind,
                                 .now_us = simulation->now_us,
                                 .code = code,
                                 .data = bytes_of(copy, data.len),
                                 .unsent = simulation->unsent,
                                 .taken_us = simulation->taken_us};
    size_t from = simulation->count;
    simulation->class->step(simulation->client, &event, simulation->actions);
    free(copy);
    simulation_record(simulation);
    answer_pings(simulation, from);
}

void simulation_run(struct simulation *simulation, uint64_t until_us)
{
    for (;;) {
        uint64_t due_us = simulation->class->deadline_us(simulation->client);
        if (due_us > until_us)
            break;
        if (due_us > simulation->now_us)
            simulation->now_us = due_us;
        simulation_event(simulation, CLIENT_TICK, 0, (struct bytes){0});
    }
    simulation->now_us = until_us;
    simulation_event(simulation, CLIENT_TICK, 0, (struct bytes){0});
}

void simulation_text(struct simulation *simulation, const char *text)
{
    simulation_event(simulation, CLIENT_TEXT, 0, bytes_of_text(text));
}

size_t count_kind(const struct simulation *simulation, enum client_action_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < simulation->count; i++)
        count += simulation->records[i].kind == kind;
    return count;
}

bool recorded_is_seen(const struct recorded *record, enum observation_kind kind)
{
    return record->kind == CLIENT_OBSERVE && record->observation.kind == kind;
}

size_t count_seen(const struct simulation *simulation, enum observation_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < simulation->count; i++)
        count += recorded_is_seen(&simulation->records[i], kind);
    return count;
}

const struct recorded *nth_kind(const struct simulation *simulation, enum client_action_kind kind, size_t n)
{
    for (size_t i = 0; i < simulation->count; i++)
        if (simulation->records[i].kind == kind && n-- == 0)
            return &simulation->records[i];
    return NULL;
}

const struct recorded *nth_seen(const struct simulation *simulation, enum observation_kind kind, size_t n)
{
    for (size_t i = 0; i < simulation->count; i++)
        if (recorded_is_seen(&simulation->records[i], kind) && n-- == 0)
            return &simulation->records[i];
    return NULL;
}
