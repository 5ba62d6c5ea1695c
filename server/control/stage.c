#include "server/control/stage.h"

#include <stdlib.h>

#include "codec/wire/http_response.h"
#include "codec/wire/json.h"
#include "codec/wire/text.h"
#include "server/control/query.h"
#include "server/control/waits.h"

enum { ERROR_BYTES_MAX = 65536, STATUS_TEXT_MAX = 8 };

/* ---- what is counted ---- */

/* The code of an error, in whichever of its members a family has it, whatever else the message holds. */
static void error_count(struct stage *stage, struct bytes text)
{
    static const char *const places[] = {"payload", "error"}, *const members[] = {"code", "error"};
    cJSON *json;
    if (text.len > ERROR_BYTES_MAX || json_parse_last(text, &json).status != WIRE_OK) {
        counts_add(&stage->counts.errors, "plain text", text.len);
        return;
    }
    const cJSON *code = NULL;
    for (size_t n = 0; n < sizeof places / sizeof places[0] && !cJSON_IsString(code); n++)
        code = json_member(json_member(json, places[n]), "code");
    for (size_t n = 0; n < sizeof members / sizeof members[0] && !cJSON_IsString(code); n++)
        code = json_member(json, members[n]);
    counts_add(&stage->counts.errors, code != NULL && cJSON_IsString(code) ? code->valuestring : "other",
               text.len);
    cJSON_Delete(json);
}

static void status_count(struct counts *counts, uint16_t status)
{
    char digits[STATUS_TEXT_MAX];
    struct text text = text_of(digits, sizeof digits);
    text_add_u64(&text, status);
    counts_add(counts, digits, 0);
}

static void wire_count(struct stage *stage, const struct journal_entry *entry)
{
    const struct wire_event *wire = &entry->wire;
    struct stage_counts *counts = &stage->counts;
    uint64_t bytes = wire->message_bytes > wire->data.len ? wire->message_bytes : wire->data.len;
    if (wire->kind == WIRE_EVENT_RESPONSE && wire->code == HTTP_SWITCHING_PROTOCOLS)
        counts->sessions++;
    else if (wire->kind == WIRE_EVENT_RESPONSE)
        status_count(&counts->refusals, wire->code);
    else if (wire->direction == WIRE_FROM_CLIENT && wire->kind != WIRE_EVENT_REQUEST)
        counts_add(&counts->received, entry->label, bytes);
    else if (wire->direction == WIRE_FROM_SERVER)
        counts_add(&counts->sent, entry->label, bytes);
    if (wire->direction == WIRE_FROM_SERVER && wire->kind == WIRE_EVENT_TEXT &&
        strcmp(entry->label, "error") == 0)
        error_count(stage, wire->data);
}

static void entry_count(struct stage *stage, const struct journal_entry *entry)
{
    if (entry->kind == JOURNAL_WIRE)
        wire_count(stage, entry);
    else if (entry->kind == JOURNAL_OWN_ERROR)
        stage->counts.own_errors++;
    else if (entry->kind == JOURNAL_FINDING)
        counts_add(entry->finding.note ? &stage->counts.notes : &stage->counts.findings,
                   entry->finding.requirement, 0);
}

static void on_entry(void *context, const struct journal_entry *entry)
{
    const struct stage_part *part = context;
    struct stage *stage = part->stage;
    if (part->inner_sink != NULL)
        part->inner_sink(part->inner_sink_context, entry);
    entry_count(stage, entry);
    if (part->service != NULL)
        session_list_entry(&stage->sessions, part->service, entry);
    findings_entry(&stage->findings, entry);
    const struct ring_entry *kept = ring_add(&stage->ring, entry);
    if (kept != NULL)
        waits_entry(stage->control, stage, kept);
}

/* ---- what connections do ---- */

static struct stage_script *wanted_script(const struct stage_part *part)
{
    struct stage_script *script = part->scripts;
    while (script != NULL && !script->wanted)
        script = script->next;
    return script;
}

/* What a client asks for by a test card goes before what the next sessions shall do. */
static void on_choose(void *context, const struct http_head *head, struct engine_config *config)
{
    struct stage_part *part = context;
    struct stage_script *script = wanted_script(part);
    if (script != NULL)
        config->script = script->script;
    if (part->inner_choose != NULL)
        part->inner_choose(part->inner_context, head, config);
    if (script != NULL && config->script == script->script)
        script->users++;
}

