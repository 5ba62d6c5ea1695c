#include "server/control/findings.h"

#include <stdlib.h>

#include "codec/wire/json_writer.h"
#include "server/journal/finding_text.h"

enum { FIRST_CAPACITY = 8 };

/* A text about the entry, without its secrets. */
static void told_put(struct json_writer *json, const char *name, const struct journal_entry *entry,
                     const char *text)
{
    struct buffer told;
    buffer_init(&told, FINDINGS_LINE_MAX);
    if (journal_told(entry, bytes_of_text(text), &told))
        json_bytes(json, name, buffer_bytes(&told));
    else
        json->failed = true;
    buffer_free(&told);
}

/* The line as a console shows it: what was found and where. */
static void text_put(struct json_writer *json, const struct journal_entry *entry, const char *sentence)
{
    char line[FINDING_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    if (sentence == NULL)
        finding_sentence(entry, &text);
    else
        text_add(&text, sentence);
    finding_where(entry, sentence == NULL ? entry->finding.at_us : entry->at_us, &text);
    text_add_char(&text, ')');
    told_put(json, "text", entry, line);
}

static void requirement_put(struct json_writer *json, const struct requirement *requirement)
{
    char line[FINDING_LINE_MAX];
    struct text text = text_of(line, sizeof line);
    if (requirement == NULL)
        return;
    finding_statement(requirement, &text);
    json_text(json, "level", requirement_level_name(requirement->level));
    json_text(json, "party", finding_party(requirement));
    json_text(json, "source", requirement->source);
    json_text(json, "statement", line);
}

/* `sentence`: of a finding that no requirement names; else NULL. */
static void finding_put(struct json_writer *json, const struct journal_entry *entry, const char *sentence)
{
    const struct finding *finding = &entry->finding;
    json_open(json, NULL, '{');
    json_u64(json, "n", entry->sequence);
    json_u64(json, "session", entry->connection);
    json_text(json, "family", entry->class == NULL ? NULL : entry->class->family->name);
    json_u64(json, "at_us", sentence == NULL ? finding->at_us : entry->at_us);
    json_text(json, "requirement", sentence == NULL ? finding->requirement : NULL);
    json_bool(json, "note", sentence == NULL && finding->note);
    if (sentence == NULL) {
        requirement_put(json, requirement_by_id(finding->requirement));
        told_put(json, "expected", entry, finding->expected);
        told_put(json, "actual", entry, finding->actual);
    }
    text_put(json, entry, sentence);
    json_close(json, '}');
}

static char *line_of(const struct journal_entry *entry, const char *sentence)
{
    struct buffer line;
    buffer_init(&line, FINDINGS_LINE_MAX);
    struct json_writer json = json_writer_of(&line);
    finding_put(&json, entry, sentence);
    char *copy = NULL;
    if (!json.failed && buffer_append(&line, bytes_of("", 1)))
        copy = strdup((const char *)line.data);
    buffer_free(&line);
    return copy;
}

/* Doubles the list when it is full; false without memory or beyond FINDINGS_MAX. */
static bool place_there(struct findings *findings)
{
    const size_t count = findings->count;
    if (count >= FINDINGS_MAX)
        return false;
    if (count != 0 && (count < FIRST_CAPACITY || (count & (count - 1)) != 0))
        return true;
    const size_t capacity = count == 0 ? FIRST_CAPACITY : 2 * count;
    struct kept_finding *list = realloc(findings->list, capacity * sizeof *list);
    if (list == NULL)
        return false;
    findings->list = list;
    return true;
}

static void add(struct findings *findings, const struct journal_entry *entry, const char *sentence)
{
    char *line = place_there(findings) ? line_of(entry, sentence) : NULL;
    if (line == NULL) {
        findings->lost++;
        return;
    }
    findings->bytes += strlen(line);
    findings->list[findings->count++] =
        (struct kept_finding){.sequence = entry->sequence,
                              .connection = entry->connection,
                              .class = entry->class,
                              .requirement = sentence == NULL ? entry->finding.requirement : NULL,
                              .note = sentence == NULL && entry->finding.note,
                              .line = line};
}

void findings_entry(struct findings *findings, const struct journal_entry *entry)
{
    char sentence[ANSWERED_SENTENCE_MAX];
    if (entry->kind == JOURNAL_FINDING)
        add(findings, entry, NULL);
    if (answered_entry(&findings->answered, entry, sentence))
        add(findings, entry, sentence);
}

void findings_clear(struct findings *findings)
{
    for (size_t n = 0; n < findings->count; n++)
        free(findings->list[n].line);
    free(findings->list);
    findings->list = NULL;
    findings->count = findings->bytes = 0;
    findings->lost = 0;
}
