#include "conformance/process/capture.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "codec/wire/json.h"
#include "conformance/judge/judge.h"

enum { OBSERVATIONS_FIRST = 256, QUOTED_LINE_MAX = 60 };

void capture_init(struct capture *capture, enum capture_kind kind)
{
    *capture = (struct capture){.kind = kind, .line_number = 1};
    buffer_init(&capture->head, CAPTURE_HEAD_MAX);
    buffer_init(&capture->tail, 2 * (size_t)CAPTURE_TAIL_MAX);
    buffer_init(&capture->line, OBSERVATION_LINE_MAX);
    crash_marks_init(&capture->marks);
}

void capture_free(struct capture *capture)
{
    buffer_free(&capture->head);
    buffer_free(&capture->tail);
    buffer_free(&capture->line);
    free(capture->observations);
    *capture = (struct capture){0};
}

/* ---- what is kept as it came ---- */

static struct bytes last_of(struct bytes data, size_t len)
{
    return data.len <= len ? data : bytes_of(data.data + data.len - len, len);
}

static void keep(struct capture *capture, struct bytes data)
{
    const size_t room = CAPTURE_HEAD_MAX - capture->head.len;
    const size_t first = data.len < room ? data.len : room;
    bool kept = buffer_append(&capture->head, bytes_of(data.data, first));
    const struct bytes rest =
        last_of(bytes_of(data.data + first, data.len - first), (size_t)CAPTURE_TAIL_MAX);
    if (capture->tail.len + rest.len > 2 * (size_t)CAPTURE_TAIL_MAX)
        buffer_consume(&capture->tail, capture->tail.len - (CAPTURE_TAIL_MAX - rest.len));
    kept = buffer_append(&capture->tail, rest) && kept;
    (void)kept; /* what does not fit is counted in `bytes` */
}

static struct bytes tail_of(const struct capture *capture)
{
    return last_of(buffer_bytes(&capture->tail), (size_t)CAPTURE_TAIL_MAX);
}

static uint64_t bytes_cut(const struct capture *capture)
{
    return capture->bytes - capture->head.len - tail_of(capture).len;
}

bool capture_kept(const struct capture *capture, struct buffer *out)
{
    char note[CAPTURE_NOTE_MAX] = "";
    struct text text = text_of(note, sizeof note);
    if (bytes_cut(capture) > 0) {
        text_add(&text, "\n[");
        text_add_u64(&text, bytes_cut(capture));
        text_add(&text, " bytes were cut here]\n");
    }
    return buffer_append(out, buffer_bytes(&capture->head)) && buffer_append(out, bytes_of_text(note)) &&
           buffer_append(out, tail_of(capture));
}

static void describe(struct text *out, uint64_t count, const char *what)
{
    if (count == 0)
        return;
    text_add_u64(out, count);
    text_add(out, what);
}

void capture_describe_cuts(const struct capture *capture, struct text *out)
{
    describe(out, bytes_cut(capture),
             capture->kind == CAPTURE_ERRORS   ? " bytes of standard error are not kept here.\n"
             : capture->kind == CAPTURE_OUTPUT ? " bytes of standard output are not kept here.\n"
                                               : " bytes of what was posted are not kept here.\n");
    describe(out, capture->observations_cut, " observations beyond the limit were not judged.\n");
    describe(out, capture->lines_unread,
             " objects stood in lines of more than 4096 bytes and were not read as observations.\n");
}

/* ---- observations ---- */

static bool make_room(struct capture *capture)
{
    if (capture->observation_count < capture->observation_capacity)
        return true;
    size_t more = capture->observation_capacity == 0 ? OBSERVATIONS_FIRST : capture->observation_capacity * 2;
    if (more > JUDGE_OBSERVATIONS_MAX)
        more = JUDGE_OBSERVATIONS_MAX;
    if (more == capture->observation_capacity)
        return false;
    struct observation *grown = realloc(capture->observations, more * sizeof *grown);
    if (grown == NULL)
        return false;
    capture->observations = grown;
    capture->observation_capacity = more;
    return true;
}

static void add_observation(struct capture *capture, const struct observation *observation)
{
    if (make_room(capture))
        capture->observations[capture->observation_count++] = *observation;
    else
        capture->observations_cut++;
}