static void scripts_sweep(struct stage_part *part)
{
    struct stage_script **link = &part->scripts;
    while (*link != NULL) {
        struct stage_script *script = *link;
        if (script->users > 0 || script->wanted) {
            link = &script->next;
            continue;
        }
        *link = script->next;
        script_free(script->script);
        free(script);
    }
}

static void on_chosen_is_over(void *context, const struct script *script)
{
    struct stage_part *part = context;
    for (struct stage_script *ours = part->scripts; ours != NULL; ours = ours->next) {
        if (ours->script != script)
            continue;
        ours->users--;
        scripts_sweep(part);
        return;
    }
    if (part->inner_chosen_is_over != NULL)
        part->inner_chosen_is_over(part->inner_context, script);
}

static void on_script_done(void *context, uint64_t now_us)
{
    struct stage_part *part = context;
    if (part->inner_script_done != NULL)
        part->inner_script_done(part->inner_context, now_us);
}

void stage_log(void *context, const char *line)
{
    struct stage_part *part = context;
    part->inner_log(part->inner_context, line);
}

struct stage_part *stage_wire(struct stage *stage, struct mock_service_options *options)
{
    if (stage->part_count == CONTROL_FAMILIES_MAX)
        return NULL;
    struct stage_part *part = &stage->parts[stage->part_count++];
    *part = (struct stage_part){.stage = stage,
                                .quirks = options->engine.session.quirks,
                                .inner_sink = options->recorder.sink,
                                .inner_sink_context = options->recorder.context,
                                .inner_choose = options->choose,
                                .inner_chosen_is_over = options->chosen_is_over,
                                .inner_script_done = options->script_done,
                                .inner_context = options->context};
    options->recorder.sink = on_entry;
    options->recorder.context = part;
    options->choose = on_choose;
    options->chosen_is_over = on_chosen_is_over;
    options->script_done = on_script_done;
    options->context = part;
    part->options = *options;
    return part;
}

const struct session_class *part_class(const struct stage_part *part)
{
    return part->options.engine.session_class;
}

bool part_set_fault(struct stage_part *part, const char *name, struct script *script)
{
    struct stage_script *added = script == NULL ? NULL : calloc(1, sizeof *added);
    if (script != NULL && added == NULL)
        return false;
    struct stage_script *before = wanted_script(part);
    if (before != NULL)
        before->wanted = false;
    struct text text = text_of(part->fault, sizeof part->fault);
    text_add(&text, script == NULL ? "" : name);
    if (added != NULL) {
        *added = (struct stage_script){.next = part->scripts, .script = script, .wanted = true};
        part->scripts = added;
    }
    scripts_sweep(part);
    return true;
}

void part_set_quirks(struct stage_part *part, const struct quirks *quirks)
{
    part->quirks = *quirks;
    mock_service_set_quirks(part->service, &part->quirks);
}

void part_reset_quirks(struct stage_part *part)
{
    part->quirks = part->options.engine.session.quirks;
    mock_service_set_quirks(part->service, &part->quirks);
}

/* ---- the end ---- */

void stage_forget(struct stage *stage)
{
    ring_clear(&stage->ring);
    findings_clear(&stage->findings);
    stage->ring.taken = stage->ring.lost = 0;
    stage->counts = (struct stage_counts){0};
    session_list_clear(&stage->sessions);
}

static void part_free(struct stage_part *part)
{
    while (part->scripts != NULL) {
        struct stage_script *script = part->scripts;
        part->scripts = script->next;
        script_free(script->script);
        free(script);
    }
}

void stage_free(struct stage *stage)
{
    for (size_t n = 0; n < stage->part_count; n++)
        part_free(&stage->parts[n]);
    ring_free(&stage->ring);
    findings_clear(&stage->findings);
    session_list_free(&stage->sessions);
    if (stage->script != NULL)
        script_free(stage->script);
    free(stage->key);
    free(stage->config_id);
    free(stage);
}

size_t stage_open(const struct stage *stage)
{
    size_t count = 0;
    for (size_t n = 0; n < stage->part_count; n++)
        count += mock_service_sessions(stage->parts[n].service, NULL, 0);
    return count;
}

uint64_t stage_requests(const struct stage *stage)
{
    uint64_t count = 0;
    for (size_t n = 0; n < stage->part_count; n++)
        count += mock_service_requests(stage->parts[n].service);
    return count;
}

size_t stage_memory_bytes(const struct stage *stage)
{
    return ring_memory_bytes(&stage->ring) + stage->findings.bytes + stage->sessions.audio_bytes;
}
