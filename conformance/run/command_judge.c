/*
 * ojin-conform judge: the rules of the wire over a recorded journal.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/media/sound.h"
#include "codec/ojin/constants.h"
#include "codec/rules/requirements.h"
#include "codec/rules/rules.h"
#include "conformance/replay/places.h"
#include "conformance/run/case_set.h"
#include "conformance/run/commands.h"
#include "server/journal/journal.h"

static const char HELP[] =
    "Usage: ojin-conform judge [OPTION]… JOURNAL\n"
    "\n"
    "Judges a journal that ojin-mock wrote with --journal, or that a failing case left (wire.jsonl).\n"
    "\n"
    "  --profile NAME   judge by this profile (default: the journal's)\n"
    "  --audio FILE     the speech the client was given (may be repeated, in order): OJ-IN-06\n"
    "  -h, --help\n"
    "\n"
    "Exit: 0 no requirement broken, 1 some are, 2 wrong usage or no journal.\n";

/* Any value does: "{key}" in the journal reads back as it. */
static const char KEY[] = "the-key-of-the-journal";

struct judge_options {
    const struct ojin_profile *profile;
    size_t speech_count;
    struct sound speech[RULE_SPEECHES_MAX];
    const char *path;
};

static bool take_options(int argc, char *argv[], struct judge_options *out, bool *help)
{
    static const struct option long_options[] = {{"profile", required_argument, NULL, 'p'},
                                                 {"audio", required_argument, NULL, 'a'},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    char error[SOUND_ERROR_MAX];
    optind = 1;
    for (int option = 0; (option = getopt_long(argc, argv, "h", long_options, NULL)) != -1;) {
        if (option == 'h') {
            *help = true;
            return true;
        }
        if (option == 'p') {
            out->profile = ojin_profile_by_name(optarg);
            if (out->profile == NULL) {
                fprintf(stderr, "ojin-conform judge: no profile '%s'\n", optarg);
                return false;
            }
        } else if (option == 'a') {
            if (out->speech_count == RULE_SPEECHES_MAX ||
                !sound_read(optarg, OJIN_SAMPLE_RATE, &out->speech[out->speech_count], error)) {
                fprintf(stderr, "ojin-conform judge: %s\n",
                        out->speech_count == RULE_SPEECHES_MAX ? "too many --audio" : error);
                return false;
            }
            out->speech_count++;
        } else {
            return false;
        }
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "ojin-conform judge: expected one journal\n");
        return false;
    }
    out->path = argv[optind];
    return true;
}

static void print_finding(const struct finding *finding, uint32_t connection)
{
    const struct requirement *requirement = requirement_by_id(finding->requirement);
    printf("%s %s (connection %u, %.3f s; %s)\n  expected: %s\n  actual:   %s\n", finding->requirement,
           finding->note ? "note" : requirement_level_name(requirement->level), (unsigned)connection,
           (double)finding->at_us / 1e6, requirement->source, finding->expected, finding->actual);
}

static void take_findings(struct rule_set *rules, uint32_t connection)
{
    struct finding finding;
    while (rule_set_take_finding(rules, &finding))
        print_finding(&finding, connection);
}

/* One connection's entries; true when no rule was broken. */
static bool judge_connection(const struct journal *journal, const struct place *places, size_t count,
                             const struct rule_context *context, enum rule_verdict *worst)
{
    struct rule_set *rules = rule_set_new(context);
    if (rules == NULL)
        return false;
    uint64_t last_us = 0;
    for (size_t i = 0; i < count; i++) {
        const struct journal_entry *entry = journal_at(journal, places[i].index);
        if (entry->kind != JOURNAL_WIRE)
            continue;
        last_us = entry->at_us;
        rule_set_event(rules, &entry->wire);
        take_findings(rules, entry->connection);
    }
    rule_set_finish(rules, last_us);
    take_findings(rules, places[0].connection);
    bool kept = true;
    for (size_t i = 0; i < rule_count(); i++) {
        const enum rule_verdict verdict = rule_set_verdict(rules, i);
        if (verdict > worst[i])
            worst[i] = verdict;
        kept = kept && verdict != RULE_BROKEN;
    }
    rule_set_free(rules);
    return kept;
}

static bool judge_journal(const struct journal *journal, const struct judge_options *options)
{
    const struct journal_header *header = journal_header_of(journal);
    struct rule_context context = {.profile = options->profile,
                                   .key = header->key_known ? bytes_of_text(KEY) : bytes_of(NULL, 0),
                                   .config = bytes_of_text(header->config),
                                   .epoch_ms = header->epoch_ms,
                                   .speech_known = options->speech_count > 0,
                                   .speech_exact = true,
                                   .speech_count = options->speech_count};
    for (size_t i = 0; i < options->speech_count; i++) {
        context.speech[i] = (struct rule_speech){options->speech[i].samples, options->speech[i].sample_count};
        context.speech_exact = context.speech_exact && options->speech[i].exact;
    }
    enum rule_verdict *worst = calloc(rule_count(), sizeof *worst);
    struct place *places = places_new(journal, false);
    const size_t count = journal_count(journal);
    bool kept = true;
    if (worst == NULL || places == NULL) {
        free(worst);
        free(places);
        return false;
    }
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && places[to].connection == places[from].connection)
            to++;
        kept = judge_connection(journal, places + from, to - from, &context, worst) && kept;
    }
    static const char *const names[] = {
        [RULE_NOT_REACHED] = "not reached", [RULE_KEPT] = "kept", [RULE_BROKEN] = "BROKEN"};
    for (size_t i = 0; i < rule_count(); i++)
        printf("%-10s %s\n", rule_requirement(i), names[worst[i]]);
    free(places);
    free(worst);
    return kept;
}

int command_judge(int argc, char *argv[])
{
    struct judge_options options = {0};
    struct bytes text;
    char error[200];
    bool help = false;
    if (!take_options(argc, argv, &options, &help)) {
        fputs("Try 'ojin-conform judge --help'.\n", stderr);
        return CONFORM_EXIT_USAGE;
    }
    if (help) {
        fputs(HELP, stdout);
        return CONFORM_EXIT_MET;
    }
    if (!file_read(options.path, JOURNAL_DATA_BYTES_MAX, &text)) {
        fprintf(stderr, "ojin-conform judge: cannot read %s: %s\n", options.path, strerror(errno));
        return CONFORM_EXIT_USAGE;
    }
    int code = CONFORM_EXIT_USAGE;
    struct journal *journal = journal_read(text, bytes_of_text(KEY), error);
    if (journal == NULL) {
        fprintf(stderr, "ojin-conform judge: %s: %s\n", options.path, error);
    } else {
        if (options.profile == NULL)
            options.profile = ojin_profile_by_name(journal_header_of(journal)->profile);
        if (options.profile == NULL)
            fprintf(stderr, "ojin-conform judge: %s: no profile '%s'\n", options.path,
                    journal_header_of(journal)->profile);
        else
            code = judge_journal(journal, &options) ? CONFORM_EXIT_MET : CONFORM_EXIT_NOT_MET;
    }
    for (size_t i = 0; i < options.speech_count; i++)
        sound_free(&options.speech[i]);
    journal_free(journal);
    free((void *)(uintptr_t)text.data);
    return code;
}
