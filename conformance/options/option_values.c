#include "conformance/options/option_values.h"
#include "client/core/observation.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/wire/nearest.h"
#include "codec/wire/text.h"
#include "conformance/script/case_family.h"
#include "server/core/session.h"
#include "server/persona/persona.h"

enum { DURATION_MS_MAX = 3600000, KIND_SHOWN_MAX = 60 };

static const char STOP_IDLE[] = "idle:"; /* of --stop, behind the signal and its "@" */

/* A whole number at the beginning of `text`; `*end` is behind it. */
static bool number_begins(const char *text, unsigned long long *out, char **end)
{
    errno = 0;
    *out = strtoull(text, end, 10);
    return text[0] >= '0' && text[0] <= '9' && errno == 0;
}

static void *member(const struct option_given *given, void *out)
{
    return (char *)out + given->row->at;
}

bool option_run_number(struct option_given *given, void *out)
{
    char expected[64];
    uint64_t number;
    if (option_count(given, out))
        return true;
    if (option_number(given->value, 0, given->row->max, &number))
        snprintf(expected, sizeof expected, "%llu or more", (unsigned long long)given->row->min);
    else
        snprintf(expected, sizeof expected, "a whole number up to %llu", (unsigned long long)given->row->max);
    return option_wrong(given, expected);
}

/* False when it is none. */
static bool duration_read(const char *text, uint64_t *out_ms)
{
    static const struct {
        const char *unit;
        uint64_t ms;
    } UNITS[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}};
    char *end = NULL;
    unsigned long long value = 0;
    if (!number_begins(text, &value, &end) || value == 0)
        return false;
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
        if (strcmp(end, UNITS[i].unit) != 0)
            continue;
        if (value > DURATION_MS_MAX / UNITS[i].ms)
            return false;
        *out_ms = value * UNITS[i].ms;
        return true;
    }
    return false;
}

bool option_duration(struct option_given *given, void *out)
{
    return duration_read(given->value, member(given, out)) ||
           option_wrong(given, "a time up to an hour, such as 30s or 500ms");
}

/* The first from there on whose family has words for cases; the end of the list: none has. */
static const struct session_class *const *class_with_cases(const struct session_class *const *from)
{
    while (*from != NULL && case_family_by_name((*from)->family->name).words == NULL)
        from++;
    return from;
}

bool option_family(struct option_given *given, void *out)
{
    char expected[OPTION_EXPECTED_MAX];
    struct text text = text_of(expected, sizeof expected);
    const struct session_class *const *class = class_with_cases(SESSION_CLASSES);
    for (; *class != NULL; class = class_with_cases(class + 1)) {
        const struct family *family = (*class)->family;
        if (strcmp(family->name, given->value) == 0) {
            *(const struct family **)member(given, out) = family;
            return true;
        }
        text_add(&text, text.len == 0 ? "" : *class_with_cases(class + 1) == NULL ? " or " : ", ");
        text_add(&text, family->name);
    }
    return option_wrong(given, expected);
}

/* NULL: it begins with the name of none. */
static const struct family *family_of_pattern(const char *pattern)
{
    for (size_t i = 0; SESSION_CLASSES[i] != NULL; i++) {
        const char *name = SESSION_CLASSES[i]->family->name;
        const size_t len = strlen(name);
        if (strncmp(pattern, name, len) == 0 && pattern[len] == '/')
            return SESSION_CLASSES[i]->family;
    }
    return NULL;
}

void option_family_of_patterns(struct run_options *out)
{
    const struct family *family = out->run.count > 0 ? family_of_pattern(out->run.of[0]) : NULL;
    for (size_t i = 1; i < out->run.count; i++)
        if (family_of_pattern(out->run.of[i]) != family)
            family = NULL;
    if (out->family == NULL)
        out->family = family != NULL ? family : FAMILIES[0];
}

void option_profile_names(const struct family *family, const char *first, const char *last,
                          char out[OPTION_EXPECTED_MAX])
{
    struct text text = text_of(out, OPTION_EXPECTED_MAX);
    text_add(&text, first);
    for (size_t i = 0; family->profiles[i] != NULL; i++) {
        const bool is_end = *last == '\0' && family->profiles[i + 1] == NULL;
        text_add(&text, text.len == 0 ? "" : is_end ? " or " : ", ");
        text_add(&text, family->profiles[i]->name);
    }
    text_add(&text, *last == '\0' ? "" : " or ");
    text_add(&text, last);
}

