#include "codec/wire/json_scan.h"

struct scan {
    struct bytes text;
    size_t at;
    unsigned depth;
};

/* The string whose first quote stands at `at`, which goes behind its last. False: it does not end. */
static bool string_take(struct scan *scan, struct bytes *out)
{
    const size_t first = ++scan->at;
    while (scan->at < scan->text.len) {
        const uint8_t *quote = memchr(scan->text.data + scan->at, '"', scan->text.len - scan->at);
        if (quote == NULL)
            return false;
        const size_t end = (size_t)(quote - scan->text.data);
        size_t backslashes = 0;
        while (end - backslashes > first && scan->text.data[end - backslashes - 1] == '\\')
            backslashes++;
        scan->at = end + 1;
        if (backslashes % 2 != 0)
            continue;
        *out = bytes_of(scan->text.data + first, end - first);
        return true;
    }
    return false;
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void blanks_skip(struct scan *scan)
{
    while (scan->at < scan->text.len && is_blank(scan->text.data[scan->at]))
        scan->at++;
}

/* A string has just been taken: is it that name, and the value a string? */
static bool value_take(struct scan *scan, struct bytes string, const char *name, struct bytes *out)
{
    blanks_skip(scan);
    if (!bytes_equal_text(string, name) || scan->at == scan->text.len || scan->text.data[scan->at] != ':')
        return false;
    scan->at++;
    blanks_skip(scan);
    return scan->at < scan->text.len && scan->text.data[scan->at] == '"' && string_take(scan, out);
}

bool json_scan_text(struct bytes text, const char *name, unsigned depth_max, struct bytes *out)
{
    struct scan scan = {.text = text};
    while (scan.at < text.len) {
        const uint8_t c = text.data[scan.at];
        if (c == '"') {
            struct bytes string;
            if (!string_take(&scan, &string))
                return false;
            if (scan.depth <= depth_max && value_take(&scan, string, name, out))
                return true;
            continue;
        }
        if (c == '{' || c == '[')
            scan.depth++;
        else if ((c == '}' || c == ']') && scan.depth > 0)
            scan.depth--;
        scan.at++;
    }
    return false;
}
