/* What bodies ask for: quirks and faults by name, steps, one message. */
#include <stdlib.h>

#include "codec/wire/text.h"
#include "server/control/control_state.h"

enum { STEP_NAME_MAX = 40, NUMBER_TEXT_MAX = 40 };

static const char STEPS_PATH[] = "steps";

static const struct session_class *class_of(const struct exchange *exchange)
{
    return part_class(exchange->part);
}

bool body_quirks(struct exchange *exchange, const char *text, struct quirks *quirks)
{
    char error[QUIRK_ERROR_MAX];
    struct quirks changed = *quirks;
    if (!quirk_set_all(&changed, class_of(exchange)->quirks, bytes_of_text(text), error)) {
        exchange_error(exchange, 400, "%s", error);
        return false;
    }
    *quirks = changed;
    return true;
}

void quirks_write(struct json_writer *json, const char *name, const struct quirk_kind *kinds,
                  const struct quirks *quirks)
{
    json_open(json, name, '{');
    for (size_t row = 0; kinds[row].name != NULL; row++)
        if (quirks->value[row] != 0)
            json_u64(json, kinds[row].name, quirks->value[row]);
    json_close(json, '}');
}

/* Those of the stage, as they stand. */
static size_t families_of(const struct stage *stage, struct family_behaviour list[CONTROL_FAMILIES_MAX])
{
    for (size_t n = 0; n < stage->part_count; n++) {
        list[n] = (struct family_behaviour){.class = part_class(&stage->parts[n])};
        behaviour_init(&list[n].behaviour);
        list[n].behaviour.seed = stage->parts[n].options.engine.session.seed;
    }
    return stage->part_count;
}

bool body_quirks_of_all(struct exchange *exchange, const char *text)
{
    struct family_behaviour list[CONTROL_FAMILIES_MAX];
    char error[BEHAVIOUR_ERROR_MAX];
    struct stage *stage = exchange->stage;
    const size_t count = families_of(stage, list);
    for (size_t n = 0; n < count; n++)
        list[n].behaviour.quirks = stage->parts[n].quirks;
    if (!families_set_quirks(list, count, bytes_of_text(text), error)) {
        exchange_error(exchange, 400, "%s", error);
        return false;
    }
    for (size_t n = 0; n < count; n++)
        part_set_quirks(&stage->parts[n], &list[n].behaviour.quirks);
    return true;
}

/* What a part's next sessions shall play; false: the error is written. */
static bool fault_can_be_had(struct exchange *exchange, const char *text,
                             const struct family_behaviour *family)
{
    if (quirks_any(&family->behaviour.quirks) || family->behaviour.script == NULL) {
        exchange_error(exchange, 400, "\"%.60s\": expected one fault; quirks are set apart", text);
        return false;
    }
    if (exchange->part->options.engine.script != NULL) {
        exchange_error(exchange, 409, "a script runs here: it says what sessions do");
        return false;
    }
    return true;
}

bool body_fault_of_all(struct exchange *exchange, const char *text)
{
    struct family_behaviour list[CONTROL_FAMILIES_MAX];
    char error[BEHAVIOUR_ERROR_MAX];
    struct stage *stage = exchange->stage;
    const size_t count = families_of(stage, list);
    bool good = families_add_fault(list, count, bytes_of_text(text), error);
    if (!good)
        exchange_error(exchange, 400, "%s", error);
    for (size_t n = 0; good && n < count; n++) {
        exchange->part = &stage->parts[n];
        good = !list[n].is_set || fault_can_be_had(exchange, text, &list[n]);
    }
    for (size_t n = 0; n < count; n++) {
        if (good && list[n].is_set) {
            good = part_set_fault(&stage->parts[n], text, list[n].behaviour.script);
            if (good)
                list[n].behaviour.script = NULL; /* the part's */
            else
                exchange_error(exchange, 500, "there is no memory");
        }
        behaviour_free(&list[n].behaviour);
    }
    return good;
}

struct script *body_fault_steps(struct exchange *exchange, const char *text)
{
    char error[BEHAVIOUR_ERROR_MAX];
    struct script *steps = fault_live_steps(class_of(exchange), bytes_of_text(text),
                                            exchange->part->options.engine.session.seed, error);
    if (steps == NULL)
        exchange_error(exchange, 400, "%s", error);
    return steps;
}