bool option_profile(struct run_options *out)
{
    const char *name = out->profile_name;
    out->all_profiles = name != NULL && strcmp(name, "all") == 0;
    out->profile =
        name == NULL || out->all_profiles ? out->family->profiles[0] : family_profile(out->family, name);
    if (out->profile != NULL)
        return true;
    char expected[OPTION_EXPECTED_MAX];
    option_profile_names(out->family, "", "all", expected);
    return option_wrong_of(out->subcommand, "--profile", name, expected);
}

bool option_pattern(struct option_given *given, void *out)
{
    struct patterns *patterns = member(given, out);
    if (patterns->count == RUN_PATTERNS_MAX)
        return option_wrong(given, "at most 32 patterns");
    patterns->of[patterns->count++] = given->value;
    return true;
}

bool option_tier(struct option_given *given, void *context)
{
    struct run_options *out = context;
    const char *text = given->value;
    if (strcmp(text, "auto") == 0) {
        out->tier_known = false;
        return true;
    }
    for (int tier = TIER_WIRE; tier <= TIER_OBSERVE; tier++) {
        if (strcmp(text, client_tier_name((enum client_tier)tier)) == 0) {
            out->tier_known = true;
            out->tier = (enum client_tier)tier;
            return true;
        }
    }
    return option_wrong(given, "auto, wire, plan or observe");
}

/* The kind of that name; OBSERVATION_KIND_COUNT: there is none. */
static int kind_named(struct bytes name)
{
    int kind = OBSERVED_READY;
    while (kind < OBSERVATION_KIND_COUNT &&
           !bytes_equal_text(name, observation_kind_name((enum observation_kind)kind)))
        kind++;
    return kind;
}

static bool wrong_kind(struct option_given *given, struct bytes name)
{
    char expected[OPTION_EXPECTED_MAX];
    struct text sentence = text_of(expected, sizeof expected);
    struct nearest nearest = nearest_to(name);
    for (int kind = OBSERVED_READY; kind < OBSERVATION_KIND_COUNT; kind++)
        nearest_offer(&nearest, observation_kind_name((enum observation_kind)kind));
    text_add(&sentence, "kinds of observations with commas between, such as ready,frame,played,error,closed");
    if (name.len < strlen(given->value)) {
        text_add(&sentence, "; '");
        text_add_printable(&sentence, name, KIND_SHOWN_MAX);
        text_add(&sentence, "' is none");
    }
    return option_wrong_part(given, expected, &nearest);
}

bool option_says(struct option_given *given, void *context)
{
    struct run_options *out = context;
    const char *text = given->value;
    out->says_known = true;
    out->says_text = text;
    for (const char *at = text;; at++) {
        const struct bytes name = bytes_of(at, strcspn(at, ","));
        const int kind = kind_named(name);
        if (kind == OBSERVATION_KIND_COUNT)
            return wrong_kind(given, name);
        out->says |= 1U << (unsigned)kind;
        at += name.len;
        if (*at == '\0')
            return true;
    }
}

/*
 * A client that is refused for its key, config or path is seen no further; with one of these the rest of it
 * is judged, and what it is let in for stays a finding. Any other quirk would change what the cases are
 * about.
 */
static const char *const LET_IN[] = {"key-in-url", "bearer-keys", "any-config", "any-path"};

bool option_quirk(struct option_given *given, void *context)
{
    struct run_options *out = context;
    const char *text = given->value;
    bool is_one = false;
    for (size_t i = 0; i < sizeof LET_IN / sizeof LET_IN[0]; i++)
        is_one = is_one || strcmp(text, LET_IN[i]) == 0;
    if (!is_one || out->quirk_count == RUN_QUIRKS_MAX)
        return option_wrong(
            given, is_one ? "at most 8 of them"
                          : "key-in-url, bearer-keys, any-config or any-path, which let a client in; "
                            "the cases set all others themselves");
    out->quirk_texts[out->quirk_count++] = text;
    return true;
}

bool option_quirks_settle(struct run_options *out)
{
    const struct session_class *class = session_class_by_family(out->family->name);
    char error[QUIRK_ERROR_MAX];
    for (size_t i = 0; i < out->quirk_count; i++)
        if (!quirk_set(&out->quirks, class->quirks, bytes_of_text(out->quirk_texts[i]), error)) {
            fprintf(stderr, "ojin-conform %s: --quirk: %s\n", out->subcommand, error);
            return false;
        }
    return true;
}

