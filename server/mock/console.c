#include "server/mock/console.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "codec/rules/requirements.h"
#include "codec/wire/secret.h"
#include "codec/wire/text.h"
#include "codec/ws/frame.h"
#include "server/journal/answered.h"
#include "server/journal/finding_text.h"

#define COLOUR_MUST   "\033[31m"
#define COLOUR_SHOULD "\033[33m"
#define COLOUR_QUIET  "\033[2m"
#define COLOUR_END    "\033[0m"

enum {
    PRINTABLE_BYTES_MAX = 200,
    STATUS_SWITCHING = 101,
    WRITTEN_MAX = CONSOLE_LINE_MAX + sizeof COLOUR_MUST + sizeof COLOUR_END + sizeof "\n"
};

struct console console_of(const struct mock_options *options)
{
    const char *no_color = getenv("NO_COLOR");
    bool wanted = no_color == NULL || *no_color == '\0';
    return (struct console){.log = options->log,
                            .has_script = options->script_path != NULL,
                            .colours = wanted && isatty(STDERR_FILENO) != 0,
                            .key = options->key,
                            .output =
                                output_new(STDERR_FILENO, CONSOLE_QUEUE_BYTES,
                                           "lines are missing here: nobody read standard error in time")};
}

void console_end(struct console *console)
{
    if (console->output != NULL)
        (void)output_flush(console->output);
    output_free(console->output);
    console->output = NULL;
}

/* Adds `line` with the key replaced, however it is spelled, unless it is so short that it stands in innocent
 * words too. */
static void add_without_key(struct text *text, const struct console *console, const char *line)
{
    const struct bytes key = bytes_of_text(console->key == NULL ? "" : console->key);
    const struct secrets secrets = {.key = key.len < SECRET_BYTES_MIN ? (struct bytes){0} : key, .cut = true};
    struct secrets_scan scan;
    struct bytes rest = bytes_of_text(line), found;
    size_t at, len;
    secrets_scan_init(&scan, &secrets, rest.len);
    while (secrets_scan_next(&scan, rest, &found, &at, &len)) {
        text_add_bytes(text, bytes_of(rest.data, at));
        text_add(text, "{key}");
        rest = bytes_of(rest.data + at + len, rest.len - at - len);
    }
    text_add_bytes(text, rest);
}

static void put_line(const struct console *console, const char *colour, const char *line)
{
    char written[WRITTEN_MAX];
    struct text text = text_of(written, sizeof written);
    if (console->colours)
        text_add(&text, colour);
    add_without_key(&text, console, line);
    text_add(&text, console->colours ? COLOUR_END "\n" : "\n");
    if (console->output != NULL)
        (void)output_write(console->output, bytes_of(written, text.len));
}

/* The same of a line about an entry, without the secrets of its connection. */
static void put_told(const struct console *console, const struct journal_entry *entry, const char *colour,
                     const char *line)
{
    struct buffer told;
    buffer_init(&told, CONSOLE_LINE_MAX);
    if (journal_told(entry, bytes_of_text(line), &told) && buffer_append(&told, bytes_of("", 1)))
        put_line(console, colour, (const char *)told.data);
    buffer_free(&told);
}

void console_say(const struct console *console, const char *format, ...)
{
    char line[CONSOLE_LINE_MAX] = "ojin-mock: ";
    const size_t name = strlen(line);
    va_list values;
    va_start(values, format);
    vsnprintf(line + name, sizeof line - name, format, values);
    va_end(values);
    put_line(console, "", line);
}

void console_info(const struct console *console, const char *line)
{
    if (console->log >= MOCK_LOG_INFO)
        put_line(console, COLOUR_QUIET, line);
}

void console_warn(const struct console *console, const char *line)
{
    put_line(console, COLOUR_SHOULD, line);
}

