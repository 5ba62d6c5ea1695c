/*
 * Any bytes as a script and as a case: never a crash; either an error of the form PATH:LINE:COLUMN: expected
 * X, found Y, or a script that the engine can run, with a client that says a little and goes. A mock plays
 * every right case that is no case about a server.
 */
#include <stdlib.h>

#include "conformance/script/case_script.h"
#include "conformance/script/format.h"
#include "conformance/tests/fake_case.h"
#include "server/engine/engine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { STEPS_MAX = 200, FORMATTED_BYTES_MAX = 16 * 1024 * 1024 };

static void check_form(const char *error)
{
    const char *at = error + strcspn(error, ":");
    for (int i = 0; i < 2; i++) {
        size_t digits = *at == ':' ? strspn(at + 1, "0123456789") : 0;
        if (digits == 0)
            abort();
        at += 1 + digits;
    }
    if (strncmp(at, ": expected ", 11) != 0 || strstr(at, ", found ") == NULL)
        abort();
}

static void feed(struct engine *engine, enum engine_event_kind kind, const char *text, uint64_t now_us,
                 struct actions *actions)
{
    const struct engine_event event = {.kind = kind, .now_us = now_us, .data = bytes_of_text(text)};
    actions_clear(actions);
    engine_step(engine, &event, actions);
}

static void run(const struct script *script, struct script *live)
{
    struct actions actions;
    const struct engine_config config = {.session_class = &FAKE_SESSION_CLASS, .script = script};
    struct engine *engine = engine_new(&config);
    uint64_t now_us = 0;
    if (engine == NULL)
        abort();
    actions_init(&actions);
    for (int i = 0; i < STEPS_MAX && !engine_is_done(engine); i++) {
        uint64_t due = engine_deadline_us(engine);
        if (live != NULL && engine_inject(engine, live))
            live = NULL;
        feed(engine, ENGINE_TICK, "", now_us, &actions);
        if (engine_wants_connection(engine)) {
            feed(engine, ENGINE_REQUEST, "GET / HTTP/1.1\r\n\r\n", now_us, &actions);
            feed(engine, ENGINE_OPENED, "", now_us, &actions);
            feed(engine, ENGINE_BINARY, "speech", now_us, &actions);
        } else if (i % 16 == 15) {
            feed(engine, i % 32 == 31 ? ENGINE_GONE : ENGINE_TEXT, "cancel", now_us, &actions);
        }
        now_us = due > now_us && due != UINT64_MAX ? due : now_us + 1000;
    }
    engine_free(engine);
    script_free(live);
    actions_free(&actions);
}

/* The same bytes as steps alone: as a whole session, and as steps from outside for a running one. */
static void try_steps(struct bytes text, bool injected)
{
    char error[SCRIPT_ERROR_MAX];
    struct script *steps = script_parse_steps("fuzz", text, injected, &FAKE_SESSION_CLASS, error);
    if (steps == NULL)
        check_form(error);
    else if (injected)
        run(NULL, steps);
    else
        run(steps, NULL);
    if (!injected)
        script_free(steps);
}

/* All errors at once has the same opinion, and what has lines and blocks has a layout that is settled. */
static void try_case(struct bytes text, bool plays)
{
    static struct script_errors errors;
    char error[SCRIPT_ERROR_MAX];
    struct buffer once, twice, variant;
    struct case_script *first = case_script_parse("fuzz", text, FAKE_CASE, error);
    struct case_script *script = case_script_check("fuzz", text, FAKE_CASE, &errors);
    const bool right = first != NULL;
    if (!right)
        check_form(error);
    if ((script != NULL) != right || right != (errors.count == 0) ||
        (right && script->client_step_count == 0 && !plays))
        abort();
    buffer_init(&once, FORMATTED_BYTES_MAX);
    buffer_init(&twice, FORMATTED_BYTES_MAX);
    buffer_init(&variant, FORMATTED_BYTES_MAX);
    if (script_format("fuzz", text, &once, error) &&
        (!script_format("fuzz", buffer_bytes(&once), &twice, error) ||
         !bytes_equal(buffer_bytes(&once), buffer_bytes(&twice))))
        abort();
    if (right && (!case_script_variant_text(text, script->variant_count - 1, &variant) ||
                  case_script_variant_text(text, script->variant_count, &variant)))
        abort();
    case_script_free(first);
    case_script_free(script);
    buffer_free(&once);
    buffer_free(&twice);
    buffer_free(&variant);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char error[SCRIPT_ERROR_MAX];
    try_steps(bytes_of(data, len), false);
    try_steps(bytes_of(data, len), true);
    struct script *script = script_parse("fuzz", bytes_of(data, len), &FAKE_SESSION_CLASS, error);
    if (script == NULL)
        check_form(error);
    else
        run(script, NULL);
    try_case(bytes_of(data, len), script != NULL);
    script_free(script);
    return 0;
}