bool option_set(struct option_given *given, void *context)
{
    struct run_options *out = context;
    const char *text = given->value;
    static const char *const NAMES[] = {"smoke", "default", "slow"}; /* as enum script_set */
    for (int set = SCRIPT_SET_SMOKE; set <= SCRIPT_SET_SLOW; set++) {
        if (strcmp(text, NAMES[set]) == 0) {
            out->set = (enum script_set)set;
            return true;
        }
    }
    return option_wrong(given, "smoke, default or slow");
}

bool option_shard(struct option_given *given, void *context)
{
    struct run_options *out = context;
    const char *text = given->value;
    char *end = NULL;
    unsigned long long index = 0, count = 0;
    if (!number_begins(text, &index, &end) || *end != '/' || !number_begins(end + 1, &count, &end) ||
        *end != '\0' || index == 0 || index > count || count > RUN_SHARDS_MAX)
        return option_wrong(given, "I/N with I from 1 to N and N at most 1000, such as 1/4");
    out->shard_index = (unsigned)index;
    out->shard_count = (unsigned)count;
    return true;
}

static const struct {
    const char *name;
    int number;
} SIGNALS[] = {{"TERM", SIGTERM}, {"INT", SIGINT},   {"HUP", SIGHUP},  {"QUIT", SIGQUIT},
               {"KILL", SIGKILL}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}};
enum { SIGNAL_COUNT = sizeof SIGNALS / sizeof SIGNALS[0] };

/* 0: there is no such signal. */
static int signal_number(struct bytes name)
{
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        if (bytes_equal_text(name, SIGNALS[i].name))
            return SIGNALS[i].number;
    return 0;
}

/* What may have been meant is the signal; where that is right, "idle". */
static bool wrong_stop(struct option_given *given, struct bytes signal)
{
    const bool is_signal = signal_number(signal) != 0;
    const char *behind = (const char *)signal.data + signal.len;
    behind += *behind == '@' ? 1 : 0;
    struct nearest nearest = nearest_to(is_signal ? bytes_of(behind, strcspn(behind, ":")) : signal);
    if (is_signal && strncmp(behind, STOP_IDLE, sizeof STOP_IDLE - 1) != 0)
        nearest_offer(&nearest, "idle");
    for (size_t i = 0; !is_signal && i < SIGNAL_COUNT; i++)
        nearest_offer(&nearest, SIGNALS[i].name);
    return option_wrong_part(
        given, "SIGNAL@idle:TIME with TERM, INT, HUP, QUIT, KILL, USR1 or USR2, such as TERM@idle:2s",
        &nearest);
}

bool option_stop(struct option_given *given, void *context)
{
    struct run_options *out = context;
    const char *text = given->value;
    const size_t len = strcspn(text, "@");
    const size_t prefix = len > 3 && strncmp(text, "SIG", 3) == 0 ? 3 : 0;
    const struct bytes signal = bytes_of(text + prefix, len - prefix);
    const char *idle = text[len] == '@' ? text + len + 1 : "";
    out->stop_signal = signal_number(signal);
    if (out->stop_signal == 0 || strncmp(idle, STOP_IDLE, sizeof STOP_IDLE - 1) != 0 ||
        !duration_read(idle + sizeof STOP_IDLE - 1, &out->stop_idle_ms))
        return wrong_stop(given, signal);
    out->stop_text = text;
    return true;
}

bool option_size(struct option_given *given, void *context)
{
    struct run_options *out = context;
    const char *text = given->value;
    char *end = NULL;
    char error[200];
    const unsigned long width = strtoul(text, &end, 10);
    if (*end != 'x')
        return option_wrong(given, "WIDTHxHEIGHT, such as 1280x720");
    const unsigned long height = strtoul(end + 1, &end, 10);
    if (*end != '\0' || width > JPEG_SIDE_MAX || height > JPEG_SIDE_MAX)
        return option_wrong(given, "WIDTHxHEIGHT, such as 1280x720");
    struct persona *persona = persona_new((unsigned)width, (unsigned)height, error);
    if (persona == NULL)
        return option_wrong(given, error);
    persona_free(persona);
    out->width = (unsigned)width;
    out->height = (unsigned)height;
    return true;
}

bool option_environment(struct option_given *given, void *context)
{
    struct run_options *out = context;
    if (strchr(given->value, '=') == NULL || given->value[0] == '=')
        return option_wrong(given, "NAME=VALUE");
    if (out->environment_count == RUN_ENVIRONMENT_MAX)
        return option_wrong(given, "at most 64 variables");
    out->environment[out->environment_count++] = given->value;
    return true;
}
