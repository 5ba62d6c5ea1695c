#include "codec/wire/json.h"
#include "conformance/judge/pattern.h"

static bool number_read(const char *value, uint64_t *out)
{
    uint64_t number = 0;
    if (*value == '\0')
        return false;
    for (const char *at = value; *at != '\0'; at++) {
        if (*at < '0' || *at > '9' || number > (UINT64_MAX - 9) / 10)
            return false;
        number = number * 10 + (uint64_t)(*at - '0');
    }
    *out = number;
    return true;
}

static bool flag_read(const char *value, bool *out)
{
    bool yes = strcmp(value, "true") == 0 || strcmp(value, "1") == 0 || strcmp(value, "yes") == 0;
    bool no = strcmp(value, "false") == 0 || strcmp(value, "0") == 0 || strcmp(value, "no") == 0;
    if (!yes && !no)
        return false;
    *out = yes;
    return true;
}

/* A number as JSON has it. */
static bool load_read(const char *value)
{
    cJSON *json = NULL;
    bool good = json_parse(bytes_of_text(value), &json).status == WIRE_OK && cJSON_IsNumber(json);
    cJSON_Delete(json);
    return good;
}

static bool frame_kind_read(const char *value, enum frame_kind *out)
{
    static const struct {
        const char *name;
        enum frame_kind kind;
    } NAMES[] = {{"silence", FRAME_SILENCE}, {"speech", FRAME_SPEECH}, {"other", FRAME_OTHER}};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(NAMES[i].name, value) != 0)
            continue;
        *out = NAMES[i].kind;
        return true;
    }
    return false;
}

/* The interaction captured last under `name` (of a repeated step, the last round's). */
static bool capture_find(const struct judge_input *input, struct bytes name, uint8_t out[UUID_BYTES])
{
    for (size_t i = journal_count(input->journal); i > 0; i--) {
        const struct journal_entry *entry = journal_at(input->journal, i - 1);
        if (entry->kind != JOURNAL_CAPTURE || !bytes_equal_text(name, entry->label))
            continue;
        memcpy(out, entry->interaction, UUID_BYTES);
        return true;
    }
    return false;
}

static enum pattern_status interaction_resolve(const char *value, const struct judge_input *input,
                                               uint8_t out[UUID_BYTES])
{
    static const char SUFFIX[] = ".interaction";
    size_t len = strlen(value);
    if (strcmp(value, "nil") == 0) {
        memset(out, 0, UUID_BYTES);
        return PATTERN_READY;
    }
    if (value[0] != '$')
        return uuid_parse(bytes_of_text(value), out) ? PATTERN_READY : PATTERN_WRONG;
    size_t suffix = sizeof SUFFIX - 1;
    if (len < 2 + suffix || strcmp(value + len - suffix, SUFFIX) != 0)
        return PATTERN_WRONG;
    struct bytes name = bytes_of(value + 1, len - 1 - suffix);
    return capture_find(input, name, out) ? PATTERN_READY : PATTERN_UNRESOLVED;
}

static enum pattern_status filter_resolve(const struct event_filter *source, const struct judge_input *input,
                                          struct filter *out)
{
    out->kind = source->kind;
    out->value = source->value;
    out->messages = input->script->class->messages;
    bool good = true;
    switch (out->kind) {
    case FILTER_KIND:
        good = frame_kind_read(source->value, &out->frame);
        break;
    case FILTER_INDEX:
    case FILTER_BYTES:
    case FILTER_POSITION:
    case FILTER_SAMPLES:
    case FILTER_CACHE:
        good = number_read(source->value, &out->number);
        break;
    case FILTER_FINAL:
    case FILTER_CLEAN:
    case FILTER_HEARD:
    case FILTER_PICTURED:
    case FILTER_INTERRUPTS:
    case FILTER_OWN:
        good = flag_read(source->value, &out->flag);
        break;
    case FILTER_INTERACTION:
        return interaction_resolve(source->value, input, out->interaction);
    case FILTER_LOAD:
        good = load_read(source->value);
        break;
    case FILTER_CODE:
    case FILTER_TEXT:
    case FILTER_TELLS:
    case FILTER_STEP:
    case FILTER_TIMESTAMP:
        break;
    }
    return good ? PATTERN_READY : PATTERN_WRONG;
}

static unsigned step_line_find(const struct server_step *steps, size_t count, const char *name,
                               unsigned depth)
{
    for (size_t i = 0; i < count; i++) {
        if (steps[i].kind != STEP_REPEAT && strcmp(steps[i].as, name) == 0)
            return steps[i].line;
        unsigned line =
            depth == 0 ? 0 : step_line_find(steps[i].children, steps[i].child_count, name, depth - 1);
        if (line != 0)
            return line;
    }
    return 0;
}

enum pattern_status pattern_resolve(const struct event_pattern *source, const struct judge_input *input,
                                    struct pattern *out, struct text *why)
{
    *out = (struct pattern){.source = source, .input = input};
    const struct case_script *script = input->script;
    for (size_t i = 0; source->side == EVENT_STEP && i < source->type_count; i++)
        out->step_lines[i] = step_line_find(script->played.steps, script->played.step_count, source->types[i],
                                            SCRIPT_DEPTH_MAX);
    for (size_t i = 0; i < source->filter_count && i < SCRIPT_FILTERS_MAX; i++) {
        enum pattern_status status = filter_resolve(&source->filters[i], input, &out->filters[i]);
        if (status != PATTERN_READY) {
            text_add(why, status == PATTERN_UNRESOLVED ? "the script captured nothing for "
                                                       : "wrong value of a filter: ");
            text_add(why, source->filters[i].name);
            text_add(why, "=");
            text_add(why, source->filters[i].value);
            return status;
        }
        out->filter_count++;
    }
    return PATTERN_READY;
}
