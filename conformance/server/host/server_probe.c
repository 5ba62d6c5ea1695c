#define _GNU_SOURCE
#include "conformance/server/host/server_probe.h"

#include <stdio.h>
#include <string.h>

#include "codec/wire/text.h"
#include "conformance/script/client_probe.h"
#include "conformance/server/host/server_host.h"

/* What comes first after the upgrade may take its time: that is a case's to judge. */
static const char PROBE[] = "  connect\n"
                            "  recv open within=10s\n"
                            "  recv any within=10s\n";
enum { LINE_CONNECT = 5, LINE_OPEN = 6, PROBE_WAIT_S = 10, SHOWN_BYTES_MAX = 240 };

static const char SLOW_HINT[] =
    "A server that is far, or slow to start or to find a free slot, is given N times "
    "as long with --limit N.\n";

/* 1.5 s of quiet, and more of a server that is far (--limit). */
enum { TRIAL_QUIET_MS = 1500, PROBE_BYTES_MAX = 800 };

static const struct client_side *side_of(const struct server_options *options)
{
    return case_family_by_name(options->family->name).client_side;
}

const struct client_probe *server_probe_of(const struct server_options *options)
{
    return side_of(options)->probe;
}

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
    char why[DRIVE_TEXT_MAX + 80], no_endpoint[200];
    const char *actual = drive_broken_why(drive);
    const char *hint = "";
    if (strstr(actual, "HTTP 401") != NULL || strstr(actual, "HTTP 403") != NULL)
        hint = server_probe_of(options)->denied_hint;
    else if (strstr(actual, "HTTP 503") != NULL)
        hint = CLIENT_NO_BACKEND_HINT;
    else if (strstr(actual, "HTTP") != NULL || strstr(actual, "violation") != NULL)
        hint = no_endpoint;
    else
        hint = SLOW_HINT;
    snprintf(no_endpoint, sizeof no_endpoint,
             "That is no WebSocket endpoint: look at the path of the URL. That of %s is %s.\n",
             options->family->name, options->family->path);
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
static const char *refusal_hint(const struct server_options *options, const struct wire_event *event,
                                struct seen *seen)
{
    struct frame_summary frame;
    if (event->kind == WIRE_EVENT_CLOSE)
        return event->code == WS_CLOSE_TRY_AGAIN ? CLIENT_NO_BACKEND_HINT
               : event->code == WS_CLOSE_POLICY  ? server_probe_of(options)->denied_hint
                                                 : NULL;
    if (event->kind != WIRE_EVENT_TEXT)
        return NULL;
    *seen = (struct seen){.kind = SEEN_MESSAGE};
    side_of(options)->see(options->profiles[0], event, seen, &frame);
    if (seen->kind != SEEN_ERROR && seen->kind != SEEN_PLAIN_TEXT)
        return NULL;
    return server_probe_of(options)->refusal_hint(seen);
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
    if (first == NULL || (first->wire.kind == WIRE_EVENT_CLOSE && first->wire.code == WS_CLOSE_NORMAL)) {
        say_slow(options);
        return true;
    }
    struct seen seen = {.kind = SEEN_END};
    const char *hint = refusal_hint(options, &first->wire, &seen);
    if (hint == NULL)
        return true;
    char why[400];
    struct text text = text_of(why, sizeof why);
    text_add(&text, first->wire.kind == WIRE_EVENT_CLOSE ? "it closes in place of a first message: "
                    : seen.kind == SEEN_ERROR            ? "the first message is an error: "
                                                         : "the first message is a plain text: ");
    if (first->wire.kind == WIRE_EVENT_CLOSE) {
        text_add(&text, "code ");
        text_add_u64(&text, first->wire.code);
        text_add(&text, first->wire.data.len > 0 ? ", " : "");
    }
    struct buffer told; /* the server may quote the token */
    buffer_init(&told, 2 * first->wire.data.len + SHOWN_BYTES_MAX);
    if (journal_told(first, first->wire.data, &told))
        text_add_printable(&text, buffer_bytes(&told), SHOWN_BYTES_MAX);
    buffer_free(&told);
    return say(options, why, hint);
}

/* ---- playing ---- */

struct probe {
    struct case_script *script;
    struct journal *journal;
    struct drive *drive;
};

static void probe_free(struct probe *probe)
{
    drive_free(probe->drive);
    journal_free(probe->journal);
    case_script_free(probe->script);
}

