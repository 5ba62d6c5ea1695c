#include "conformance/cli/judge_journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/family.h"
#include "codec/media/jpeg.h"
#include "codec/wire/http_head.h"
#include "conformance/replay/places.h"
#include "conformance/report/case_picture.h"
#include "conformance/report/wire_tail.h"

/* Of an entry's family; NULL: it is not judged. */
static const struct profile *profile_of(const struct journal_judging *judging,
                                        const struct journal_entry *entry)
{
    const struct journal_header *header = journal_header_of(judging->journal);
    const char *const family = entry->class == NULL ? "" : entry->class->family->name;
    if (judging->profile != NULL)
        return strcmp(judging->profile->family, family) == 0 ? judging->profile : NULL;
    const char *name = journal_header_profile(header, entry->class);
    return name == NULL ? NULL : profile_by_name(name);
}

/* Of the connection that begins at `places`: its request may ask for another profile of the family. */
static const struct profile *profile_of_connection(const struct journal_judging *judging,
                                                   const struct place *places, size_t count)
{
    const struct journal_entry *first = journal_at(judging->journal, places[0].index);
    const struct profile *profile = profile_of(judging, first);
    struct http_head head;
    for (size_t i = 0; i < count && places[i].connection == places[0].connection; i++) {
        const struct journal_entry *entry = journal_at(judging->journal, places[i].index);
        if (entry->kind == JOURNAL_WIRE && entry->wire.kind == WIRE_EVENT_REQUEST &&
            first->class->profile_of != NULL && http_head_parse(entry->wire.data, &head))
            return first->class->profile_of(profile, &head);
    }
    return profile;
}

static const char *name_of_profile(const struct journal_header *header, size_t number)
{
    return number == 0 ? header->profile : header->others[number - 1].profile;
}

const char *journal_unknown_profile(const struct journal_judging *judging)
{
    const struct journal_header *header = journal_header_of(judging->journal);
    for (size_t i = 0; judging->profile == NULL && i <= header->other_count; i++)
        if (profile_by_name(name_of_profile(header, i)) == NULL)
            return name_of_profile(header, i);
    return NULL;
}

static bool has_connection_of(const struct journal_judging *judging, const struct profile *profile,
                              uint32_t only)
{
    for (size_t i = 0; i < journal_count(judging->journal); i++) {
        const struct journal_entry *entry = journal_at(judging->journal, i);
        if (entry->connection != 0 && (only == 0 || entry->connection == only) &&
            profile_of(judging, entry) == profile)
            return true;
    }
    return false;
}

size_t journal_profiles(const struct journal_judging *judging, uint32_t only,
                        const struct profile *profiles[JOURNAL_PROFILES_MAX])
{
    const struct journal_header *header = journal_header_of(judging->journal);
    size_t count = 0;
    for (size_t i = 0; i <= header->other_count; i++) {
        const struct profile *profile =
            judging->profile != NULL ? judging->profile : profile_by_name(name_of_profile(header, i));
        if ((count == 0 || profiles[count - 1] != profile) && has_connection_of(judging, profile, only))
            profiles[count++] = profile;
    }
    return count;
}

uint32_t *journal_connections(const struct journal_judging *judging, uint32_t only, size_t *count)
{
    const struct journal *journal = judging->journal;
    const size_t entries = journal_count(journal);
    struct place *places = places_new(journal, false);
    uint32_t *numbers = calloc(entries + 1, sizeof *numbers);
    *count = 0;
    for (size_t i = 0; places != NULL && numbers != NULL && i < entries; i++) {
        const uint32_t number = places[i].connection;
        const bool again = *count > 0 && numbers[*count - 1] == number;
        const bool judged = profile_of(judging, journal_at(journal, places[i].index)) != NULL;
        if (number != 0 && !again && judged && (only == 0 || number == only))
            numbers[(*count)++] = number;
    }
    if (places == NULL) {
        free(numbers);
        numbers = NULL;
    }
    free(places);
    return numbers;
}

static struct rule_context context_of(const struct journal_judging *judging, const struct profile *profile)
{
    const struct journal_header *header = journal_header_of(judging->journal);
    struct rule_context context = {.profile = profile,
                                   .key = header->key_known ? judging->key : bytes_of(NULL, 0),
                                   .config = bytes_of_text(header->config),
                                   .epoch_ms = header->epoch_ms,
                                   .speech_known = judging->speech_count > 0,
                                   .speech_exact = true,
                                   .speech_count = judging->speech_count,
                                   .picture_size = jpeg_picture_size};
    for (size_t i = 0; i < judging->speech_count; i++) {
        context.speech[i] = (struct rule_speech){judging->speech[i].samples, judging->speech[i].sample_count};
        context.speech_exact = context.speech_exact && judging->speech[i].exact;
    }
    return context;
}

static bool findings_append(const struct rule_class *class, struct rule_set *rules, uint32_t connection,
                            uint64_t at_us, struct journal *out)
{
    struct journal_entry entry = {.at_us = at_us, .connection = connection, .kind = JOURNAL_FINDING};
    bool good = true;
    while (class->take_finding(rules, &entry.finding))
        good = journal_append(out, &entry) && good;
    return good;
}

/* What was found of the session then. */
static bool is_told(const struct journal_entry *entry)
{
    return entry->kind == JOURNAL_FINDING || entry->kind == JOURNAL_OWN_ERROR;
}

