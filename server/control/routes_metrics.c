/* Counters in Prometheus' text format, version 0.0.4. */
#include <stdarg.h>
#include <stdio.h>

#include "server/control/control_state.h"

enum { METRIC_LINE_MAX = 300 };

static void line(struct exchange *exchange, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void line(struct exchange *exchange, const char *format, ...)
{
    char text[METRIC_LINE_MAX];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    buffer_append(&exchange->answer, bytes_of_text(text));
}

static void head(struct exchange *exchange, const char *name, const char *type, const char *help)
{
    line(exchange, "# HELP ojin_mock_%s %s\n# TYPE ojin_mock_%s %s\n", name, help, name, type);
}

static void one(struct exchange *exchange, const char *name, const char *type, const char *help,
                uint64_t value)
{
    head(exchange, name, type, help);
    line(exchange, "ojin_mock_%s %llu\n", name, (unsigned long long)value);
}

/* A label's value: what is not plain becomes '_'. */
static void label_write(char out[COUNT_NAME_MAX], const char *name)
{
    size_t n = 0;
    for (; name[n] != '\0' && n < COUNT_NAME_MAX - 1; n++)
        out[n] = name[n] < ' ' || name[n] > '~' || name[n] == '"' || name[n] == '\\' ? '_' : name[n];
    out[n] = '\0';
}

static void each(struct exchange *exchange, const char *name, const char *help, const char *label,
                 const struct counts *counts, bool bytes)
{
    char value[COUNT_NAME_MAX];
    head(exchange, name, "counter", help);
    for (size_t n = 0; n < counts->used; n++) {
        label_write(value, counts->list[n].name);
        line(exchange, "ojin_mock_%s{%s=\"%s\"} %llu\n", name, label, value,
             (unsigned long long)(bytes ? counts->list[n].bytes : counts->list[n].events));
    }
}

static void of_stage(struct exchange *exchange)
{
    const struct stage *stage = exchange->stage;
    const struct stage_counts *counts = &stage->counts;
    one(exchange, "sessions_open", "gauge", "Connections that have begun and are not over.",
        stage_open(stage));
    one(exchange, "sessions_total", "counter", "Sessions let in.", counts->sessions);
    one(exchange, "requests_total", "counter", "Upgrades asked for, refused ones included.",
        stage_requests(stage));
    each(exchange, "refusals_total", "Requests refused, by HTTP status.", "status", &counts->refusals, false);
    each(exchange, "sent_total", "Messages and frames sent, by kind.", "kind", &counts->sent, false);
    each(exchange, "sent_bytes_total", "Bytes of messages and frames sent, by kind.", "kind", &counts->sent,
         true);
    each(exchange, "received_total", "Messages and frames received, by kind.", "kind", &counts->received,
         false);
    each(exchange, "received_bytes_total", "Bytes of messages and frames received, by kind.", "kind",
         &counts->received, true);
    each(exchange, "errors_sent_total", "Errors sent, by code.", "code", &counts->errors, false);
    each(exchange, "findings_total", "Breaches of requirements found, by requirement.", "requirement",
         &counts->findings, false);
    each(exchange, "notes_total", "Remarks, by requirement.", "requirement", &counts->notes, false);
    one(exchange, "own_errors_total", "counter", "Mistakes of the mock itself.", counts->own_errors);
    one(exchange, "journal_entries", "gauge", "Entries in the journal.", ring_count(&stage->ring));
    one(exchange, "journal_lost_total", "counter", "Entries that fell out of the journal.", stage->ring.lost);
    one(exchange, "journal_memory_bytes", "gauge", "Memory of the journal and of audio received.",
        stage_memory_bytes(stage));
}

static void of_outputs(struct exchange *exchange)
{
    const struct control_options *options = &exchange->control->options;
    uint64_t log = 0, journal = 0;
    if (options->lines_dropped == NULL)
        return;
    options->lines_dropped(options->lines_context, &log, &journal);
    one(exchange, "log_lines_dropped_total", "counter", "Lines of the log that nobody read in time.", log);
    one(exchange, "journal_lines_dropped_total", "counter",
        "Lines of the file of --journal that nobody read in time.", journal);
}

void handle_metrics(struct exchange *exchange)
{
    static const char *const none[] = {NULL};
    const struct control *control = exchange->control;
    if (!exchange_parameters(exchange, none))
        return;
    exchange->content_type = "text/plain; version=0.0.4; charset=utf-8";
    of_stage(exchange);
    if (exchange->stage != control->own)
        return;
    head(exchange, "timer_lateness_worst_seconds", "gauge", "How late the worst timer tick was.");
    line(exchange, "ojin_mock_timer_lateness_worst_seconds %.6f\n",
         (double)mock_server_lateness_worst_us(control->server) / 1e6);
    head(exchange, "uptime_seconds", "gauge", "Since the start.");
    line(exchange, "ojin_mock_uptime_seconds %.3f\n", (double)control_now_us(control) / 1e6);
    size_t resident = 0;
    if (uv_resident_set_memory(&resident) == 0)
        one(exchange, "resident_memory_bytes", "gauge", "Memory of the whole process.", resident);
    of_outputs(exchange);
    one(exchange, "scenarios", "gauge", "Scenarios there are.", control->scenario_count);
    one(exchange, "control_requests_total", "counter", "Requests to the control interface.",
        control->requests);
    one(exchange, "control_refused_total", "counter", "Of them, refused by peer, Host or Origin.",
        control->refused);
}
