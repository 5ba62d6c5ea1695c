#include "conformance/cli/corpus_files.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "codec/wire/crc32.h"
#include "conformance/cli/vector_files.h"
#include "conformance/options/options.h"

enum { NAME_MAX_BYTES = 96, DEPTH_MAX = 4 };

/* What stands in the header of a frame and of an entry, for who does not know them. */
static const char *const FRAME_WORDS[] = {
    "\\x00\\x00\\x00\\x01",      "\\x00\\x00\\x00\\x02",      "\\x00\\x00\\x00\\x00\\x01",
    "\\x00\\x00\\x00\\x00\\x02", "\\x00\\x00\\x05\\x00\\x01", "\\xff\\xff\\xff\\xff",
    "\\x7f\\xff\\xff\\xff",      "\\x80\\x00\\x00\\x00",      "\\xff\\xd8\\xff",
};

struct corpus *corpus_new(const struct mutate_class *mutate_class, const struct mutate_form *form)
{
    struct corpus *corpus = calloc(1, sizeof *corpus);
    if (corpus == NULL)
        return NULL;
    corpus->mutate_class = mutate_class;
    corpus->form = form;
    return corpus;
}

void corpus_free(struct corpus *corpus)
{
    for (size_t i = 0; corpus != NULL && i < corpus->seed_count; i++)
        free(corpus->seeds[i].data);
    free(corpus);
}

/* --- seeds --- */

static void tell_member(uint32_t *crc, const cJSON *item)
{
    *crc = crc32_more(*crc, bytes_of_text(item->string));
    *crc = crc32_more(*crc, bytes_of_text(cJSON_IsNull(item) ? "-" : "+"));
}

/* Two messages of one situation take the same way through a parser, as far as a vector tells. */
static uint32_t situation_of(const struct vector *vector)
{
    const cJSON *type = json_member(vector->decoded, "type");
    uint32_t crc = crc32_of(bytes_of_text(vector->from_client ? "client" : "server"));
    crc = crc32_more(crc, bytes_of_text(vector->profile == NULL ? "" : vector->profile));
    crc = crc32_more(crc, bytes_of_text(cJSON_IsString(type) ? type->valuestring : ""));
    if (!vector->valid) {
        crc = crc32_more(crc, bytes_of_text(vector->error));
        return crc32_more(crc, bytes_of_text(vector->field));
    }
    /* Of a frame the number of its entries, too, as far as it is small. */
    const cJSON *count = json_member(vector->decoded, "payload_count");
    const uint8_t entries = cJSON_IsNumber(count) && count->valuedouble < 4 ? (uint8_t)count->valuedouble : 4;
    crc = crc32_more(crc, bytes_of(&entries, 1));
    for (const cJSON *item = vector->decoded == NULL ? NULL : vector->decoded->child; item != NULL;
         item = item->next)
        tell_member(&crc, item);
    return crc;
}

static struct corpus_seed *seed_of(struct corpus *corpus, uint32_t situation)
{
    for (size_t i = 0; i < corpus->seed_count; i++)
        if (corpus->seeds[i].situation == situation)
            return &corpus->seeds[i];
    if (corpus->seed_count == CORPUS_SEEDS_MAX)
        return NULL;
    struct corpus_seed *seed = &corpus->seeds[corpus->seed_count++];
    *seed = (struct corpus_seed){.situation = situation};
    return seed;
}

static bool keep(struct corpus *corpus, const struct vector *vector)
{
    struct corpus_seed *seed = seed_of(corpus, situation_of(vector));
    const size_t len = vector->message.len;
    if (seed == NULL || (seed->data != NULL && seed->len <= len))
        return true;
    uint8_t *data = realloc(seed->data, len + 1);
    if (data == NULL)
        return false;
    if (len > 0)
        memcpy(data, vector->message.data, len);
    seed->data = data;
    seed->len = len;
    return true;
}

/* --- words --- */

static void add_word(struct corpus *corpus, const char *word)
{
    const size_t len = strlen(word);
    for (size_t i = 0; i < corpus->word_count; i++)
        if (strcmp(corpus->words[i], word) == 0)
            return;
    if (len == 0 || len + 1 > CORPUS_WORD_MAX || corpus->word_count == CORPUS_WORDS_MAX)
        return;
    memcpy(corpus->words[corpus->word_count++], word, len + 1);
}

/* The names of members of a right message. */
static void add_names(struct corpus *corpus, const cJSON *parent, unsigned depth)
{
    for (const cJSON *item = parent->child; item != NULL && depth < DEPTH_MAX; item = item->next) {
        if (item->string != NULL && strcmp(item->string, "vector_extra") != 0)
            add_word(corpus, item->string);
        add_names(corpus, item, depth + 1);
    }
}

bool corpus_add(void *context, const struct vector *vector)
{
    struct corpus *corpus = context;
    cJSON *tree = NULL;
    if (vector->valid && !corpus->form->is_binary && json_parse(vector->message, &tree).status == WIRE_OK)
        add_names(corpus, tree, 0);
    cJSON_Delete(tree);
    /* Large ones slow a fuzzer down; but one of each situation is needed. */
    return keep(corpus, vector);
}

/* --- files --- */

static bool write_words(const struct corpus *corpus, FILE *file)
{
    const bool is_text = !corpus->form->is_binary;
    bool good = true;
    for (size_t i = 0; good && is_text && i < corpus->word_count; i++)
        good = fprintf(file, "\"\\\"%s\\\"\"\n", corpus->words[i]) > 0;
    for (size_t i = 0; good && corpus->form->word != NULL && corpus->form->word(i) != NULL; i++)
        good = fprintf(file, "\"\\\"%s\\\"\"\n", corpus->form->word(i)) > 0;
    for (size_t i = 0; good && !is_text && i < sizeof FRAME_WORDS / sizeof FRAME_WORDS[0]; i++)
        good = fprintf(file, "\"%s\"\n", FRAME_WORDS[i]) > 0;
    return good;
}

bool corpus_write(const struct corpus *corpus, const char *folder)
{
    char path[OPTIONS_PATH_MAX], name[NAME_MAX_BYTES];
    snprintf(path, sizeof path, "%s/%s-%s", folder, corpus->mutate_class->family, corpus->form->name);
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return false;
    for (size_t i = 0; i < corpus->seed_count; i++) {
        const struct bytes data = bytes_of(corpus->seeds[i].data, corpus->seeds[i].len);
        snprintf(name, sizeof name, "%08x", crc32_of(data));
        if (!vector_file_write(path, name, "", data))
            return false;
    }
    snprintf(path, sizeof path, "%s/%s-%s.dict", folder, corpus->mutate_class->family, corpus->form->name);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    const bool good = write_words(corpus, file);
    return fclose(file) == 0 && good;
}