static void note_bad_observation(struct capture *capture, const char *error)
{
    if (capture->bad_observation[0] != '\0')
        return;
    struct text text = text_of(capture->bad_observation, sizeof capture->bad_observation);
    text_add(&text, "in line ");
    text_add_u64(&text, capture->line_number);
    text_add(&text, capture->kind == CAPTURE_POSTED ? " of what was posted: " : " of standard output: ");
    text_add(&text, error);
    text_add(&text, ": ");
    text_add_printable(&text, buffer_bytes(&capture->line), QUOTED_LINE_MAX);
}

static bool holds(struct bytes line, const char *name)
{
    const size_t len = strlen(name);
    for (size_t i = 0; i + len <= line.len; i++)
        if (memcmp(line.data + i, name, len) == 0)
            return true;
    return false;
}

static bool names_conform(struct bytes line)
{
    return holds(line, "\"conform\"");
}

static bool is_exit(int64_t code)
{
    return code == 0 || code == 1 || code == 77 || code == 99;
}

/* Is the line the client's word that it is done with the case? */
static bool take_done(struct capture *capture)
{
    const struct bytes line = buffer_bytes(&capture->line);
    cJSON *json = NULL;
    int64_t version = 0, code = 0;
    if (line.data[0] != '{' || !names_conform(line) || !holds(line, "\"done\"") ||
        json_parse(line, &json).status != WIRE_OK)
        return false;
    const cJSON *conform = json_member(json, "conform"), *done = json_member(json, "done");
    const bool meant = done != NULL && conform != NULL && json_member(json, "seen") == NULL;
    if (meant && json_integer(conform, &version) && version == 1 && json_integer(done, &code) &&
        is_exit(code)) {
        capture->done = true;
        capture->done_code = (int)code;
    } else if (meant) {
        note_bad_observation(capture, "\"done\" is none of 0, 1, 77 and 99");
    }
    cJSON_Delete(json);
    return meant;
}

/* Any other long line is the client's own log. */
static void finish_long_line(struct capture *capture)
{
    const struct bytes begin = buffer_bytes(&capture->line);
    if (begin.len == 0 || begin.data[0] != '{')
        return;
    if (names_conform(begin))
        note_bad_observation(capture, "the line is longer than 4096 bytes");
    else
        capture->lines_unread++;
}

static void finish_line(struct capture *capture)
{
    struct observation observation;
    char error[200] = "";
    if (capture->line_too_long) {
        finish_long_line(capture);
    } else if (capture->line.len > 0 && !take_done(capture)) {
        switch (observation_read(buffer_bytes(&capture->line), &observation, error)) {
        case OBSERVATION_NONE:
            break;
        case OBSERVATION_GOOD:
            add_observation(capture, &observation);
            break;
        case OBSERVATION_BAD:
            note_bad_observation(capture, error);
            break;
        }
    }
    buffer_clear(&capture->line);
    capture->line_too_long = false;
    capture->line_number++;
}

static void read_lines(struct capture *capture, struct bytes data)
{
    while (data.len > 0) {
        const uint8_t *newline = memchr(data.data, '\n', data.len);
        const size_t len = newline == NULL ? data.len : (size_t)(newline - data.data);
        const size_t room = OBSERVATION_LINE_MAX - capture->line.len;
        const bool whole =
            buffer_append(&capture->line, bytes_of(data.data, len < room ? len : room)) && len <= room;
        capture->line_too_long = capture->line_too_long || !whole;
        if (newline == NULL)
            return;
        finish_line(capture);
        data = bytes_of(data.data + len + 1, data.len - len - 1);
    }
}

void capture_feed(struct capture *capture, struct bytes data)
{
    capture->bytes += data.len;
    keep(capture, data);
    switch (capture->kind) {
    case CAPTURE_OUTPUT:
    case CAPTURE_POSTED:
        read_lines(capture, data);
        break;
    case CAPTURE_ERRORS:
        crash_marks_feed(&capture->marks, data);
        break;
    }
}

void capture_end(struct capture *capture)
{
    switch (capture->kind) {
    case CAPTURE_OUTPUT:
    case CAPTURE_POSTED:
        if (capture->line.len > 0)
            finish_line(capture);
        break;
    case CAPTURE_ERRORS:
        crash_marks_end(&capture->marks);
        break;
    }
}
