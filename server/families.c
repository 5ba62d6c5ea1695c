#include "server/core/session.h"

#define FAMILY(name, prefix) extern const struct session_class prefix##_SESSION_CLASS;
#include "server/families.inc"
#undef FAMILY

const struct session_class *const SESSION_CLASSES[] = {
#define FAMILY(name, prefix) &prefix##_SESSION_CLASS,
#include "server/families.inc"
#undef FAMILY
    NULL};

const struct session_class *session_class_by_family(const char *family)
{
    for (size_t i = 0; SESSION_CLASSES[i] != NULL; i++)
        if (strcmp(SESSION_CLASSES[i]->family->name, family) == 0)
            return SESSION_CLASSES[i];
    return NULL;
}

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

const struct session_class *session_class_of_script(struct bytes text)
{
    while (text.len > 0) {
        const uint8_t *newline = memchr(text.data, '\n', text.len);
        const size_t len = newline == NULL ? text.len : (size_t)(newline - text.data);
        const struct bytes name = family_of_line(bytes_of(text.data, len));
        for (size_t i = 0; name.len > 0 && SESSION_CLASSES[i] != NULL; i++)
            if (bytes_equal_text(name, SESSION_CLASSES[i]->family->name))
                return SESSION_CLASSES[i];
        text = newline == NULL ? bytes_of(NULL, 0) : bytes_of(newline + 1, text.len - len - 1);
    }
    return SESSION_CLASSES[0];
}
