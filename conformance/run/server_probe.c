#define _GNU_SOURCE
#include "conformance/run/server_probe.h"

#include <stdio.h>
#include <string.h>

#include "codec/ojin/constants.h"
#include "codec/ojin/messages.h"
#include "codec/ojin/profile.h"
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
enum { LINE_CONNECT = 5, LINE_OPEN = 6, PROBE_WAIT_S = 10, SHOWN_BYTES_MAX = 240 };

static const char SLOW_HINT[] =
    "A server that is far, or slow to start or to find a free slot, is given N times "
    "as long with --limit N.\n";
static const char NO_BACKEND_HINT[] =
    "It has nothing to serve with now: come back when a backend or a slot is "
    "free.\n";

/* When does the stream start? A frame comes within some 40 ms of what starts it; 1.5 s, and more of a server
 * that is far (--limit), are for the way. */
static const char START[] = "case ojin/probe\n"
                            "clause OJ-SRV-04\n"
                            "limit %us\n"
                            "client {\n"
                            "  connect\n"
                            "  recv ready within=20s\n"
                            "  none frame for=%ums\n"
                            "  send silence\n"
                            "  recv frame within=5s\n"
                            "}\n";
enum { LINE_NONE = 7, LINE_FRAME = 9, START_LIMIT_S = 30, START_QUIET_MS = 1500, START_BYTES_MAX = 400 };

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
    else if (strstr(actual, "HTTP 503") != NULL)
        hint = NO_BACKEND_HINT;
    else if (strstr(actual, "HTTP") != NULL || strstr(actual, "violation") != NULL)
        hint = "That is no WebSocket endpoint: look at the path of the URL.\n";
    else
        hint = SLOW_HINT;
    snprintf(why, sizeof why, "expected the upgrade answered with HTTP 101 within %u s, found %s",
             PROBE_WAIT_S * options->patience, actual);
    return say(options, why, hint);
}

/* It may still be a server that takes its time: a case judges how long that may be. */
static void say_slow(const struct server_options *options)
{
    fprintf(stderr, "ojin-conform server: %s: no message came within %u s of the upgrade\n%s",
            options->url_text, PROBE_WAIT_S * options->patience, SLOW_HINT);
}

/* What to do when the server begins with that; NULL: it lets us in. */
static const char *refusal_hint(const struct journal_entry *first)
{
    struct ojin_message message;
    if (first->wire.kind == WIRE_EVENT_CLOSE)
        return first->wire.code == OJIN_CLOSE_TRY_AGAIN ? NO_BACKEND_HINT : NULL;
    if (first->wire.kind != WIRE_EVENT_TEXT)
        return NULL;
    ojin_message_read(first->wire.data, &message);
    if (message.type == OJIN_MESSAGE_PLAIN_TEXT)
        return NO_BACKEND_HINT;
    if (strcmp(first->label, "error") != 0)
        return NULL;
    return strstr(message.code, "BACKEND") != NULL
               ? NO_BACKEND_HINT
               : "Is the config known to it? Give one in --config or OJIN_CONFIG_ID.\n";
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
    /* The server may have answered our close after that. */
    if (first == NULL || (first->wire.kind == WIRE_EVENT_CLOSE && first->wire.code == OJIN_CLOSE_NORMAL)) {
        say_slow(options);
        return true;
    }
    const char *hint = refusal_hint(first);
    if (hint == NULL)
        return true;
    char why[400];
    struct text text = text_of(why, sizeof why);
    text_add(&text, first->wire.kind == WIRE_EVENT_CLOSE ? "it closes in place of a first message: "
                    : strcmp(first->label, "error") == 0 ? "the first message is an error: "
                                                         : "the first message is a plain text: ");
    if (first->wire.kind == WIRE_EVENT_CLOSE) {
        text_add(&text, "code ");
        text_add_u64(&text, first->wire.code);
        text_add(&text, first->wire.data.len > 0 ? ", " : "");
    }
    text_add_printable(&text, first->wire.data, SHOWN_BYTES_MAX);
    return say(options, why, hint);
}

/* ---- playing ---- */

struct probe {
    struct script *script;
    struct journal *journal;
    struct drive *drive;
};