/* "PATH:LINE:COLUMN: sentence" in its parts; false when it is not of that form. */
static bool error_split(const char *error, unsigned long *line, unsigned long *column, const char **sentence)
{
    for (const char *at = strchr(error, ':'); at != NULL; at = strchr(at + 1, ':')) {
        char *end;
        *line = strtoul(at + 1, &end, 10);
        if (end == at + 1 || *end != ':')
            continue;
        const char *second = end + 1;
        *column = strtoul(second, &end, 10);
        if (end == second || *end != ':')
            continue;
        *sentence = end + 1 + strspn(end + 1, " ");
        return true;
    }
    return false;
}

void script_error(struct exchange *exchange, const char *error)
{
    unsigned long line = 0, column = 0;
    const char *sentence = error;
    if (!error_split(error, &line, &column, &sentence)) {
        exchange_error(exchange, 400, "%s", error);
        return;
    }
    exchange_error(exchange, 400, "%s", "");
    buffer_clear(&exchange->answer);
    exchange->json = json_writer_of(&exchange->answer);
    json_open(&exchange->json, NULL, '{');
    json_text(&exchange->json, "error", sentence);
    json_u64(&exchange->json, "line", line);
    json_u64(&exchange->json, "column", column);
    json_close(&exchange->json, '}');
}

struct script *body_steps(struct exchange *exchange, const char *text)
{
    char error[SCRIPT_ERROR_MAX];
    struct script *steps =
        script_parse_steps(STEPS_PATH, bytes_of_text(text), true, class_of(exchange), error);
    if (steps == NULL)
        script_error(exchange, error);
    return steps;
}

/* ---- one message ---- */

static bool is_name(const char *text)
{
    size_t len = strlen(text);
    return len > 0 && len < STEP_NAME_MAX &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == len;
}

/* A string of the script language; it cannot hold a zero, and JSON that does is not read. */
static void add_quoted(struct buffer *out, const char *value)
{
    static const char digits[] = "0123456789abcdef";
    buffer_append(out, bytes_of_text("\""));
    for (; *value != '\0'; value++) {
        uint8_t c = (uint8_t)*value;
        const char escaped[] = {'\\', *value, '\0'};
        const char hex[] = {'\\', 'x', digits[c >> 4], digits[c & 15], '\0'};
        if (c == '"' || c == '\\')
            buffer_append(out, bytes_of_text(escaped));
        else if (c < ' ' || c == 0x7f)
            buffer_append(out, bytes_of_text(hex));
        else
            buffer_append(out, bytes_of(&c, 1));
    }
    buffer_append(out, bytes_of_text("\""));
}

static bool add_option(struct exchange *exchange, const cJSON *option, struct buffer *out)
{
    char number[NUMBER_TEXT_MAX];
    int64_t whole;
    buffer_append(out, bytes_of_text(" "));
    buffer_append(out, bytes_of_text(option->string));
    buffer_append(out, bytes_of_text("="));
    if (cJSON_IsString(option)) {
        add_quoted(out, option->valuestring);
        return true;
    }
    struct text text = text_of(number, sizeof number);
    if (json_integer(option, &whole))
        text_add_i64(&text, whole);
    else if (cJSON_IsNumber(option))
        text_add_double(&text, option->valuedouble, 6);
    else if (cJSON_IsBool(option))
        text_add(&text, cJSON_IsTrue(option) ? "true" : "false");
    else {
        exchange_error(exchange, 400, "options.%.40s: expected a string, a number, true or false",
                       option->string);
        return false;
    }
    buffer_append(out, bytes_of_text(number));
    return true;
}

bool send_line_write(struct exchange *exchange, const char *kind, const cJSON *options, struct buffer *out)
{
    if (!is_name(kind) || (options != NULL && !cJSON_IsObject(options))) {
        exchange_error(exchange, 400, "%s",
                       is_name(kind) ? "options: expected an object"
                                     : "kind: expected the kind of a send step");
        return false;
    }
    buffer_append(out, bytes_of_text("send "));
    buffer_append(out, bytes_of_text(kind));
    for (const cJSON *option = options == NULL ? NULL : options->child; option != NULL;
         option = option->next) {
        if (!is_name(option->string)) {
            exchange_error(exchange, 400, "options: there is no option of that name");
            return false;
        }
        if (!add_option(exchange, option, out))
            return false;
    }
    static const char end[] = "\n";
    return buffer_append(out, bytes_of(end, sizeof end)); /* with its terminator */
}
