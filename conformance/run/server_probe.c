#define _GNU_SOURCE
#include "conformance/run/server_probe.h"

#include <stdio.h>
#include <string.h>

#include "codec/wire/text.h"
#include "conformance/run/server_host.h"

/* What comes first after the upgrade may take its time: that is a case's to judge. */
static const char PROBE[] = "case ojin/probe\n"
                            "clause OJ-SRV-03\n"
                            "limit 20s\n"
                            "client {\n"
                            "  connect\n"
                            "  recv open within=10s\n"
                            "  recv any within=10s\n"
                            "}\n";
enum { LINE_CONNECT = 5, LINE_OPEN = 6 };

/* What came first from the server after the upgrade; NULL: nothing. */
static const struct journal_entry *first_message(const struct journal *journal)
{
    for (size_t i = 0; i < journal_count(journal); i++) {
        const struct journal_entry *entry = journal_at(journal, i);
        if (entry->kind == JOURNAL_WIRE && entry->wire.direction == WIRE_FROM_SERVER &&
            entry->wire.kind != WIRE_EVENT_RESPONSE)
            return entry;
    }
    return NULL;
}

static bool say(const struct server_options *options, const char *why, const char *hint)
{
    fprintf(stderr, "ojin-conform server: %s: %s\n%s", options->url_text, why, hint);
    return false;
}

static bool not_open(const struct server_options *options, const struct drive *drive)
{
    char why[DRIVE_TEXT_MAX + 80];
    const char *actual = drive_broken_why(drive);
    const char *hint = "";
    if (strstr(actual, "HTTP 401") != NULL || strstr(actual, "HTTP 403") != NULL)
        hint = "It does not take the key: give the right one in --key or OJIN_API_KEY.\n";
    else if (strstr(actual, "HTTP") != NULL || strstr(actual, "breach") != NULL)
        hint = "That is no WebSocket endpoint: look at the path of the URL.\n";
    snprintf(why, sizeof why, "expected the upgrade answered with HTTP 101 within 10 s, found %s", actual);
    return say(options, why, hint);
}

static bool judge(const struct server_options *options, const struct drive *drive,
                  const struct journal *journal)
{
    const unsigned line = drive_broken_line(drive);
    if (line == LINE_CONNECT)
        return say(options, drive_broken_why(drive), "");
    if (line == LINE_OPEN)
        return not_open(options, drive);
    const struct journal_entry *first = first_message(journal);
    if (first == NULL || strcmp(first->label, "error") != 0)
        return true;
    char why[400];
    struct text text = text_of(why, sizeof why);
    text_add(&text, "the first message is an error: ");
    text_add_printable(&text, first->wire.data, 240);
    return say(options, why, "Is the config known to it? Give one in --config or OJIN_CONFIG_ID.\n");
}

bool server_probe(const struct server_options *options)
{
    char error[SCRIPT_ERROR_MAX];
    struct server_clock clock;
    struct drive_options drive_options;
    const struct journal_header header = {.speed = 1, .key_known = true};
    struct script *script =
        script_parse("probe", bytes_of_text(PROBE), session_class_by_family("ojin"), error);
    struct journal *journal = journal_new(&header, bytes_of_text(options->key));
    server_clock_start(&clock);
    server_drive_options(options, &clock, &drive_options);
    drive_options.script = script;
    drive_options.journal = journal;
    struct drive *drive = script == NULL || journal == NULL ? NULL : drive_new(&drive_options);
    bool good = false;
    if (drive == NULL) {
        fprintf(stderr, "ojin-conform: %s\n", script == NULL ? error : "out of memory");
    } else {
        (void)server_host_play(options, &clock, drive);
        good = judge(options, drive, journal);
    }
    drive_free(drive);
    journal_free(journal);
    script_free(script);
    return good;
}