/* "         the client MUST: Sends at most 6 messages in any second (000 Rate Limits)" */
static void put_statement(struct console *console, const struct requirement *requirement)
{
    char line[CONSOLE_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    const size_t row = (size_t)(requirement - REQUIREMENTS);
    if (row >= CONSOLE_REQUIREMENTS_MAX || console->told[row])
        return;
    console->told[row] = true;
    text_add(&text, "         ");
    finding_statement(requirement, &text);
    put_line(console, COLOUR_QUIET, line);
}

static void put_finding(struct console *console, const struct journal_entry *entry)
{
    char line[CONSOLE_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    const struct finding *finding = &entry->finding;
    const struct requirement *requirement = requirement_by_id(finding->requirement);
    text_add(&text, finding->note ? "note: " : "finding: ");
    finding_sentence(entry, &text);
    finding_where(entry, finding->at_us, &text);
    text_add_char(&text, ')');
    bool must = !finding->note && requirement != NULL && requirement->level == REQUIREMENT_MUST;
    put_told(console, entry, must ? COLOUR_MUST : COLOUR_SHOULD, line);
    if (requirement != NULL)
        put_statement(console, requirement);
}

void console_answered(const struct console *console, const struct journal_entry *entry, const char *sentence)
{
    char line[CONSOLE_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    text_add(&text, "finding: ");
    text_add(&text, sentence);
    finding_where(entry, entry->at_us, &text);
    text_add_char(&text, ')');
    put_told(console, entry, COLOUR_MUST, line);
}

static void put_trouble(const struct console *console, const struct journal_entry *entry, const char *what,
                        const char *colour)
{
    char line[CONSOLE_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    text_add(&text, what);
    if (entry->line > 0) {
        text_add(&text, " in line ");
        text_add_u64(&text, entry->line);
    }
    text_add(&text, ": ");
    text_add_printable(&text, entry->wire.data, PRINTABLE_BYTES_MAX);
    finding_where(entry, entry->at_us, &text);
    text_add_char(&text, ')');
    put_told(console, entry, colour, line);
}

/* A client that leaves before its fault has come does nothing wrong. */
static void put_failed(const struct console *console, const struct journal_entry *entry)
{
    if (console->has_script)
        put_trouble(console, entry, "script: a step failed", COLOUR_MUST);
    else if (console->log >= MOCK_LOG_INFO)
        put_trouble(console, entry, "fault: did not come to its end", COLOUR_QUIET);
}

static void put_wire(const struct console *console, const struct journal_entry *entry)
{
    char line[CONSOLE_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    text_add(&text, entry->wire.direction == WIRE_FROM_CLIENT ? "client: " : "server: ");
    text_add(&text, entry->label);
    text_add(&text, ", ");
    uint64_t bytes = entry->wire.message_bytes > 0 ? entry->wire.message_bytes : entry->wire.data.len;
    text_add_u64(&text, bytes);
    text_add(&text, " bytes");
    finding_where(entry, entry->at_us, &text);
    text_add_char(&text, ')');
    put_line(console, COLOUR_QUIET, line);
}

/* That the mock did not let a client in, or ended its session, and why. What it only answers a close or a
 * breach of the protocol with is not told here. */
static void put_refusal(const struct console *console, const struct journal_entry *entry)
{
    char line[CONSOLE_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    const struct wire_event *wire = &entry->wire;
    if (wire->direction != WIRE_FROM_SERVER)
        return;
    if (wire->kind == WIRE_EVENT_RESPONSE && wire->code != STATUS_SWITCHING) {
        text_add(&text, "refused with ");
        answered_refusal(entry, &text);
    } else if (wire->kind == WIRE_EVENT_CLOSE && !entry->by_host && wire->code != WS_CLOSE_NORMAL) {
        text_add(&text, "closed with ");
        text_add_u64(&text, wire->code);
        text_add(&text, wire->data.len > 0 ? ": " : "");
        text_add_printable(&text, wire->data, PRINTABLE_BYTES_MAX);
    } else {
        return;
    }
    finding_where(entry, entry->at_us, &text);
    text_add_char(&text, ')');
    put_told(console, entry, COLOUR_QUIET, line);
}

void console_entry(struct console *console, const struct journal_entry *entry)
{
    switch (entry->kind) {
    case JOURNAL_FINDING:
        put_finding(console, entry);
        break;
    case JOURNAL_OWN_ERROR:
        put_trouble(console, entry, "mistake of the mock", COLOUR_MUST);
        break;
    case JOURNAL_FAILED:
        put_failed(console, entry);
        break;
    case JOURNAL_WIRE:
        if (console->log >= MOCK_LOG_DEBUG)
            put_wire(console, entry);
        if (console->log >= MOCK_LOG_INFO)
            put_refusal(console, entry);
        break;
    case JOURNAL_TRANSPORT:
    case JOURNAL_DONE:
    case JOURNAL_MARK:
    case JOURNAL_CAPTURE:
    case JOURNAL_STEP:
    case JOURNAL_TAKEN:
    case JOURNAL_DROPPED:
        break;
    }
}