/* The steps, as a case of the family. False when memory runs out. */
static bool probe_play(const struct server_options *options, const char *steps, struct probe *out)
{
    char script[PROBE_BYTES_MAX];
    char error[SCRIPT_ERROR_MAX] = "out of memory";
    struct server_clock clock;
    struct drive_options drive_options;
    const struct journal_header header = {.speed = 1, .key_known = true};
    struct text text = text_of(script, sizeof script);
    text_add(&text, "case ");
    text_add(&text, options->family->name);
    text_add(&text, "/probe\nclause ");
    text_add(&text, server_probe_of(options)->clause);
    text_add(&text, "\nlimit 30s\nclient {\n");
    text_add(&text, steps);
    text_add(&text, "}\n");
    out->script =
        case_script_parse("probe", bytes_of_text(script), case_family_by_name(options->family->name), error);
    out->journal = journal_new(&header, bytes_of_text(options->key));
    out->drive = NULL;
    server_clock_start(&clock);
    server_drive_options(options, options->profiles[0], &clock, &drive_options);
    drive_options.script = out->script;
    drive_options.journal = out->journal;
    if (out->script != NULL && out->journal != NULL)
        out->drive = drive_new(&drive_options);
    if (out->drive == NULL) {
        fprintf(stderr, "ojin-conform: %s\n", error);
        return false;
    }
    struct core_waits waits = {0};
    (void)server_host_play(options, &clock, out->drive, &waits);
    return true;
}

/* ---- the profile ---- */

/* What the server says of itself; NULL: nothing that is known. */
static const struct profile *profile_said(const struct server_options *options, const struct journal *journal)
{
    const struct journal_entry *first = first_message(journal);
    const struct client_probe *probe = server_probe_of(options);
    if (first == NULL || first->wire.kind != WIRE_EVENT_TEXT || probe->profile_said == NULL)
        return NULL;
    return probe->profile_said(first->wire.data);
}

static void profile_take(struct server_options *options, const struct profile *profile, const char *how)
{
    options->profiles[0] = profile;
    options->profile_count = 1;
    snprintf(options->profile_note, sizeof options->profile_note, "%s, %s", profile->name, how);
}

/* By what it does. False when memory runs out. */
static bool profile_try(struct server_options *options, const struct client_trial *trial)
{
    char steps[PROBE_BYTES_MAX];
    struct probe probe = {NULL, NULL, NULL};
    const char *at = strstr(trial->steps, "%u");
    snprintf(steps, sizeof steps, "%.*s%u%s", (int)(at - trial->steps), trial->steps,
             TRIAL_QUIET_MS * options->patience, at + 2);
    const bool played = probe_play(options, steps, &probe);
    const unsigned line = played ? drive_broken_line(probe.drive) : 0;
    const bool told = line == 0 || line == trial->none_line;
    if (played && told) {
        profile_take(options, family_profile(options->family, trial->profile(line == 0)),
                     line == 0 ? trial->held_note : trial->failed_note);
        options->start_unjudged = true;
    } else if (played) {
        profile_take(options, options->family->profiles[0],
                     "the default: not recognised, as no frame came; give --profile to choose");
    }
    probe_free(&probe);
    return played;
}

/* All that one server has side by side. */
static void modes_take(struct server_options *options, const struct client_probe *probe)
{
    size_t len = 0;
    options->profile_count = 0;
    for (size_t i = 0; probe->modes[i] != NULL && i < SERVER_PROFILES_MAX; i++) {
        options->profiles[options->profile_count++] = family_profile(options->family, probe->modes[i]);
        len += (size_t)snprintf(options->profile_note + len, sizeof options->profile_note - len, "%s%s",
                                i == 0 ? "" : " and ", probe->modes[i]);
    }
    snprintf(options->profile_note + len, sizeof options->profile_note - len, ", %s", probe->modes_note);
}

static bool profile_find(struct server_options *options, const struct profile *given,
                         const struct profile *said)
{
    const struct client_probe *probe = server_probe_of(options);
    char how[SERVER_NOTE_MAX / 2];
    if (given == NULL && said == NULL && probe->trial != NULL)
        return profile_try(options, probe->trial);
    if (given == NULL && said == NULL) {
        modes_take(options, probe);
        return true;
    }
    snprintf(how, sizeof how, "as the server says %s; give --profile to choose", probe->said_in);
    profile_take(options, given != NULL ? given : said,
                 given == NULL                   ? how
                 : options->profile_name != NULL ? "as --profile says"
                                                 : "as the URL says; give --profile to choose");
    if (given != NULL && said != NULL && given != said) {
        const size_t len = strlen(options->profile_note);
        snprintf(options->profile_note + len, sizeof options->profile_note - len, "; the server says %s %s",
                 said->name, probe->said_in);
    }
    return true;
}

bool server_probe(struct server_options *options)
{
    const struct profile *given = options->profile;
    struct probe probe = {NULL, NULL, NULL};
    options->profiles[0] = given == NULL ? options->family->profiles[0] : given;
    options->profile_count = 1;
    bool good = probe_play(options, PROBE, &probe) && judge(options, probe.drive, probe.journal);
    good = good && profile_find(options, given, profile_said(options, probe.journal));
    probe_free(&probe);
    return good;
}
