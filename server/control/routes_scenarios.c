/* Scenarios: endpoints with a behaviour and a journal of their own. */
#include <stdio.h>
#include <stdlib.h>

#include "codec/family.h"
#include "server/control/control_state.h"

enum { KEY_BYTES_MAX = 4095, SCENARIO_CONFIG_MAX = 255 };

static const char *const NONE[] = {NULL};

/* ---- told ---- */

static void scenario_write(struct exchange *exchange, const char *name, const struct stage *stage)
{
    struct json_writer *json = &exchange->json;
    const struct stage_part *part = &stage->parts[0];
    const char *secure = exchange->control->options.tls ? "s" : "";
    struct bytes host = bytes_of(NULL, 0);
    char text[600];
    http_head_header(exchange->head, "Host", 0, &host); /* as the client reaches us */
    int host_len = (int)(host.len < 255 ? host.len : 255);
    json_open(json, name, '{');
    json_text(json, "id", stage->id);
    snprintf(text, sizeof text, "ws%s://%.*s%s", secure, host_len, (const char *)host.data,
             mock_service_path(part->service));
    json_text(json, "url", text);
    snprintf(text, sizeof text, "http%s://%.*s" CONTROL_PREFIX "scenarios/%s/journal", secure, host_len,
             (const char *)host.data, stage->id);
    json_text(json, "journal", text);
    snprintf(text, sizeof text, "http%s://%.*s" CONTROL_PREFIX "scenarios/%s/", secure, host_len,
             (const char *)host.data, stage->id);
    json_text(json, "control", text);
    json_text(json, "family", part_class(part)->family->name);
    json_text(json, "profile", part->options.engine.session.profile->name);
    json_u64(json, "seed", part->options.engine.session.seed);
    json_bool(json, "script", stage->script != NULL);
    json_text(json, "fault", part->fault[0] == '\0' ? NULL : part->fault);
    quirks_write(json, "quirks", part_class(part)->quirks, &part->quirks);
    json_u64(json, "requests", mock_service_requests(part->service));
    json_u64(json, "open", mock_service_sessions(part->service, NULL, 0));
    if (stage->script != NULL)
        json_bool(json, "script_done", mock_service_script_is_done(part->service));
    json_close(json, '}');
}

void handle_scenarios(struct exchange *exchange)
{
    if (!exchange_parameters(exchange, NONE))
        return;
    json_open(&exchange->json, NULL, '{');
    json_open(&exchange->json, "scenarios", '[');
    for (const struct stage *stage = exchange->control->scenarios; stage != NULL; stage = stage->next)
        scenario_write(exchange, NULL, stage);
    json_close(&exchange->json, ']');
    json_close(&exchange->json, '}');
}

/* NULL: the error is written. */
static struct stage *named(struct exchange *exchange)
{
    struct stage *stage = control_scenario(exchange->control, exchange->id);
    if (stage == NULL)
        exchange_error(exchange, 404, "there is no such scenario");
    return stage;
}

void handle_scenario(struct exchange *exchange)
{
    const struct stage *stage = exchange_parameters(exchange, NONE) ? named(exchange) : NULL;
    if (stage != NULL)
        scenario_write(exchange, NULL, stage);
}

void handle_scenario_remove(struct exchange *exchange)
{
    struct stage *stage = exchange_parameters(exchange, NONE) ? named(exchange) : NULL;
    if (stage == NULL)
        return;
    json_open(&exchange->json, NULL, '{');
    json_text(&exchange->json, "removed", stage->id);
    json_close(&exchange->json, '}');
    control_scenario_remove(exchange->control, stage);
}

/* ---- made ---- */

static bool has_control(const char *text)
{
    while (*text != '\0' && (unsigned char)*text >= ' ' && *text != 0x7f)
        text++;
    return *text != '\0';
}

