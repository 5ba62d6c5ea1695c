#include "server/mock/script_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/wire/text.h"

enum { FAMILY_SHOWN_MAX = 32 };

static struct script *complain(FILE *file, char error[SCRIPT_ERROR_MAX], const char *path, const char *why)
{
    snprintf(error, SCRIPT_ERROR_MAX, "ojin-mock: cannot read the script %.200s: %s", path, why);
    if (file != NULL)
        fclose(file);
    return NULL;
}

/* The class that it is parsed with; NULL with a sentence when its family is not served. */
static const struct session_class *class_of(const char *path, struct bytes text,
                                            const struct mock_options *options, char error[SCRIPT_ERROR_MAX])
{
    const struct bytes family = script_family(text);
    char name[FAMILY_SHOWN_MAX];
    struct text shown = text_of(name, sizeof name);
    for (size_t i = 0; i < options->family_count; i++)
        if (bytes_equal_text(family, options->families[i].class->family->name))
            return options->families[i].class;
    text_add_printable(&shown, family, sizeof name);
    if (session_class_by_family(name) == NULL)
        return options->families[0].class;
    snprintf(error, SCRIPT_ERROR_MAX, "ojin-mock: the script %.200s is of the family %s, which is not served",
             path, name);
    return NULL;
}

struct script *script_file_load(const char *path, const struct mock_options *options,
                                char error[SCRIPT_ERROR_MAX])
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return complain(NULL, error, path, strerror(errno));
    uint8_t *text = malloc(SCRIPT_BYTES_MAX + 1);
    if (text == NULL)
        return complain(file, error, path, strerror(ENOMEM));
    size_t len = fread(text, 1, SCRIPT_BYTES_MAX + 1, file);
    struct script *script = NULL;
    if (ferror(file))
        complain(file, error, path, strerror(errno));
    else if (len > SCRIPT_BYTES_MAX)
        complain(file, error, path, "it is larger than 256 KB");
    else {
        fclose(file);
        const struct session_class *class = class_of(path, bytes_of(text, len), options, error);
        script = class == NULL ? NULL : script_parse(path, bytes_of(text, len), class, error);
    }
    free(text);
    return script;
}
