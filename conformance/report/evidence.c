#include "conformance/report/evidence.h"

#include "conformance/judge/pattern.h"
#include "conformance/judge/verdict.h"
#include "conformance/report/picture_rows.h"
#include "conformance/report/wire_bytes.h"
#include "conformance/report/wire_tail.h"

enum { HEAD_BYTES_MAX = 700 /* of a request or a response */ };

bool evidence_is_wanted(const struct case_result *result)
{
    for (size_t i = 0; i < result->check_count; i++)
        if (verdict_is_broken(result->checks[i].verdict) || result->checks[i].verdict == VERDICT_NOT_REACHED)
            return true;
    return case_fails(result);
}

/* ---- what the client said ---- */

static bool is_frame(const struct observation *seen)
{
    return seen->kind == OBSERVED_FRAME || seen->kind == OBSERVED_PLAYED;
}

static bool is_alike(const struct observation *a, const struct observation *b)
{
    return a->kind == b->kind && (is_frame(a) ? a->index == b->index && memcmp(a->interaction, b->interaction,
                                                                               sizeof a->interaction) == 0
                                              : a->kind == OBSERVED_HEARD || a->kind == OBSERVED_DELTA);
}

/* The last of the first `count` observations, a line each, like ones in a row as one. */
static void seen_add(struct text *out, const struct picture_source *source, size_t count)
{
    size_t begins[EVIDENCE_SEEN_LINES + 1], lines = 0;
    size_t end = count < source->observation_count ? count : source->observation_count;
    if (source->messages == NULL || end == 0)
        return;
    begins[0] = end;
    while (end > 0 && lines < EVIDENCE_SEEN_LINES) {
        size_t begin = end - 1;
        while (begin > 0 && is_alike(&source->observations[begin - 1], &source->observations[end - 1]))
            begin--;
        begins[++lines] = begin;
        end = begin;
    }
    for (size_t n = lines; n > 0; n--) {
        text_add(out, n == lines ? "" : "\n");
        observation_describe(out, source->messages, &source->observations[begins[n - 1] - 1]);
        if (begins[n - 1] - begins[n] > 1) {
            text_add(out, "  x");
            text_add_u64(out, begins[n - 1] - begins[n]);
        }
    }
}

/* ---- the message ---- */

static void wire_add(struct text *out, const struct journal_entry *entry)
{
    if (entry->kind != JOURNAL_WIRE)
        return;
    wire_line_write(out, entry);
    switch (entry->wire.kind) {
    case WIRE_EVENT_BINARY:
        wire_bytes_write(out, entry);
        break;
    case WIRE_EVENT_REQUEST:
    case WIRE_EVENT_RESPONSE:
        wire_text_write(out, entry, HEAD_BYTES_MAX);
        break;
    case WIRE_EVENT_TEXT:
    case WIRE_EVENT_CLOSE:
    case WIRE_EVENT_PING:
    case WIRE_EVENT_PONG:
    case WIRE_EVENT_VIOLATION:
    case WIRE_EVENT_END:
    case WIRE_EVENT_TRANSPORT:
        break;
    }
    while (out->len > 0 && out->data[out->len - 1] == '\n')
        out->data[--out->len] = '\0';
}

static void item_take(const struct picture_source *source, const struct check_result *check,
                      struct evidence_item *out)
{
    *out = (struct evidence_item){.requirement = check->requirement};
    struct text name = text_of(out->check, sizeof out->check);
    struct text wire = text_of(out->wire, sizeof out->wire);
    struct text seen = text_of(out->seen, sizeof out->seen);
    text_add(&name, check->name);
    const size_t at = picture_entry_of(source->journal, check->journal_sequence);
    if (at != SIZE_MAX)
        wire_add(&wire, journal_at(source->journal, at));
    if (check->observation_number > 0)
        seen_add(&seen, source, (size_t)check->observation_number);
}

/* Those of one verdict. */
static size_t items_take(const struct picture_source *source, enum verdict verdict, size_t count,
                         struct evidence *out)
{
    for (size_t i = 0; i < source->result->check_count && count < EVIDENCE_MAX; i++) {
        const struct check_result *check = &source->result->checks[i];
        if (check->verdict == verdict && evidence_of(out, check) == NULL)
            item_take(source, check, &out->items[count++]);
    }
    return count;
}

void evidence_take(const struct picture_source *source, struct evidence *out)
{
    static const enum verdict worst_first[] = {VERDICT_FAIL, VERDICT_DISPUTED, VERDICT_WARN};
    size_t count = 0;
    *out = (struct evidence){.seen_last = ""};
    for (size_t n = 0; n < sizeof worst_first / sizeof worst_first[0]; n++)
        count = items_take(source, worst_first[n], count, out);
    struct text seen = text_of(out->seen_last, sizeof out->seen_last);
    seen_add(&seen, source, SIZE_MAX);
    struct text wire = text_of(out->wire_last, sizeof out->wire_last);
    wire_tail_write(&wire, source->journal, NULL, WIRE_TAIL_LINES);
}

const struct evidence_item *evidence_of(const struct evidence *evidence, const struct check_result *check)
{
    for (size_t i = 0; i < EVIDENCE_MAX; i++)
        if (evidence->items[i].requirement == check->requirement &&
            strcmp(evidence->items[i].check, check->name) == 0)
            return &evidence->items[i];
    return NULL;
}
