#include "conformance/tests/hand_made.h"
#include "codec/rules/ojin/classes.h"
#include "server/ojin/session_class.h"

#include <stdio.h>
#include <stdlib.h>

static void copy(char *to, size_t capacity, const char *from)
{
    if (strlen(from) >= capacity)
        abort();
    memcpy(to, from, strlen(from) + 1);
}

/* ---- patterns ---- */

static enum event_side side_of(const char *text, size_t len)
{
    static const char *const NAMES[] = {"received", "sent", "seen", "mark", "step"};
    static const enum event_side SIDES[] = {EVENT_RECEIVED, EVENT_SENT, EVENT_SEEN, EVENT_MARK, EVENT_STEP};
    for (size_t i = 0; i < sizeof SIDES / sizeof SIDES[0]; i++)
        if (strlen(NAMES[i]) == len && memcmp(NAMES[i], text, len) == 0)
            return SIDES[i];
    abort();
}

/* `text` stays; `types` and `room` are its own. */
static void pattern_make(struct event_pattern *out, const char *text, char types[SCRIPT_TEXT_MAX],
                         struct event_filter room[SCRIPT_FILTERS_MAX])
{
    if (text == NULL)
        return;
    out->set = true;
    out->filters = room;
    out->text = text;
    copy(types, SCRIPT_TEXT_MAX, strchr(text, ':') + 1);
    out->side = side_of(text, (size_t)(strchr(text, ':') - text));
    char *filters = strchr(types, '[');
    if (filters != NULL) {
        *filters++ = '\0';
        *strchr(filters, ']') = '\0';
    }
    char *count = strchr(types, ':');
    out->occurrence = count != NULL ? strtoul(count + 1, NULL, 10) : 1;
    if (count != NULL)
        *count = '\0';
    char *rest = NULL;
    for (char *type = strtok_r(types, ",", &rest); type != NULL; type = strtok_r(NULL, ",", &rest))
        out->types[out->type_count++] = type;
    for (char *filter = filters == NULL ? NULL : strtok_r(filters, ",", &rest); filter != NULL;
         filter = strtok_r(NULL, ",", &rest)) {
        struct event_filter *made = &out->filters[out->filter_count++];
        char *value = strchr(filter, '=');
        *value++ = '\0';
        made->name = filter;
        if (!filter_kind_of(filter, &made->kind))
            abort();
        made->value = value;
    }
}

void hand_made_check(struct hand_made *made, enum check_expect expect, const char *level, const char *pattern,
                     const char *given, const char *after, const char *until)
{
    made->check = (struct script_check){.expect = expect, .min = 1, .max = UINT64_MAX, .line = 20};
    copy(made->check.name, sizeof made->check.name, "the-check");
    copy(made->check.level, sizeof made->check.level, level);
    pattern_make(&made->check.pattern, pattern, made->patterns[0].words, made->patterns[0].filters);
    pattern_make(&made->check.given, given, made->patterns[1].words, made->patterns[1].filters);
    pattern_make(&made->check.after, after, made->patterns[2].words, made->patterns[2].filters);
    pattern_make(&made->check.until, until, made->patterns[3].words, made->patterns[3].filters);
    made->script.checks = &made->check;
    made->script.check_count = 1;
}

/* ---- frames ---- */

struct short_frame {
    uint32_t index;
    uint8_t interaction[UUID_BYTES];
    bool has_image;
    uint32_t image_crc;
    bool has_audio;
    uint32_t audio_crc;
};

/* "#1/A", "#1/A'", "#1/A-", "#1/A+" or "#1/A_". */
static struct short_frame frame_make(const char *text)
{
    struct short_frame frame = {.index = (unsigned char)text[1] - (uint32_t)'0', .has_image = true};
    char letter = text[3];
    memset(frame.interaction, letter == '0' ? 0 : letter, UUID_BYTES);
    frame.image_crc = frame.index * 1000 + (unsigned char)letter;
    if (text[4] == '\'')
        frame.image_crc++;
    else if (text[4] == '-')
        frame.has_image = false;
    frame.has_audio = text[4] != '_';
    frame.audio_crc = text[4] == '+' ? frame.index + 1 : frame.index;
    return frame;
}

