#include "conformance/report/case_picture.h"

#include <stdlib.h>

#include "conformance/report/picture_rows.h"
#include "conformance/report/picture_seen.h"
#include "conformance/report/wire_bytes.h"

enum {
    ROW_BYTES_MAX = 8192,     /* of JSON */
    DETAIL_BYTES_MAX = 900,   /* of a row that a check hangs on, or of a short session */
    DETAIL_BYTES_SHORT = 240, /* of any other */
    ROWS_OF_SHORT_SESSION = 60,
    CHECK_BYTES_MAX = 6 * 2 * JUDGE_TEXT_MAX + 1024
};

struct picture {
    const struct picture_source *source;
    size_t check_count;
    const struct check_result *checks[PICTURE_CHECKS_MAX];
    bool *marked; /* by entry of the journal */
    struct picture_row *rows;
    size_t row_count;
};

/* ---- which checks ---- */

static void checks_choose(struct picture *picture)
{
    const struct case_result *result = picture->source->result;
    for (int failing = 1; failing >= 0; failing--) {
        for (size_t i = 0; i < result->check_count && picture->check_count < PICTURE_CHECKS_MAX; i++) {
            const struct check_result *check = &result->checks[i];
            if (check->verdict != VERDICT_PASS && check_fails(check) == (failing == 1))
                picture->checks[picture->check_count++] = check;
        }
    }
    for (size_t i = 0; i < picture->check_count; i++) {
        const size_t at = picture_entry_of(picture->source->journal, picture->checks[i]->journal_sequence);
        if (at != SIZE_MAX)
            picture->marked[at] = true;
    }
}

/* ---- rows ---- */

static void string_member(struct text *out, const char *name, const char *value)
{
    if (value[0] != '\0')
        text_add_json_text_member(out, name, value);
}

static void payload_add(struct text *out, const char *name, bool there, uint32_t bytes, uint32_t crc)
{
    if (!there)
        return;
    uint8_t digits[4] = {(uint8_t)(crc >> 24), (uint8_t)(crc >> 16), (uint8_t)(crc >> 8), (uint8_t)crc};
    text_add(out, "\n");
    text_add(out, name);
    text_add_u64(out, bytes);
    text_add(out, " bytes, CRC-32 ");
    text_add_hex(out, bytes_of(digits, sizeof digits));
}

static void frame_add(struct text *out, const struct frame_summary *frame)
{
    if (!frame->decodes) {
        text_add(out, "does not decode\n");
        return;
    }
    text_add(out, "index ");
    text_add_u64(out, frame->index);
    text_add(out, frame->is_final ? ", final" : "");
    text_add(out, "\ninteraction ");
    text_add_uuid(out, frame->interaction);
    payload_add(out, "sound: ", frame->has_audio, frame->audio_bytes, frame->audio_crc);
    payload_add(out, "picture: ", frame->has_image, frame->image_bytes, frame->image_crc);
    text_add_char(out, '\n');
}

static void detail_write(struct text *out, const struct journal_entry *entry, size_t bytes_max)
{
    if (entry->has_frame)
        frame_add(out, &entry->frame);
    if (entry->kind == JOURNAL_WIRE) {
        switch (entry->wire.kind) {
        case WIRE_EVENT_BINARY:
            wire_bytes_write(out, entry);
            return;
        case WIRE_EVENT_CLOSE:
        case WIRE_EVENT_RESPONSE:
            text_add(out, "code ");
            text_add_u64(out, entry->wire.code);
            text_add(out, entry->wire.data.len > 0 ? "\n" : "");
            break;
        case WIRE_EVENT_END:
            text_add(out, entry->wire.code == 0 ? "ended in order" : "reset");
            break;
        case WIRE_EVENT_REQUEST:
        case WIRE_EVENT_TEXT:
        case WIRE_EVENT_PING:
        case WIRE_EVENT_PONG:
        case WIRE_EVENT_VIOLATION:
        case WIRE_EVENT_TRANSPORT:
            break;
        }
    }
    wire_text_write(out, entry, bytes_max);
}

static void detail_member(struct text *out, const char *name, const struct journal_entry *entry,
                          size_t bytes_max)
{
    char detail[2 * DETAIL_BYTES_MAX];
    struct text text = text_of(detail, sizeof detail);
    detail_write(&text, entry, bytes_max);
    string_member(out, name, detail);
}

static const char *lane_of(const struct journal_entry *entry)
{
    if (entry->kind != JOURNAL_WIRE)
        return "n";
    return entry->wire.direction == WIRE_FROM_CLIENT ? "c" : "s";
}

static void label_member(struct text *out, const struct journal_entry *entry)
{
    char label[ACTION_LABEL_MAX + 64];
    struct text text = text_of(label, sizeof label);
    switch (entry->kind) {
    case JOURNAL_STEP:
    case JOURNAL_FAILED:
        text_add(&text, entry->kind == JOURNAL_STEP ? "line " : "not done: line ");
        text_add_u64(&text, entry->line);
        text_add(&text, entry->label[0] == '\0' ? "" : ": ");
        text_add(&text, entry->label);
        break;
    case JOURNAL_MARK:
        text_add(&text, "mark ");
        text_add(&text, entry->label);
        break;
    case JOURNAL_DONE:
        text_add(&text, "the script has ended");
        break;
    case JOURNAL_OWN_ERROR:
        text_add(&text, "our own error");
        break;
    case JOURNAL_WIRE:
    case JOURNAL_TRANSPORT:
    case JOURNAL_CAPTURE:
    case JOURNAL_FINDING:
    case JOURNAL_TAKEN:
    case JOURNAL_DROPPED:
        text_add(&text, entry->label[0] == '\0' ? "message" : entry->label);
        break;
    }
    string_member(out, "k", label);
}

