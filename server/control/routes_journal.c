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

/* The answer has to see the whole journal, which may be more than a round of the loop has time for: `walked`
 * writes the rest of it then. */
static void walk_ask(struct exchange *exchange, const struct find *find, struct json_writer *json,
                     exchange_walked *walked)
{
    walk_begin(&exchange->walk, &exchange->stage->ring, find);
    exchange->walk_json = json;
    exchange->walked = walked;
}

/* What every answer about the journal says besides: what is not there any more. */
static void walk_write(struct json_writer *json, const struct walk *walk)
{
    json_u64(json, "found", walk->found);
    json_u64(json, "kept", walk->kept - walk->missed);
    json_u64(json, "lost", walk->lost + walk->missed);
    json_u64(json, "next", walk->next);
    json_close(json, '}');
}

static void journal_walked(struct exchange *exchange)
{
    json_close(&exchange->json, ']');
    walk_write(&exchange->json, &exchange->walk);
}

void handle_journal(struct exchange *exchange)
{
    struct find find;
    if (!stage_find(exchange, FIND_NAMES, &find))
        return;
    json_open(&exchange->json, NULL, '{');
    json_open(&exchange->json, "entries", '[');
    walk_ask(exchange, &find, &exchange->json, journal_walked);
}

static void count_walked(struct exchange *exchange)
{
    json_open(&exchange->json, NULL, '{');
    walk_write(&exchange->json, &exchange->walk);
}

void handle_journal_count(struct exchange *exchange)
{
    struct find find;
    if (stage_find(exchange, FIND_NAMES, &find))
        walk_ask(exchange, &find, NULL, count_walked);
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

static void wait_walked(struct exchange *exchange)
{
    struct control *control = exchange->control;
    struct walk *walk = &exchange->walk;
    walk_extend(walk);
    (void)walk_go_on(walk, NULL, NULL, NULL); /* few: from now on each is looked at when it comes */
    if (walk->found >= exchange->wanted || exchange->for_ms == 0 || control->draining) {
        wait_answer(exchange->http, walk->found, exchange->wanted);
    } else if (!waits_add(&control->waits, exchange->http, exchange->stage, &walk->find, walk->found,
                          exchange->wanted, exchange->for_ms)) {
        exchange_error(exchange, 503, "%d requests wait already", WAITS_MAX);
        return;
    }
    exchange->later = true;
}

void handle_journal_wait(struct exchange *exchange)
{
    struct find find;
    if (stage_find(exchange, WAIT_NAMES, &find) && wait_read(exchange, &exchange->wanted, &exchange->for_ms))
        walk_ask(exchange, &find, NULL, wait_walked);
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
