/* What the next sessions of a stage do. */
#include <stdio.h>

#include "server/control/control_state.h"

static const char *const NONE[] = {NULL};

static void quirks_answer(struct exchange *exchange)
{
    json_open(&exchange->json, NULL, '{');
    quirks_write(&exchange->json, "quirks", exchange->stage->options.engine.session_class->quirks,
                 &exchange->stage->quirks);
    json_close(&exchange->json, '}');
}

void handle_quirks(struct exchange *exchange)
{
    if (exchange_parameters(exchange, NONE))
        quirks_answer(exchange);
}

void handle_quirks_set(struct exchange *exchange)
{
    static const char *const names[] = {"quirks", NULL};
    struct quirks quirks = exchange->stage->quirks;
    bool wrong = false;
    cJSON *body = exchange_body(exchange, names);
    if (body == NULL)
        return;
    const char *text = exchange_text(exchange, body, "quirks", &wrong);
    if (!wrong && text == NULL)
        exchange_error(exchange, 400, "expected \"quirks\"");
    else if (!wrong && body_quirks(exchange, text, &quirks)) {
        stage_set_quirks(exchange->stage, &quirks);
        quirks_answer(exchange);
    }
    cJSON_Delete(body);
}

void handle_quirks_reset(struct exchange *exchange)
{
    if (!exchange_parameters(exchange, NONE))
        return;
    stage_reset_quirks(exchange->stage);
    quirks_answer(exchange);
}

static void fault_answer(struct exchange *exchange)
{
    json_open(&exchange->json, NULL, '{');
    json_text(&exchange->json, "fault", exchange->stage->fault[0] == '\0' ? NULL : exchange->stage->fault);
    json_close(&exchange->json, '}');
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
    if (exchange->stage->options.engine.script != NULL) {
        exchange_error(exchange, 409, "a script runs here: it says what sessions do");
        return;
    }
    cJSON *body = exchange_body(exchange, names);
    if (body == NULL)
        return;
    const char *text = exchange_text(exchange, body, "fault", &wrong);
    if (!wrong && text == NULL)
        exchange_error(exchange, 400, "expected \"fault\"");
    struct script *script = wrong || text == NULL ? NULL : body_fault(exchange, text);
    if (script != NULL && stage_set_fault(exchange->stage, text, script)) {
        fault_answer(exchange);
    } else if (script != NULL) {
        script_free(script);
        exchange_error(exchange, 500, "there is no memory");
    }
    cJSON_Delete(body);
}

void handle_faults_reset(struct exchange *exchange)
{
    if (!exchange_parameters(exchange, NONE))
        return;
    stage_set_fault(exchange->stage, "", NULL);
    fault_answer(exchange);
}
