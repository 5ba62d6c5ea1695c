#include "server/control/waits.h"

#include "codec/wire/json_writer.h"
#include "server/control/control_state.h"

enum { BODY_BYTES_MAX = 256 };

void wait_answer(struct mock_http *http, uint64_t found, uint64_t wanted)
{
    struct buffer body;
    buffer_init(&body, BODY_BYTES_MAX);
    struct json_writer json = json_writer_of(&body);
    json_open(&json, NULL, '{');
    json_u64(&json, "found", found);
    json_bool(&json, "met", found >= wanted);
    json_close(&json, '}');
    (void)buffer_append(&body, bytes_of_text("\n"));
    mock_http_answer(http, 200, "Content-Type: application/json\r\nCache-Control: no-store\r\n",
                     buffer_bytes(&body), false);
    buffer_free(&body);
}

static void answer(struct waits *waits, struct wait *wait)
{
    struct mock_http *http = wait->http;
    wait->http = NULL;
    waits->used--;
    wait_answer(http, wait->found, wait->wanted);
}

static void timer_set(struct waits *waits);

static void on_timer(uv_timer_t *timer)
{
    struct waits *waits = timer->data;
    uint64_t now_ms = uv_now(waits->loop);
    for (size_t n = 0; n < WAITS_MAX; n++)
        if (waits->list[n].http != NULL && waits->list[n].by_ms <= now_ms)
            answer(waits, &waits->list[n]);
    timer_set(waits);
}

static void timer_set(struct waits *waits)
{
    uint64_t by_ms = UINT64_MAX;
    uint64_t now_ms = uv_now(waits->loop);
    for (size_t n = 0; n < WAITS_MAX; n++)
        if (waits->list[n].http != NULL && waits->list[n].by_ms < by_ms)
            by_ms = waits->list[n].by_ms;
    if (by_ms == UINT64_MAX)
        uv_timer_stop(&waits->timer);
    else
        uv_timer_start(&waits->timer, on_timer, by_ms > now_ms ? by_ms - now_ms : 0, 0);
}

void waits_begin(struct waits *waits, uv_loop_t *loop)
{
    waits->loop = loop;
    uv_timer_init(loop, &waits->timer);
    waits->timer.data = waits;
}

void waits_end(struct waits *waits)
{
    if (waits->loop == NULL)
        return;
    for (size_t n = 0; n < WAITS_MAX; n++)
        if (waits->list[n].http != NULL)
            answer(waits, &waits->list[n]);
    uv_close((uv_handle_t *)&waits->timer, NULL);
    waits->loop = NULL;
}

bool waits_add(struct waits *waits, struct mock_http *http, const struct stage *stage,
               const struct find *find, uint64_t found, uint64_t wanted, uint64_t for_ms)
{
    if (waits->loop == NULL || waits->used == WAITS_MAX)
        return false;
    struct wait *place = waits->list;
    while (place->http != NULL)
        place++;
    uv_update_time(waits->loop);
    *place = (struct wait){.http = http,
                           .stage = stage,
                           .find = *find,
                           .wanted = wanted,
                           .found = found,
                           .by_ms = uv_now(waits->loop) + for_ms};
    waits->used++;
    timer_set(waits);
    return true;
}

void waits_entry(struct control *control, const struct stage *stage, const struct ring_entry *entry)
{
    struct waits *waits = &control->waits;
    for (size_t n = 0; waits->used > 0 && n < WAITS_MAX; n++) {
        struct wait *wait = &waits->list[n];
        if (wait->http == NULL || wait->stage != stage || !find_matches(&wait->find, entry))
            continue;
        if (++wait->found >= wait->wanted)
            answer(waits, wait);
    }
}

void waits_drop(struct waits *waits, const struct mock_http *http)
{
    for (size_t n = 0; n < WAITS_MAX; n++) {
        if (waits->list[n].http != http || http == NULL)
            continue;
        waits->list[n].http = NULL;
        waits->used--;
    }
}

void waits_leave(struct waits *waits, const struct stage *stage)
{
    for (size_t n = 0; n < WAITS_MAX; n++)
        if (waits->list[n].http != NULL && waits->list[n].stage == stage)
            answer(waits, &waits->list[n]);
}