/* The members that say how a session is set up; false: the error is written. */
static bool setup_read(struct exchange *exchange, const cJSON *body, struct stage *stage,
                       struct mock_service_options *options)
{
    struct session_config *session = &options->engine.session;
    bool wrong = false;
    int64_t seed;
    const char *profile = exchange_text(exchange, body, "profile", &wrong);
    const char *key = wrong ? NULL : exchange_text(exchange, body, "key", &wrong);
    const char *config = wrong ? NULL : exchange_text(exchange, body, "config", &wrong);
    if (wrong)
        return false;
    if (profile != NULL &&
        (session->profile = family_profile(options->engine.session_class->family, profile)) == NULL) {
        exchange_error(exchange, 400, "profile: there is no profile \"%.60s\"", profile);
        return false;
    }
    if ((key != NULL && (*key == '\0' || strlen(key) > KEY_BYTES_MAX)) ||
        (config != NULL && (*config == '\0' || strlen(config) > SCENARIO_CONFIG_MAX))) {
        exchange_error(exchange, 400, "key and config: expected 1 to %d and 1 to %d bytes", KEY_BYTES_MAX,
                       SCENARIO_CONFIG_MAX);
        return false;
    }
    if (key != NULL && !http_value_is_sound(bytes_of_text(key))) {
        exchange_error(
            exchange, 400,
            "key: expected one that a header can hold: no control characters, no space at its ends");
        return false;
    }
    if (config != NULL && has_control(config)) {
        exchange_error(exchange, 400, "config: expected no control characters");
        return false;
    }
    const cJSON *given = json_member(body, "seed");
    if (given != NULL && (!json_integer(given, &seed) || seed < 0)) {
        exchange_error(exchange, 400, "seed: expected a whole number from 0 on");
        return false;
    }
    if (given != NULL)
        session->seed = (uint64_t)seed;
    stage->key = key == NULL ? NULL : strdup(key);
    stage->config_id = config == NULL ? NULL : strdup(config);
    session->rooms = session->rooms != NULL ? &stage->rooms : NULL;
    const bool has_tokens = options->engine.session_class->has_tokens; /* and no key */
    session->key = key != NULL && !has_tokens ? stage->key : session->key;
    session->config_id = config != NULL ? stage->config_id : session->config_id;
    options->recorder.rules.profile = session->profile;
    options->recorder.rules.key = bytes_of_text(session->key == NULL ? "" : session->key);
    return true;
}

/* A whole script, or the lines of a server block alone. */
static bool has_block(const char *text, const char *name)
{
    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
        const char *after = at + strlen(name);
        after += strspn(after, " \t");
        bool begins = at == text || strchr(" \t\r\n", at[-1]) != NULL;
        if (begins && *after == '{')
            return true;
    }
    return false;
}

static bool is_whole_script(const char *text)
{
    return has_block(text, "server") || has_block(text, "client");
}

static bool script_read(struct exchange *exchange, const char *text, struct stage *stage,
                        struct mock_service_options *options)
{
    char error[SCRIPT_ERROR_MAX];
    struct bytes bytes = bytes_of_text(text);
    const struct session_class *class = options->engine.session_class;
    stage->script = is_whole_script(text) ? script_parse("script", bytes, class, error)
                                          : script_parse_steps("script", bytes, false, class, error);
    options->engine.script = stage->script;
    if (stage->script == NULL) {
        script_error(exchange, error);
        return false;
    }
    return true;
}

/* Quirks, a fault and a card, in that order; false: the error is written. */
static bool behaviour_read(struct exchange *exchange, const char *quirks, const char *fault, const char *card,
                           struct behaviour *behaviour, struct mock_service_options *options)
{
    char error[BEHAVIOUR_ERROR_MAX];
    struct session_config *session = &options->engine.session;
    behaviour->quirks = session->quirks;
    behaviour->seed = session->seed;
    const struct session_class *class = options->engine.session_class;
    if (quirks != NULL && !body_quirks(exchange, quirks, &behaviour->quirks))
        return false;
    if ((fault != NULL && !behaviour_add(behaviour, class, bytes_of_text(fault), error)) ||
        (card != NULL && !card_add(behaviour, class, bytes_of_text(card), error))) {
        exchange_error(exchange, 400, "%s", error);
        return false;
    }
    session->quirks = behaviour->quirks;
    return true;
}

/* What the body asks for: the fault or card that stands in it is in *name. */
static bool body_read(struct exchange *exchange, const cJSON *body, struct stage *stage,
                      struct behaviour *behaviour, const char **name, struct mock_service_options *options)
{
    bool wrong = false;
    const char *script = exchange_text(exchange, body, "script", &wrong);
    const char *quirks = wrong ? NULL : exchange_text(exchange, body, "quirks", &wrong);
    const char *fault = wrong ? NULL : exchange_text(exchange, body, "fault", &wrong);
    const char *card = wrong ? NULL : exchange_text(exchange, body, "card", &wrong);
    if (wrong || !setup_read(exchange, body, stage, options))
        return false;
    if (script != NULL && (fault != NULL || card != NULL)) {
        exchange_error(exchange, 400, "a script says what sessions do: it goes with no fault or card");
        return false;
    }
    if (fault != NULL && card != NULL) {
        exchange_error(exchange, 400,
                       "expected \"fault\" or \"card\", not both: one says what sessions play");
        return false;
    }
    *name = fault != NULL ? fault : card;
    return behaviour_read(exchange, quirks, fault, card, behaviour, options) &&
           (script == NULL || script_read(exchange, script, stage, options));
}