static void checks_member(struct text *out, const struct picture *picture, const struct picture_row *row)
{
    const struct journal *journal = picture->source->journal;
    bool any = false;
    for (size_t i = 0; row->marked && i < picture->check_count; i++) {
        const size_t at = picture_entry_of(journal, picture->checks[i]->journal_sequence);
        if (at == SIZE_MAX || journal_at(journal, at) != row->first)
            continue;
        text_add(out, any ? "," : ",\"m\":[");
        text_add_u64(out, i);
        any = true;
    }
    text_add(out, any ? "]" : "");
}

static void row_write(struct text *out, const struct picture *picture, const struct picture_row *row)
{
    const struct journal_entry *entry = row->first;
    const bool whole = row->marked || picture->row_count <= ROWS_OF_SHORT_SESSION;
    const size_t bytes_max = whole ? DETAIL_BYTES_MAX : DETAIL_BYTES_SHORT;
    text_add(out, "{\"t\":");
    text_add_u64(out, entry->at_us);
    string_member(out, "d", lane_of(entry));
    label_member(out, entry);
    string_member(out, "s", entry->kind == JOURNAL_WIRE ? entry->step : "");
    if (entry->connection > 1)
        text_add_json_number_member(out, "c", entry->connection);
    if (row->count > 1) {
        text_add_json_number_member(out, "e", row->last->at_us);
        text_add_json_number_member(out, "n", row->count);
        detail_member(out, "y", row->last, bytes_max);
    }
    if (row->bytes > 0)
        text_add_json_number_member(out, "b", row->bytes);
    if (entry->wire.fault && entry->kind == JOURNAL_WIRE)
        text_add_json_number_member(out, "f", 1);
    detail_member(out, "x", entry, bytes_max);
    checks_member(out, picture, row);
    text_add_char(out, '}');
}

/* With more rows than are shown, those from the beginning and the end are, and those that are marked. */
static bool row_is_wanted(const struct picture *picture, size_t n)
{
    return picture->rows[n].marked || picture->row_count <= PICTURE_ROWS_MAX || n < PICTURE_ROWS_MAX / 2 ||
           n >= picture->row_count - PICTURE_ROWS_MAX / 2;
}

static void rows_write(struct text *out, const struct picture *picture, size_t reserve)
{
    char data[ROW_BYTES_MAX];
    uint64_t left_out = 0;
    bool first = true;
    text_add(out, "\"rows\":[");
    for (size_t i = 0; i < picture->row_count; i++) {
        struct text item = text_of(data, sizeof data);
        if (left_out > 0 && row_is_wanted(picture, i)) {
            text_add(&item, "{\"o\":");
            text_add_u64(&item, left_out);
            text_add_char(&item, '}');
            left_out = picture_item_add(out, &item, &first, reserve) ? 0 : left_out;
            item = text_of(data, sizeof data);
        }
        if (row_is_wanted(picture, i))
            row_write(&item, picture, &picture->rows[i]);
        if (!row_is_wanted(picture, i) || !picture_item_add(out, &item, &first, reserve + 64))
            left_out++;
    }
    text_add(out, "]");
    text_add_json_number_member(out, "cut", left_out);
}

/* ---- what hangs on them ---- */

static void checks_write(struct text *out, const struct picture *picture)
{
    char data[CHECK_BYTES_MAX];
    bool first = true;
    text_add(out, "\"checks\":[");
    for (size_t i = 0; i < picture->check_count; i++) {
        const struct check_result *check = picture->checks[i];
        const char *const parts[] = {check->name, check->requirement->id, verdict_name(check->verdict),
                                     check->expected, check->actual};
        struct text item = text_of(data, sizeof data);
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            text_add(&item, k == 0 ? "[" : ",");
            text_add_json_string(&item, bytes_of_text(parts[k]));
        }
        text_add_char(&item, ']');
        picture_item_add(out, &item, &first, 0);
    }
    text_add(out, "],");
}

void case_picture_write(struct text *out, const struct picture_source *source)
{
    const size_t entries = journal_count(source->journal);
    struct picture picture = {.source = source,
                              .marked = calloc(entries + 1, sizeof *picture.marked),
                              .rows = calloc(entries + 1, sizeof *picture.rows)};
    const size_t begin = out->len;
    if (picture.marked != NULL && picture.rows != NULL) {
        checks_choose(&picture);
        picture.row_count = picture_rows_gather(source->journal, picture.marked, picture.rows);
        text_add_char(out, '{');
        checks_write(out, &picture);
        picture_seen_write(out, source, picture.checks, picture.check_count);
        rows_write(out, &picture, 64);
        text_add_char(out, '}');
    }
    if (picture.marked == NULL || picture.rows == NULL || out->cut) {
        *out = (struct text){.data = out->data, .capacity = out->capacity, .len = begin};
        out->data[begin] = '\0';
        text_add(out, "{}");
    }
    free(picture.marked);
    free(picture.rows);
}