/* ---- the journal ---- */

static void append(struct hand_made *made, struct journal_entry *entry)
{
    entry->at_us = 1000 * journal_count(made->journal);
    const size_t count = journal_count(made->journal);
    const uint32_t before = count > 0 ? journal_at(made->journal, count - 1)->connection : 0;
    const bool opens = entry->kind == JOURNAL_WIRE && entry->wire.kind == WIRE_EVENT_REQUEST;
    entry->connection = opens ? before + 1 : before;
    entry->wire.at_us = entry->at_us;
    if (!journal_append(made->journal, entry))
        abort();
}

static enum wire_event_kind kind_of_label(const char *label)
{
    static const struct {
        const char *label;
        enum wire_event_kind kind;
    } KINDS[] = {{"upgrade", WIRE_EVENT_REQUEST}, {"refusal", WIRE_EVENT_RESPONSE},
                 {"close", WIRE_EVENT_CLOSE},     {"ping", WIRE_EVENT_PING},
                 {"pong", WIRE_EVENT_PONG},       {"end", WIRE_EVENT_END},
                 {"audio", WIRE_EVENT_BINARY}};
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++)
        if (strcmp(KINDS[i].label, label) == 0)
            return KINDS[i].kind;
    return WIRE_EVENT_TEXT;
}

static void frame_entry(struct journal_entry *entry, const char *text)
{
    struct short_frame frame = frame_make(text);
    entry->wire.kind = WIRE_EVENT_BINARY;
    entry->wire.message_bytes = 5000;
    entry->has_frame = true;
    entry->frame = (struct frame_summary){.decodes = text[0] == '#',
                                          .index = frame.index,
                                          .has_audio = true,
                                          .audio_crc = frame.index,
                                          .has_image = frame.has_image,
                                          .image_crc = frame.image_crc,
                                          .has_checksums = true};
    memcpy(entry->frame.interaction, frame.interaction, UUID_BYTES);
}

/* An InteractionInput of `samples`, none of them zero. */
static struct bytes input_of(char *room, size_t room_bytes, size_t samples)
{
    enum { HEADER_BYTES = 13 };
    const size_t len = HEADER_BYTES + samples * sizeof(int16_t);
    if (len > room_bytes)
        abort();
    memset(room, 0, HEADER_BYTES);
    room[0] = 1;
    memset(room + HEADER_BYTES, 1, len - HEADER_BYTES);
    return bytes_of(room, len);
}

static void wire_entry(struct hand_made *made, enum wire_direction direction, char *word)
{
    struct journal_entry entry = {.kind = JOURNAL_WIRE, .wire = {.direction = direction}};
    char message[400];
    char *step = strchr(word, '!');
    if (step != NULL) {
        *step++ = '\0';
        copy(entry.step, sizeof entry.step, step);
    }
    char *value = strpbrk(word, "#?=");
    char frame[16] = "";
    if (value != NULL && *value != '=')
        copy(frame, sizeof frame, value);
    if (value != NULL) {
        *value = '\0';
        value++;
    }
    copy(entry.label, sizeof entry.label, word);
    entry.wire.kind = kind_of_label(word);
    if (frame[0] != '\0') {
        frame_entry(&entry, frame);
    } else if (value != NULL && entry.wire.kind == WIRE_EVENT_TEXT) {
        int len = snprintf(message, sizeof message,
                           "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"%s\"}}", value);
        entry.wire.data = bytes_of(message, (size_t)len);
    } else if (value != NULL && entry.wire.kind == WIRE_EVENT_BINARY) {
        entry.wire.data = input_of(message, sizeof message, strtoul(value, NULL, 10));
        entry.wire.message_bytes = entry.wire.data.len;
    } else if (value != NULL) {
        entry.wire.code = (uint16_t)strtoul(value, NULL, 10);
    } else if (strcmp(word, "ready") == 0) {
        entry.wire.data = bytes_of_text("{\"type\":\"sessionReady\"}");
    }
    append(made, &entry);
}