/* The mock's own part of the family that is asked for: by its name, its profile's, or the script's case; else
 * the first. NULL: the error is written. */
static struct stage_part *part_asked(struct exchange *exchange, const cJSON *body)
{
    struct stage *own = exchange->control->own;
    bool wrong = false;
    const char *family = exchange_text(exchange, body, "family", &wrong);
    const char *profile = wrong ? NULL : exchange_text(exchange, body, "profile", &wrong);
    const char *script = wrong ? NULL : exchange_text(exchange, body, "script", &wrong);
    if (wrong)
        return NULL;
    const struct bytes name = script == NULL ? bytes_of(NULL, 0) : script_family(bytes_of_text(script));
    for (size_t n = 0; n < own->part_count; n++) {
        const struct family *known = part_class(&own->parts[n])->family;
        if (family != NULL ? strcmp(family, known->name) == 0
                           : (profile != NULL && family_profile(known, profile) != NULL) ||
                                 (profile == NULL && bytes_equal_text(name, known->name)))
            return &own->parts[n];
    }
    if (family == NULL)
        return &own->parts[0];
    exchange_error(exchange, 400, "family: no family \"%.60s\" is served", family);
    return NULL;
}

static bool scenario_begin(struct exchange *exchange, const cJSON *body, struct stage *stage)
{
    struct control *control = exchange->control;
    const struct stage_part *own = part_asked(exchange, body);
    if (own == NULL)
        return false;
    char path[MOCK_SERVICE_PATH_MAX], error[MOCK_ERROR_MAX];
    struct mock_service_options options = {.path = path,
                                           .engine = own->options.engine,
                                           .recorder = own->options.recorder,
                                           .choose = control->options.card,
                                           .script_again = true,
                                           .context = control->options.card_context};
    const char *name = NULL;
    struct behaviour behaviour;
    options.engine.script = NULL;
    options.recorder.journal = NULL;
    options.recorder.sink = NULL;
    options.recorder.is_of_other = false;
    options.recorder.rules.path_prefix = stage->prefix;
    options.recorder.without_checksums = true;
    behaviour_init(&behaviour);
    exchange->part = &control->own->parts[own - control->own->parts];
    if (!body_read(exchange, body, stage, &behaviour, &name, &options)) {
        behaviour_free(&behaviour);
        return false;
    }
    snprintf(path, sizeof path, "%s%s", stage->prefix, mock_service_path(own->service));
    struct stage_part *part = stage_wire(stage, &options);
    if (behaviour.script != NULL && !part_set_fault(part, name, behaviour.script)) {
        behaviour_free(&behaviour);
        exchange_error(exchange, 500, "there is no memory");
        return false;
    }
    part->service = mock_service_add(control->server, &options, error);
    if (part->service == NULL)
        exchange_error(exchange, 409, "%s", error);
    return part->service != NULL;
}

void handle_scenario_add(struct exchange *exchange)
{
    static const char *const names[] = {"script",  "quirks", "fault",  "card", "family",
                                        "profile", "key",    "config", "seed", NULL};
    struct control *control = exchange->control;
    if (control->draining || control->scenario_count >= CONTROL_SCENARIOS_MAX) {
        exchange_error(exchange, control->draining ? 503 : 409, "%s",
                       control->draining ? "the mock is stopping" : "there are 200 scenarios: delete some");
        return;
    }
    cJSON *body = exchange_body(exchange, names);
    struct stage *stage = body == NULL ? NULL : calloc(1, sizeof *stage);
    if (body != NULL && stage == NULL)
        exchange_error(exchange, 500, "there is no memory");
    if (stage == NULL) {
        cJSON_Delete(body);
        return;
    }
    stage->control = control;
    snprintf(stage->id, sizeof stage->id, "%llu", (unsigned long long)control->scenarios_made + 1);
    snprintf(stage->prefix, sizeof stage->prefix, "/s/%s", stage->id);
    if (scenario_begin(exchange, body, stage)) {
        control->scenarios_made++;
        control->scenario_count++;
        stage->next = control->scenarios;
        control->scenarios = stage;
        exchange->status = 201;
        scenario_write(exchange, NULL, stage);
    } else {
        stage_free(stage);
    }
    cJSON_Delete(body);
}