/* The connection's entries from `*place` on, and among them what the rules find now. */
static bool connection_judge(const struct journal_judging *judging, const struct place *places, size_t *place,
                             const struct profile *profile, enum rule_verdict *verdicts, struct journal *out)
{
    const struct journal_entry *first = journal_at(judging->journal, places[*place].index);
    const uint32_t connection = first->connection;
    const struct rule_context context = context_of(judging, profile);
    const struct rule_class *class = first->class->family->rules;
    struct rule_set *rules = class->create(&context);
    uint64_t last_us = 0;
    bool good = rules != NULL;
    for (; *place < journal_count(judging->journal) && places[*place].connection == connection; ++*place) {
        const struct journal_entry *entry = journal_at(judging->journal, places[*place].index);
        if (!good || is_told(entry))
            continue;
        good = journal_append(out, entry);
        last_us = entry->at_us;
        if (entry->kind != JOURNAL_WIRE && entry->kind != JOURNAL_TRANSPORT)
            continue;
        class->event(rules, &entry->wire);
        good = good && findings_append(class, rules, connection, entry->at_us, out);
    }
    if (rules != NULL) {
        class->finish(rules, last_us);
        good = good && findings_append(class, rules, connection, last_us, out);
        for (size_t i = 0; i < class->count; i++)
            verdicts[i] = class->verdict(rules, i);
    }
    class->destroy(rules);
    return good;
}

static void script_make(const struct journal_judging *judging, const struct journal_entry *first,
                        struct case_script *out)
{
    const uint32_t connection = first->connection;
    const char *name = first->is_of_other ? "" : journal_header_of(judging->journal)->script;
    *out = (struct case_script){.class = first->class, .variant_count = 1, .tier = TIER_WIRE};
    struct text text = text_of(out->name, sizeof out->name);
    text_add(&text, "connection/");
    text_add_u64(&text, connection);
    text = text_of(out->title, sizeof out->title);
    text_add(&text, "Connection ");
    text_add_u64(&text, connection);
    text_add(&text, " of ");
    text_add(&text, judging->path);
    text_add(&text, name[0] != '\0' ? ", of the case " : "");
    text_add(&text, name);
    text = text_of(out->expect, sizeof out->expect);
    text_add(&text, "What the client sends keeps the rules of the wire");
    text = text_of(out->path, sizeof out->path);
    text_add(&text, judging->path);
}

static void case_judge(const struct journal_judging *judging, const struct journal *journal,
                       const enum rule_verdict *verdicts, struct run_case *out)
{
    const struct judge_input input = {.script = out->script,
                                      .profile = out->profile,
                                      .inferred = judging->inferred,
                                      .strict = judging->strict,
                                      .tier = TIER_WIRE,
                                      .journal = journal,
                                      .rule_verdicts = verdicts,
                                      .speeches_said = RULE_SPEECHES_UNKNOWN,
                                      .end = CLIENT_ENDED};
    judge_case(&input, &out->result);
    const struct picture_source source = {.journal = journal, .result = &out->result};
    struct text text = text_of(out->picture, sizeof out->picture);
    if (evidence_is_wanted(&out->result))
        evidence_take(&source, &out->evidence);
    if (judging->pictured)
        case_picture_write(&text, &source);
    text = text_of(out->wire_tail, sizeof out->wire_tail);
    wire_tail_write(&text, journal, &out->result, WIRE_TAIL_LINES);
    const size_t count = journal_count(journal);
    out->duration_ms =
        count > 0 ? (journal_at(journal, count - 1)->at_us - journal_at(journal, 0)->at_us) / 1000 : 0;
    out->ran = true;
}

/* The rules of the family that has the most. */
static size_t verdicts_max(const struct run_case *cases, size_t count)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (cases[i].script->class->family->rules->count > most)
            most = cases[i].script->class->family->rules->count;
    return most + 1;
}

static bool cases_judge(const struct journal_judging *judging, const uint32_t *connections, size_t count,
                        const struct place *places, struct run_case *cases, struct case_script *scripts)
{
    size_t place = 0;
    for (size_t i = 0; i < count; i++) {
        while (places[place].connection != connections[i])
            place++;
        const struct journal_entry *first = journal_at(judging->journal, places[place].index);
        script_make(judging, first, &scripts[i]);
        cases[i].script = &scripts[i];
        cases[i].profile =
            profile_of_connection(judging, &places[place], journal_count(judging->journal) - place);
    }
    enum rule_verdict *verdicts = calloc(verdicts_max(cases, count), sizeof *verdicts);
    bool good = verdicts != NULL;
    place = 0;
    for (size_t i = 0; good && i < count; i++) {
        struct journal *journal = journal_new(journal_header_of(judging->journal), judging->key);
        while (places[place].connection != connections[i])
            place++;
        good =
            journal != NULL && connection_judge(judging, places, &place, cases[i].profile, verdicts, journal);
        if (good)
            case_judge(judging, journal, verdicts, &cases[i]);
        journal_free(journal);
    }
    free(verdicts);
    return good;
}

bool journal_judge(const struct journal_judging *judging, const uint32_t *connections, size_t count,
                   struct run_case *cases, struct case_script *scripts)
{
    struct place *places = places_new(judging->journal, false);
    const bool good = places != NULL && cases_judge(judging, connections, count, places, cases, scripts);
    free(places);
    return good;
}
