#include "codec/wire/http_lines.h"

/* The line at the front of `head`, with its CRLF; all of it when there is none. */
static struct bytes line_at(struct bytes head)
{
    for (size_t i = 0; i + 1 < head.len; i++)
        if (head.data[i] == '\r' && head.data[i + 1] == '\n')
            return bytes_of(head.data, i + 2);
    return head;
}

static struct bytes after(struct bytes head, struct bytes line)
{
    return bytes_of(head.data + line.len, head.len - line.len);
}

/* What stands before the colon. */
static struct bytes name_of(struct bytes line)
{
    const uint8_t *colon = line.len == 0 ? NULL : memchr(line.data, ':', line.len);
    return bytes_of(line.data, colon == NULL ? 0 : (size_t)(colon - line.data));
}

static bool name_equal(struct bytes a, struct bytes b)
{
    if (a.len != b.len || a.len == 0)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if ((a.data[i] | 0x20) != (b.data[i] | 0x20))
            return false;
    return true;
}

static bool lines_name(struct bytes lines, struct bytes name)
{
    while (lines.len > 0) {
        const struct bytes line = line_at(lines);
        if (name_equal(name_of(line), name))
            return true;
        lines = after(lines, line);
    }
    return false;
}

bool http_lines_name(struct bytes lines, const char *name)
{
    return lines_name(lines, bytes_of_text(name));
}

static bool has_value(struct bytes line)
{
    for (size_t i = name_of(line).len + 1; i < line.len; i++)
        if (line.data[i] > ' ')
            return true;
    return false;
}

bool http_lines_rewrite(struct bytes head, struct bytes lines, struct buffer *out)
{
    bool good = true;
    while (good && head.len > 0) {
        const struct bytes line = line_at(head);
        const bool is_end = bytes_equal_text(line, "\r\n");
        for (struct bytes rest = lines; good && is_end && rest.len > 0; rest = after(rest, line_at(rest)))
            good = !has_value(line_at(rest)) || buffer_append(out, line_at(rest));
        if (!lines_name(lines, name_of(line)))
            good = good && buffer_append(out, line);
        head = after(head, line);
    }
    return good;
}
