/* What the next sessions of a stage do. */
#include <stdio.h>

#include "server/control/control_state.h"

static const char *const NONE[] = {NULL};

/* Those of a part whose names none of the `before` parts has on. */
static void quirks_add(struct json_writer *json, const struct stage_part *part,
                       const struct stage_part *parts, size_t before)
{
    const struct quirk_kind *kinds = part_class(part)->quirks;
    for (size_t row = 0; kinds[row].name != NULL; row++) {
        bool is_there = part->quirks.value[row] == 0;
        for (size_t n = 0; n < before && !is_there; n++) {
            const int other = quirk_row(part_class(&parts[n])->quirks, bytes_of_text(kinds[row].name));
            is_there = other >= 0 && parts[n].quirks.value[other] != 0;
        }
        if (!is_there)
            json_u64(json, kinds[row].name, part->quirks.value[row]);
    }
}

/* All that are on, and whose they are; of a name that several families have the value of the first. */
static void quirks_answer(struct exchange *exchange)
{
    const struct stage *stage = exchange->stage;
    struct json_writer *json = &exchange->json;
    json_open(json, NULL, '{');
    json_open(json, "quirks", '{');
    for (size_t n = 0; n < stage->part_count; n++)
        quirks_add(json, &stage->parts[n], stage->parts, n);
    json_close(json, '}');
    json_open(json, "families", '{');
    for (size_t n = 0; n < stage->part_count; n++)
        quirks_write(json, part_class(&stage->parts[n])->family->name, part_class(&stage->parts[n])->quirks,
                     &stage->parts[n].quirks);
    json_close(json, '}');
    json_close(json, '}');
}

void handle_quirks(struct exchange *exchange)
{
    if (exchange_parameters(exchange, NONE))
        quirks_answer(exchange);
}

void handle_quirks_set(struct exchange *exchange)
{
    static const char *const names[] = {"quirks", NULL};
    bool wrong = false;
    cJSON *body = exchange_body(exchange, names);
    if (body == NULL)
        return;
    const char *text = exchange_text(exchange, body, "quirks", &wrong);
    if (!wrong && text == NULL)
        exchange_error(exchange, 400, "expected \"quirks\"");
    else if (!wrong && body_quirks_of_all(exchange, text))
        quirks_answer(exchange);
    cJSON_Delete(body);
}

void handle_quirks_reset(struct exchange *exchange)
{
    if (!exchange_parameters(exchange, NONE))
        return;
    for (size_t n = 0; n < exchange->stage->part_count; n++)
        part_reset_quirks(&exchange->stage->parts[n]);
    quirks_answer(exchange);
}

/* The first that there is, and whose each is. */
static void fault_answer(struct exchange *exchange)
{
    const struct stage *stage = exchange->stage;
    struct json_writer *json = &exchange->json;
    size_t first = 0;
    while (first + 1 < stage->part_count && stage->parts[first].fault[0] == '\0')
        first++;
    json_open(json, NULL, '{');
    json_text(json, "fault", stage->parts[first].fault[0] == '\0' ? NULL : stage->parts[first].fault);
    json_open(json, "families", '{');
    for (size_t n = 0; n < stage->part_count; n++)
        json_text(json, part_class(&stage->parts[n])->family->name,
                  stage->parts[n].fault[0] == '\0' ? NULL : stage->parts[n].fault);
    json_close(json, '}');
    json_close(json, '}');
}

void handle_faults(struct exchange *exchange)
{
    if (exchange_parameters(exchange, NONE))
        fault_answer(exchange);
}

void handle_faults_set(struct exchange *exchange)
{
    static const char *const names[] = {"fault", NULL};
    bool wrong = false;
    cJSON *body = exchange_body(exchange, names);
    if (body == NULL)
        return;
    const char *text = exchange_text(exchange, body, "fault", &wrong);
    if (!wrong && text == NULL)
        exchange_error(exchange, 400, "expected \"fault\"");
    else if (!wrong && body_fault_of_all(exchange, text))
        fault_answer(exchange);
    cJSON_Delete(body);
}

void handle_faults_reset(struct exchange *exchange)
{
    if (!exchange_parameters(exchange, NONE))
        return;
    for (size_t n = 0; n < exchange->stage->part_count; n++)
        part_set_fault(&exchange->stage->parts[n], "", NULL);
    fault_answer(exchange);
}