static void probe_free(struct probe *probe)
{
    drive_free(probe->drive);
    journal_free(probe->journal);
    script_free(probe->script);
}

/* False when memory runs out. */
static bool probe_play(const struct server_options *options, const char *text, struct probe *out)
{
    char error[SCRIPT_ERROR_MAX] = "out of memory";
    struct server_clock clock;
    struct drive_options drive_options;
    const struct journal_header header = {.speed = 1, .key_known = true};
    out->script =
        script_parse("probe", bytes_of_text(text), session_class_by_family(options->family->name), error);
    out->journal = journal_new(&header, bytes_of_text(options->key));
    out->drive = NULL;
    server_clock_start(&clock);
    server_drive_options(options, &clock, &drive_options);
    drive_options.script = out->script;
    drive_options.journal = out->journal;
    if (out->script != NULL && out->journal != NULL)
        out->drive = drive_new(&drive_options);
    if (out->drive == NULL) {
        fprintf(stderr, "ojin-conform: %s\n", error);
        return false;
    }
    (void)server_host_play(options, &clock, out->drive);
    return true;
}

/* ---- the profile ---- */

/* What the server says of itself; NULL: nothing that is known. */
static const struct profile *profile_said(const struct journal *journal)
{
    const struct journal_entry *first = first_message(journal);
    struct ojin_message message;
    if (first == NULL || first->wire.kind != WIRE_EVENT_TEXT)
        return NULL;
    ojin_message_read(first->wire.data, &message);
    return ojin_profile_by_name(message.profile);
}

static const struct profile *profile_starting(enum ojin_stream_start start)
{
    for (size_t i = 0; i < OJIN_PROFILE_COUNT; i++)
        if (OJIN_PROFILES[i].stream_start == start)
            return &OJIN_PROFILES[i].base;
    return &OJIN_PROFILES[0].base;
}

static void profile_take(struct server_options *options, const struct profile *profile, const char *how)
{
    options->profile = profile;
    snprintf(options->profile_note, sizeof options->profile_note, "%s, %s", profile->name, how);
}

/* By what it does. False when memory runs out. */
static bool profile_recognise(struct server_options *options)
{
    char text[START_BYTES_MAX];
    struct probe probe = {NULL, NULL, NULL};
    snprintf(text, sizeof text, START, START_LIMIT_S, START_QUIET_MS * options->patience);
    const bool played = probe_play(options, text, &probe);
    const unsigned line = played ? drive_broken_line(probe.drive) : 0;
    if (played && line == LINE_NONE) {
        profile_take(options, profile_starting(OJIN_STREAM_ON_READY),
                     "recognised by frames before any input; give --profile to choose");
        options->start_unjudged = true;
    } else if (played && line == 0) {
        profile_take(options, profile_starting(OJIN_STREAM_ON_FIRST_INPUT),
                     "recognised by frames that come after the first input and not before, which "
                     "flashhead-lite-1.0 has alike; give --profile to choose");
        options->start_unjudged = true;
    } else if (played) {
        profile_take(options, options->family->profiles[0],
                     "the default: not recognised, as no frame came; give --profile to choose");
    }
    probe_free(&probe);
    return played;
}

static bool profile_find(struct server_options *options, const struct profile *given,
                         const struct profile *said)
{
    if (given == NULL && said == NULL)
        return profile_recognise(options);
    profile_take(options, given != NULL ? given : said,
                 given != NULL ? "as --profile says"
                               : "as the server says in sessionReady; give --profile to choose");
    if (given != NULL && said != NULL && given != said) {
        const size_t len = strlen(options->profile_note);
        snprintf(options->profile_note + len, sizeof options->profile_note - len,
                 "; the server says %s in sessionReady", said->name);
    }
    return true;
}

bool server_probe(struct server_options *options)
{
    const struct profile *given = options->profile_given ? options->profile : NULL;
    struct probe probe = {NULL, NULL, NULL};
    options->profile = given == NULL ? options->family->profiles[0] : given;
    bool good = probe_play(options, PROBE, &probe) && judge(options, probe.drive, probe.journal);
    good = good && profile_find(options, given, profile_said(probe.journal));
    probe_free(&probe);
    return good;
}
