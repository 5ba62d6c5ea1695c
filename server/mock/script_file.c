#include "server/mock/script_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static struct script *complain(FILE *file, char error[SCRIPT_ERROR_MAX], const char *path, const char *why)
{
    snprintf(error, SCRIPT_ERROR_MAX, "ojin-mock: cannot read the script %.200s: %s", path, why);
    if (file != NULL)
        fclose(file);
    return NULL;
}

struct script *script_file_load(const char *path, const struct session_class *class,
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
        script = script_parse(path, bytes_of(text, len), class, error);
    }
    free(text);
    if (script != NULL && !script_can_be_served(script, error)) {
        script_free(script);
        return NULL;
    }
    return script;
}