static void rule_set(struct hand_made *made, const char *id, enum rule_verdict verdict)
{
    for (size_t n = 0; n < OJIN_RULES.count; n++) {
        if (strcmp(OJIN_RULES.requirement(n), id) != 0)
            continue;
        made->rule_verdicts[n] = verdict;
        return;
    }
    abort();
}

static void finding_entry(struct hand_made *made, char *id, bool note)
{
    char *margin_ms = strchr(id, '=');
    if (margin_ms != NULL)
        *margin_ms++ = '\0';
    struct journal_entry entry = {
        .kind = JOURNAL_FINDING,
        .finding = {.requirement = requirement_by_id(id)->id,
                    .note = note,
                    .excuse_us = margin_ms == NULL ? 0 : strtoull(margin_ms, NULL, 10) * 1000}};
    copy(entry.finding.expected, sizeof entry.finding.expected, "what the rule asks for");
    copy(entry.finding.actual, sizeof entry.finding.actual, note ? "worth a remark" : "what came instead");
    append(made, &entry);
}

static void labelled_entry(struct hand_made *made, enum journal_kind kind, const char *label)
{
    struct journal_entry entry = {.kind = kind};
    copy(entry.label, sizeof entry.label, label);
    append(made, &entry);
}

static void capture_entry(struct hand_made *made, char *word)
{
    struct journal_entry entry = {.kind = JOURNAL_CAPTURE, .has_interaction = true};
    char *letter = strchr(word, '=');
    *letter++ = '\0';
    copy(entry.label, sizeof entry.label, word);
    memset(entry.interaction, *letter == '0' ? 0 : *letter, UUID_BYTES);
    append(made, &entry);
}

static void line_entry(struct hand_made *made, enum journal_kind kind, const char *line)
{
    struct journal_entry entry = {.kind = kind, .line = (unsigned)strtoul(line, NULL, 10)};
    const char *word = strchr(line, '=');
    if (word != NULL)
        copy(entry.label, sizeof entry.label, word + 1);
    if (kind == JOURNAL_FAILED)
        entry.wire.data = bytes_of_text("it cannot be done");
    append(made, &entry);
}

static void journal_word(struct hand_made *made, char *word)
{
    switch (*word++) {
    case '<':
        wire_entry(made, WIRE_FROM_CLIENT, word);
        return;
    case '>':
        wire_entry(made, WIRE_FROM_SERVER, word);
        return;
    case '+':
        labelled_entry(made, JOURNAL_MARK, word);
        return;
    case '$':
        capture_entry(made, word);
        return;
    case '!':
        rule_set(made, word, RULE_BROKEN);
        finding_entry(made, word, false);
        return;
    case '=':
        rule_set(made, word, RULE_KEPT);
        return;
    case '?':
        finding_entry(made, word, true);
        return;
    case '#':
        line_entry(made, JOURNAL_STEP, word);
        return;
    case '*':
        line_entry(made, JOURNAL_FAILED, word);
        return;
    case '~': {
        struct journal_entry entry = {.kind = JOURNAL_OWN_ERROR,
                                      .wire = {.data = bytes_of_text("a bad frame")}};
        append(made, &entry);
        return;
    }
    default:
        abort();
    }
}

/* ---- observations ---- */

