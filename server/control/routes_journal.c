/* The journal of a stage: found, counted, waited for, emptied. */
#include "server/control/control_state.h"

static const char *const FIND_NAMES[] = {FIND_PARAMETERS, NULL};
static const char *const WAIT_NAMES[] = {FIND_PARAMETERS, "count", "timeout", NULL};

/* Any, or one that the stage has sessions of. */
static bool is_served(const struct stage *stage, const char *family)
{
    bool found = *family == '\0';
    for (size_t n = 0; !found && n < stage->part_count; n++)
        found = strcmp(part_class(&stage->parts[n])->family->name, family) == 0;
    return found;
}

bool stage_find(struct exchange *exchange, const char *const *names, struct find *find)
{
    char error[QUERY_ERROR_MAX];
    if (!exchange_parameters(exchange, names))
        return false;
    if (!find_read(exchange->head, find, error)) {
        exchange_error(exchange, 400, "%s", error);
        return false;
    }
    if (!is_served(exchange->stage, find->family)) {
        exchange_error(exchange, 400, "parameter family: no family \"%s\" is served", find->family);
        return false;
    }
    return true;
}

/* What every answer about the journal says besides: what is not there any more. */
static void ring_write(struct json_writer *json, const struct ring *ring)
{
    json_u64(json, "kept", ring_count(ring));
    json_u64(json, "lost", ring->lost);
    json_u64(json, "next", ring->next);
}

void handle_journal(struct exchange *exchange)
{
    struct find find;
    const struct ring *ring = &exchange->stage->ring;
    struct json_writer *json = &exchange->json;
    uint64_t found = 0, next = ring->next;
    if (!stage_find(exchange, FIND_NAMES, &find))
        return;
    json_open(json, NULL, '{');
    json_open(json, "entries", '[');
    for (size_t n = 0; n < ring_count(ring); n++) {
        const struct ring_entry *entry = ring_at(ring, n);
        if (!find_matches(&find, entry))
            continue;
        if (found++ == find.limit)
            next = entry->sequence; /* where to go on */
        if (found > find.limit)
            continue;
        json_raw(json, NULL, bytes_of(NULL, 0));
        json->failed = json->failed || !ring_entry_write(entry, json->out);
    }
    json_close(json, ']');
    json_u64(json, "found", found);
    json_u64(json, "kept", ring_count(ring));
    json_u64(json, "lost", ring->lost);
    json_u64(json, "next", next);
    json_close(json, '}');
}

void handle_journal_count(struct exchange *exchange)
{
    struct find find;
    if (!stage_find(exchange, FIND_NAMES, &find))
        return;
    json_open(&exchange->json, NULL, '{');
    json_u64(&exchange->json, "found", find_count(&find, &exchange->stage->ring));
    ring_write(&exchange->json, &exchange->stage->ring);
    json_close(&exchange->json, '}');
}

/* count= and timeout=; false: the error is written. */
static bool wait_read(struct exchange *exchange, uint64_t *wanted, uint64_t *for_ms)
{
    char value[QUERY_VALUE_MAX];
    bool wrong = false;
    *wanted = 1;
    *for_ms = WAIT_DEFAULT_MS;
    if ((query_text(exchange->head, "count", value, &wrong) &&
         !query_number(value, RING_ENTRIES_MAX, wanted)) ||
        *wanted == 0 || wrong) {
        exchange_error(exchange, 400, "parameter count: expected a number from 1 to %d", RING_ENTRIES_MAX);
        return false;
    }
    if ((query_text(exchange->head, "timeout", value, &wrong) &&
         !query_duration(value, WAIT_MS_MAX, for_ms)) ||
        wrong) {
        exchange_error(exchange, 400,
                       "parameter timeout: expected a duration such as 500ms or 5s, up to 60s");
        return false;
    }
    return true;
}

void handle_journal_wait(struct exchange *exchange)
{
    struct find find;
    struct control *control = exchange->control;
    uint64_t wanted, for_ms;
    if (!stage_find(exchange, WAIT_NAMES, &find) || !wait_read(exchange, &wanted, &for_ms))
        return;
    uint64_t found = find_count(&find, &exchange->stage->ring);
    if (found >= wanted || for_ms == 0 || control->draining) {
        wait_answer(exchange->http, found, wanted);
    } else if (!waits_add(&control->waits, exchange->http, exchange->stage, &find, found, wanted, for_ms)) {
        exchange_error(exchange, 503, "%d requests wait already", WAITS_MAX);
        return;
    }
    exchange->later = true;
}

void handle_journal_clear(struct exchange *exchange)
{
    static const char *const none[] = {NULL};
    struct ring *ring = &exchange->stage->ring;
    if (!exchange_parameters(exchange, none))
        return;
    json_open(&exchange->json, NULL, '{');
    json_u64(&exchange->json, "removed", ring_count(ring));
    json_u64(&exchange->json, "next", ring->next);
    json_close(&exchange->json, '}');
    ring_clear(ring);
}
