#include "conformance/process/output_tail.h"

#include "codec/wire/bytes.h"
#include "codec/wire/secret.h"

/* AddressSanitizer ends with a picture of its memory and the legend of it: a page that tells nobody of the
 * client, in the place of what does. */
static struct bytes without_shadow(struct bytes data)
{
    static const char SHADOW[] = "\nShadow bytes around the buggy address:";
    const size_t len = sizeof SHADOW - 1;
    for (size_t at = data.len; at >= len; at--)
        if (memcmp(data.data + at - len, SHADOW, len) == 0)
            return bytes_of(data.data, at - len + 1);
    return data;
}

/* The last bytes of a stream. */
static struct bytes end_of(const struct capture *capture)
{
    const struct bytes tail =
        without_shadow(buffer_bytes(capture->tail.len > 0 ? &capture->tail : &capture->head));
    const size_t len = tail.len < CAPTURE_TAIL_MAX ? tail.len : CAPTURE_TAIL_MAX;
    return bytes_of(tail.data + (tail.len - len), len);
}

/* The line that ends before `*end`, which is moved to its begin. */
static struct bytes line_before(struct bytes data, size_t *end)
{
    size_t begin = *end;
    while (begin > 0 && data.data[begin - 1] != '\n')
        begin--;
    const struct bytes line = bytes_of(data.data + begin, *end - begin);
    *end = begin > 0 ? begin - 1 : 0;
    return line;
}

static bool is_log(struct bytes line)
{
    struct observation observation;
    char error[200];
    return observation_read(line, &observation, error) == OBSERVATION_NONE;
}

/* How many bytes of lines from the end, observations among them, hold as much log as is shown. */
static size_t log_begin(struct bytes data, bool observes)
{
    size_t end = data.len;
    size_t begin = data.len;
    size_t log = 0;
    while (end > 0 && log <= OUTPUT_TAIL_BYTES_MAX) {
        const struct bytes line = line_before(data, &end);
        log += !observes || is_log(line) ? line.len + 1 : 0;
        if (log <= OUTPUT_TAIL_BYTES_MAX)
            begin = end;
    }
    return begin;
}

/* What comes behind a byte of 0 is to be read as well. */
static void plain_add(struct text *out, struct bytes bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        if (bytes.data[i] == 0)
            text_add(out, "\\0");
        else
            text_add_char(out, (char)bytes.data[i]);
    }
}

static void line_add(struct text *out, struct bytes line, struct bytes key)
{
    size_t at;
    size_t len;
    while (secret_find(line, key, &at, &len)) {
        plain_add(out, bytes_of(line.data, at));
        text_add(out, "{key}");
        line = bytes_of(line.data + at + len, line.len - at - len);
    }
    plain_add(out, line);
    text_add_char(out, '\n');
}

/* A call of a stack that is written newest first: "    at f (file:1:2)". The calls that matter come first. */
static bool is_call(struct bytes line)
{
    size_t at = 0;
    while (at < line.len && (line.data[at] == ' ' || line.data[at] == '\t'))
        at++;
    return at > 0 && bytes_begin_with(bytes_of(line.data + at, line.len - at), "at ");
}

static void log_add(struct text *out, const char *title, const struct capture *capture, struct bytes key)
{
    const bool observes = capture->kind == CAPTURE_OUTPUT;
    const struct bytes data = end_of(capture);
    bool any = false;
    size_t calls = 0;
    for (size_t at = log_begin(data, observes); at < data.len;) {
        size_t end = at;
        while (end < data.len && data.data[end] != '\n')
            end++;
        const struct bytes line = bytes_of(data.data + at, end - at);
        at = end + 1;
        if (line.len == 0 || (observes && !is_log(line)))
            continue;
        if (!any)
            text_add(out, title);
        any = true;
        calls = is_call(line) ? calls + 1 : 0;
        if (calls <= OUTPUT_TAIL_CALLS_MAX)
            line_add(out, line, key);
        else if (calls == OUTPUT_TAIL_CALLS_MAX + 1)
            text_add(out, "    and so on\n");
    }
}

void output_tail_write(struct text *out, const struct capture *output, const struct capture *errors,
                       struct bytes key)
{
    log_add(out, "standard output:\n", output, key);
    log_add(out, out->len > 0 ? "\nstandard error:\n" : "standard error:\n", errors, key);
}
