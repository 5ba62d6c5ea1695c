#include "conformance/run/capture.h"

#include <stdlib.h>

#include "conformance/judge/judge.h"

void capture_init(struct capture *capture, bool observes)
{
    *capture = (struct capture){.observes = observes};
    buffer_init(&capture->kept, CAPTURE_BYTES_MAX);
    buffer_init(&capture->line, OBSERVATION_LINE_MAX);
}

void capture_free(struct capture *capture)
{
    buffer_free(&capture->kept);
    buffer_free(&capture->line);
    free(capture->observations);
    *capture = (struct capture){0};
}

static void add_observation(struct capture *capture, const struct observation *observation)
{
    if (capture->observation_count == capture->observation_capacity) {
        const size_t more = capture->observation_capacity == 0 ? 256 : capture->observation_capacity * 2;
        struct observation *grown = NULL;
        if (more <= JUDGE_OBSERVATIONS_MAX)
            grown = realloc(capture->observations, more * sizeof *grown);
        if (grown == NULL) {
            capture->observations_cut = true;
            return;
        }
        capture->observations = grown;
        capture->observation_capacity = more;
    }
    capture->observations[capture->observation_count++] = *observation;
}

static void finish_line(struct capture *capture)
{
    if (!capture->line_too_long && capture->line.len > 0) {
        struct observation observation;
        char error[200] = "";
        switch (observation_read(buffer_bytes(&capture->line), &observation, error)) {
        case OBSERVATION_NONE:
            break;
        case OBSERVATION_GOOD:
            add_observation(capture, &observation);
            break;
        case OBSERVATION_BAD:
            if (capture->bad_observation[0] == '\0') {
                struct text text = text_of(capture->bad_observation, sizeof capture->bad_observation);
                text_add(&text, error);
            }
            break;
        }
    }
    buffer_clear(&capture->line);
    capture->line_too_long = false;
}

void capture_feed(struct capture *capture, struct bytes data)
{
    capture->bytes += data.len;
    const size_t room = CAPTURE_BYTES_MAX - capture->kept.len;
    const bool kept = buffer_append(&capture->kept, bytes_of(data.data, data.len < room ? data.len : room));
    (void)kept; /* what does not fit is counted in `bytes` */
    if (!capture->observes)
        return;
    while (data.len > 0) {
        const uint8_t *newline = memchr(data.data, '\n', data.len);
        const size_t len = newline == NULL ? data.len : (size_t)(newline - data.data);
        if (!buffer_append(&capture->line, bytes_of(data.data, len)))
            capture->line_too_long = true;
        if (newline == NULL)
            return;
        finish_line(capture);
        data = bytes_of(data.data + len + 1, data.len - len - 1);
    }
}

void capture_end(struct capture *capture)
{
    if (capture->observes)
        finish_line(capture);
}

bool capture_was_cut(const struct capture *capture)
{
    return capture->bytes > capture->kept.len || capture->observations_cut;
}

static bool find(struct bytes in, const char *what, size_t *at)
{
    const size_t len = strlen(what);
    for (size_t i = 0; len <= in.len && i <= in.len - len; i++) {
        if (memcmp(in.data + i, what, len) == 0) {
            *at = i;
            return true;
        }
    }
    return false;
}

bool crash_report_find(struct bytes standard_error, char *sentence, size_t capacity)
{
    static const struct {
        const char *mark;
        const char *meaning;
    } reports[] = {
        {"ERROR: AddressSanitizer", "AddressSanitizer report: "},
        {"WARNING: ThreadSanitizer", "ThreadSanitizer report: "},
        {"ERROR: LeakSanitizer", "LeakSanitizer report: "},
        {"WARNING: MemorySanitizer", "MemorySanitizer report: "},
        {": runtime error: ", "UndefinedBehaviorSanitizer report: "},
        {"Traceback (most recent call last)", "uncaught exception: "},
        {"Uncaught", "uncaught exception: "},
        {"\nNode.js v", "uncaught exception: "},
        {"thread 'main' panicked at", "panic: "},
        {"panic: ", "panic: "},
        {"Exception in thread \"main\"", "uncaught exception: "},
        {"Unhandled exception", "uncaught exception: "},
    };
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        size_t at = 0;
        if (!find(standard_error, reports[i].mark, &at))
            continue;
        /* Runtimes put what happened on their last line, sanitizers on the one with the mark. */
        size_t begin = at, end = at;
        if (strstr(reports[i].meaning, "uncaught") != NULL && reports[i].mark[0] == 'T') {
            end = standard_error.len;
            while (end > at && standard_error.data[end - 1] == '\n')
                end--;
            begin = end;
        }
        while (begin > 0 && standard_error.data[begin - 1] != '\n')
            begin--;
        while (end < standard_error.len && standard_error.data[end] != '\n')
            end++;
        struct text text = text_of(sentence, capacity);
        text_add(&text, reports[i].meaning);
        text_add_printable(&text, bytes_of(standard_error.data + begin, end - begin), 200);
        return true;
    }
    return false;
}