static void observation_word(struct hand_made *made, const char *word)
{
    static const enum observation_kind KINDS[] = {OBSERVED_READY,     OBSERVED_FRAME, OBSERVED_PLAYED,
                                                  OBSERVED_CANCELLED, OBSERVED_ERROR, OBSERVED_CLOSED,
                                                  OBSERVED_STATE};
    struct observation *out = &made->observations[made->input.observation_count++];
    const char *value = strpbrk(word, "#=");
    size_t len = value == NULL ? strlen(word) : (size_t)(value - word);
    size_t i = 0;
    while (strlen(observation_kind_name(KINDS[i])) != len ||
           memcmp(observation_kind_name(KINDS[i]), word, len) != 0)
        if (++i == sizeof KINDS / sizeof KINDS[0])
            abort();
    *out = (struct observation){.kind = KINDS[i]};
    if (value != NULL && *value == '#') {
        struct short_frame frame = frame_make(value);
        out->index = frame.index;
        out->has_interaction = true;
        memcpy(out->interaction, frame.interaction, UUID_BYTES);
        out->has_audio = frame.has_audio;
        out->audio_crc = frame.audio_crc;
        out->has_image = frame.has_image;
        out->image_crc = frame.image_crc;
        const char *timestamp = strchr(value, '@');
        if (timestamp != NULL)
            copy(out->timestamp, sizeof out->timestamp, timestamp + 1);
    } else if (value != NULL && out->kind == OBSERVED_READY) {
        out->has_load = true;
        out->load = strtod(value + 1, NULL);
    } else if (value != NULL && out->kind == OBSERVED_CLOSED) {
        out->close_code = (uint16_t)strtoul(value + 1, NULL, 10);
    } else if (value != NULL) {
        copy(out->code, sizeof out->code, value + 1);
    }
}

static void each_word(struct hand_made *made, const char *words, bool observations)
{
    char text[1024];
    char *rest = NULL;
    copy(text, sizeof text, words);
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        if (observations)
            observation_word(made, word);
        else
            journal_word(made, word);
    }
}

/* ---- the whole ---- */

static void clause_make(struct case_script *script, const char *clause)
{
    char id[32];
    const char *space = strchr(clause, ' ');
    size_t len = space == NULL ? strlen(clause) : (size_t)(space - clause);
    memcpy(id, clause, len);
    id[len] = '\0';
    struct script_clause *out = &script->clauses[script->clause_count++];
    out->requirement = requirement_by_id(id);
    if (out->requirement == NULL)
        abort();
    copy(out->level, sizeof out->level, space == NULL ? "MUST" : space + 1);
}

void hand_made_init(struct hand_made *made, const char *clause, const char *journal, const char *observations)
{
    struct journal_header header = {.family = "ojin", .class = &OJIN_SESSION_CLASS, .profile = "oris-1.0"};
    *made = (struct hand_made){.step = {.kind = STEP_SEND, .line = 12, .word = "speech", .as = "named"}};
    made->journal = journal_new(&header, bytes_of_text("secret"));
    made->rule_verdicts = calloc(OJIN_RULES.count, sizeof *made->rule_verdicts);
    made->observations = calloc(HAND_MADE_OBSERVATIONS_MAX, sizeof *made->observations);
    if (made->journal == NULL || made->rule_verdicts == NULL || made->observations == NULL)
        abort();
    copy(made->script.name, sizeof made->script.name, "ojin/test/by-hand");
    copy(made->script.title, sizeof made->script.title, "A case made by hand");
    copy(made->script.expect, sizeof made->script.expect, "What the case expects");
    made->script.class = &OJIN_SESSION_CLASS;
    made->script.played.steps = &made->step;
    made->script.played.step_count = 1;
    clause_make(&made->script, clause);
    each_word(made, journal, false);
    each_word(made, observations, true);
    made->input.script = &made->script;
    made->input.tier = TIER_OBSERVE;
    made->input.journal = made->journal;
    made->input.rule_verdicts = made->rule_verdicts;
    made->input.speeches_said = RULE_SPEECHES_UNKNOWN;
    made->input.observations = made->observations;
}

void hand_made_free(struct hand_made *made)
{
    journal_free(made->journal);
    free(made->rule_verdicts);
    free(made->observations);
}
