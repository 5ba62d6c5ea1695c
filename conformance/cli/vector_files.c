#include "conformance/cli/vector_files.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "codec/wire/buffer.h"
#include "conformance/options/options.h"

enum { SLUG_MAX = 64, FIELDS_MAX = 64 * 1024 };

bool vector_files_open(struct vector_files *files, const char *folder)
{
    char path[OPTIONS_PATH_MAX];
    *files = (struct vector_files){.folder = folder};
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return false;
    snprintf(path, sizeof path, "%s/index.tsv", folder);
    files->index = fopen(path, "w");
    return files->index != NULL;
}

bool vector_files_close(struct vector_files *files)
{
    return fclose(files->index) == 0;
}

bool vector_file_write(const char *folder, const char *name, const char *suffix, struct bytes content)
{
    char path[OPTIONS_PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    const bool good = content.len == 0 || fwrite(content.data, 1, content.len, file) == content.len;
    return fclose(file) == 0 && good;
}

/* "0001-ojin-frame-sound-before-the-picture" */
static void name_file(char slug[SLUG_MAX], unsigned number, const struct vector *vector)
{
    const int at = snprintf(slug, SLUG_MAX, "%04u-%s-", number, vector->family);
    size_t len = at < 0 ? 0 : (size_t)at;
    for (const char *c = vector->name; *c != '\0' && len + 1 < SLUG_MAX; c++) {
        if (isalnum((unsigned char)*c))
            slug[len++] = *c;
        else if (slug[len - 1] != '-')
            slug[len++] = '-';
    }
    while (slug[len - 1] == '-')
        len--;
    slug[len] = '\0';
}

static bool add_field(struct buffer *out, const char *within, const cJSON *item)
{
    char number[32];
    const char *value = cJSON_IsString(item) ? item->valuestring
                        : cJSON_IsTrue(item) ? "true"
                        : cJSON_IsBool(item) ? "false"
                        : cJSON_IsNull(item) ? "null"
                                             : number;
    snprintf(number, sizeof number, "%.17g", item->valuedouble);
    return buffer_append(out, bytes_of_text(within)) && buffer_append(out, bytes_of_text(item->string)) &&
           buffer_append(out, bytes_of_text(" ")) && buffer_append(out, bytes_of_text(value)) &&
           buffer_append(out, bytes_of_text("\n"));
}

/* Spans as "audio.bytes 1280"; nothing in there is deeper. */
static bool add_fields(struct buffer *out, const cJSON *decoded)
{
    for (const cJSON *item = decoded == NULL ? NULL : decoded->child; item != NULL; item = item->next) {
        char within[VECTOR_FIELD_MAX];
        snprintf(within, sizeof within, "%s.", item->string);
        if (!cJSON_IsObject(item) && !add_field(out, "", item))
            return false;
        for (const cJSON *part = cJSON_IsObject(item) ? item->child : NULL; part != NULL; part = part->next)
            if (!add_field(out, within, part))
                return false;
    }
    return true;
}

bool vector_files_add(void *context, const struct vector *vector)
{
    struct vector_files *files = context;
    struct buffer fields;
    char slug[SLUG_MAX];
    cJSON *object = vector_as_json(vector);
    char *json = object == NULL ? NULL : cJSON_Print(object);
    buffer_init(&fields, FIELDS_MAX);
    name_file(slug, ++files->count, vector);
    const bool good = json != NULL && add_fields(&fields, vector->decoded) &&
                      vector_file_write(files->folder, slug, ".bin", vector->message) &&
                      vector_file_write(files->folder, slug, ".json", bytes_of_text(json)) &&
                      vector_file_write(files->folder, slug, ".fields", buffer_bytes(&fields)) &&
                      fprintf(files->index, "%s\t%s\t%s\t%s\t%s\n", slug, vector->valid ? "valid" : "refused",
                              vector->kind, vector->from_client ? "client" : "server", vector->name) > 0;
    buffer_free(&fields);
    cJSON_free(json);
    cJSON_Delete(object);
    return good;
}
