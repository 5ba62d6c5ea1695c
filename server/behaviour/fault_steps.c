#include "server/behaviour/fault_steps.h"

#include "codec/wire/measure.h"
#include "codec/wire/text.h"
#include "codec/wire/utf8.h"
#include "codec/ws/stream.h"

enum { STEPS_BYTES_MAX = 2048, FOUND_SHOWN_MAX = 40, PATH_BYTES_MAX = 80, EXPECTED_MAX = 120 };

/* A "$" would be a reference in the steps. */
static bool text_is_good(struct bytes text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] < ' ' || text.data[i] == 0x7f || text.data[i] == '$')
            return false;
    return text.len > 0 && text.len < FAULT_VALUE_MAX && utf8_valid_prefix(text) == text.len;
}

static bool value_is_good(const struct fault_kind *kind, struct bytes value)
{
    uint64_t number = 0;
    switch (kind->value) {
    case FAULT_PLAIN:
        return false;
    case FAULT_TEXT:
        return text_is_good(value);
    case FAULT_NUMBER:
        return measure_read(value, MEASURE_NUMBER, &number) && number >= kind->min && number <= kind->max;
    case FAULT_DURATION:
        return measure_read(value, MEASURE_DURATION, &number) && number >= kind->min && number <= kind->max;
    case FAULT_BAD_CLOSE_CODE:
        return measure_read(value, MEASURE_NUMBER, &number) && number <= UINT16_MAX &&
               !ws_close_code_is_legal((uint16_t)number);
    }
    return false;
}

static void add_expected(struct text *text, const struct fault_kind *kind)
{
    switch (kind->value) {
    case FAULT_PLAIN:
        text_add(text, "no value");
        return;
    case FAULT_TEXT:
        text_add(text, "a text of 1 to ");
        text_add_u64(text, FAULT_VALUE_MAX - 1);
        text_add(text, " bytes of UTF-8 without control characters and \"$\"");
        return;
    case FAULT_NUMBER:
        text_add(text, "a whole number from ");
        text_add_u64(text, kind->min);
        text_add(text, " to ");
        text_add_u64(text, kind->max);
        return;
    case FAULT_DURATION:
        text_add(text, "a duration from ");
        text_add_duration(text, kind->min);
        text_add(text, " to ");
        text_add_duration(text, kind->max);
        return;
    case FAULT_BAD_CLOSE_CODE:
        text_add(text, "a code that no close frame may hold: below 1000, 1004 to 1006, 1015 to 2999 or "
                       "5000 to 65535");
        return;
    }
}

static void fail_value(const struct fault_kind *kind, struct bytes value, char error[BEHAVIOUR_ERROR_MAX])
{
    struct text text = text_of(error, BEHAVIOUR_ERROR_MAX);
    text_add(&text, "fault ");
    text_add(&text, kind->name);
    text_add(&text, ": expected ");
    add_expected(&text, kind);
    text_add(&text, ", found \"");
    text_add_printable(&text, value, FOUND_SHOWN_MAX);
    text_add(&text, "\"");
}

/* As it stands in a string of a script; numbers and durations hold nothing that changes. */
static void add_escaped(struct text *text, struct bytes value)
{
    for (size_t i = 0; i < value.len; i++) {
        if (value.data[i] == '"' || value.data[i] == '\\')
            text_add_char(text, '\\');
        text_add_char(text, (char)value.data[i]);
    }
}

/* Big-endian, as in a frame. */
static void add_code(struct text *text, struct bytes value)
{
    uint64_t code = 0;
    (void)measure_read(value, MEASURE_NUMBER, &code);
    const uint8_t wire[2] = {(uint8_t)(code >> 8), (uint8_t)code};
    text_add_hex(text, bytes_of(wire, sizeof wire));
}

static void steps_fill(struct text *out, const char *steps, struct bytes value, uint64_t seed)
{
    static const char VALUE[] = "$value", HEX[] = "$hex", SEED[] = "$seed";
    for (const char *at = steps; *at != '\0';) {
        if (strncmp(at, VALUE, sizeof VALUE - 1) == 0) {
            add_escaped(out, value);
            at += sizeof VALUE - 1;
        } else if (strncmp(at, HEX, sizeof HEX - 1) == 0) {
            add_code(out, value);
            at += sizeof HEX - 1;
        } else if (strncmp(at, SEED, sizeof SEED - 1) == 0) {
            text_add_u64(out, seed);
            at += sizeof SEED - 1;
        } else {
            text_add_char(out, *at++);
        }
    }
}

bool fault_is_random(const struct fault_kind *kind)
{
    return strstr(kind->steps, "$seed") != NULL;
}

/* Without the accept in front and the serve at the end; false when nothing is accepted. */
static bool steps_make_live(struct bytes *steps)
{
    static const char ACCEPT[] = "accept\n", SERVE[] = "\nserve\n";
    const size_t accept = sizeof ACCEPT - 1, serve = sizeof SERVE - 1;
    if (steps->len < accept || memcmp(steps->data, ACCEPT, accept) != 0)
        return false;
    *steps = bytes_of(steps->data + accept, steps->len - accept);
    if (steps->len >= serve && memcmp(steps->data + steps->len - serve, SERVE, serve) == 0)
        steps->len -= serve - 1;
    return true;
}

struct script *fault_script_new(const struct fault_kind *kind, const struct bytes *value, uint64_t seed,
                                bool live, const struct session_class *class, char error[BEHAVIOUR_ERROR_MAX])
{
    char steps[STEPS_BYTES_MAX], path[PATH_BYTES_MAX], sentence[SCRIPT_ERROR_MAX];
    const struct bytes filled = value == NULL ? bytes_of_text(kind->unset) : *value;
    if (value != NULL && !value_is_good(kind, *value)) {
        fail_value(kind, *value, error);
        return NULL;
    }
    struct text text = text_of(steps, sizeof steps);
    steps_fill(&text, kind->steps, filled, seed);
    struct text name = text_of(path, sizeof path);
    text_add(&name, "fault ");
    text_add(&name, kind->name);
    struct bytes parsed = bytes_of(steps, text.len);
    if (live && !steps_make_live(&parsed)) {
        struct text whole = text_of(error, BEHAVIOUR_ERROR_MAX);
        text_add(&whole, "fault ");
        text_add(&whole, kind->name);
        text_add(&whole, ": it is one of the handshake, which is over in a session that is open");
        return NULL;
    }
    struct script *script = script_parse_steps(path, parsed, live, class, sentence);
    if (script == NULL) { /* a value that the step refuses: a reason that is too long, hex that is none */
        struct text whole = text_of(error, BEHAVIOUR_ERROR_MAX);
        text_add(&whole, sentence);
    }
    return script;
}
