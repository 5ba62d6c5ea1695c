/* Which family a script is of, before anything of it is understood. */
#include "server/core/session.h"

/* The family of a line "case FAMILY/AREA/NAME"; empty: it is another line. */
static struct bytes family_of_line(struct bytes line)
{
    static const char WORD[] = "case";
    size_t at = 0;
    while (at < line.len && (line.data[at] == ' ' || line.data[at] == '\t'))
        at++;
    if (line.len - at <= sizeof WORD || memcmp(line.data + at, WORD, sizeof WORD - 1) != 0)
        return bytes_of(NULL, 0);
    at += sizeof WORD - 1;
    const size_t blank = at;
    while (at < line.len && (line.data[at] == ' ' || line.data[at] == '\t'))
        at++;
    const uint8_t *slash = memchr(line.data + at, '/', line.len - at);
    if (at == blank || slash == NULL)
        return bytes_of(NULL, 0);
    return bytes_of(line.data + at, (size_t)(slash - (line.data + at)));
}

struct bytes script_family(struct bytes text)
{
    struct bytes name = bytes_of(NULL, 0);
    while (text.len > 0 && name.len == 0) {
        const uint8_t *newline = memchr(text.data, '\n', text.len);
        const size_t len = newline == NULL ? text.len : (size_t)(newline - text.data);
        name = family_of_line(bytes_of(text.data, len));
        text = newline == NULL ? bytes_of(NULL, 0) : bytes_of(newline + 1, text.len - len - 1);
    }
    return name;
}
