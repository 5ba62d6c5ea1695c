#include "codec/wire/json_tree.h"

#include <float.h>
#include <stdlib.h>

#include "codec/wire/json_names.h"

void json_tree_init(struct json_tree *tree)
{
    /* What is open counts by its depth. */
    tree->root = NULL;
    tree->depth = 0;
    tree->lost = false;
}

/* In UTF-8; returns how many bytes, never more than its escape has. */
static size_t point_write(uint32_t point, char *out)
{
    const size_t more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const uint8_t leads[] = {0, 0xc0, 0xe0, 0xf0};
    for (size_t i = more; i > 0; i--, point >>= 6)
        out[i] = (char)(0x80 | (point & 0x3f));
    out[0] = (char)(leads[more] | point);
    return more + 1;
}

/* Decoded and ended by NUL; NULL without memory. */
static char *text_new(struct bytes written)
{
    char *out = cJSON_malloc(written.len + 1);
    size_t len = 0;
    while (out != NULL && written.len > 0) {
        const uint8_t *escape = memchr(written.data, '\\', written.len);
        const size_t plain = escape == NULL ? written.len : (size_t)(escape - written.data);
        memcpy(out + len, written.data, plain);
        len += plain;
        written = bytes_of(written.data + plain, written.len - plain);
        if (written.len > 0)
            len += point_write(json_escape_take(&written), out + len);
    }
    if (out != NULL)
        out[len] = '\0';
    return out;
}

/* Takes over the value, which is NULL when there was no memory for it. False: it is not in the tree. */
static bool value_add(struct json_tree *tree, cJSON *value)
{
    cJSON *within = tree->depth == 0 ? NULL : tree->open[tree->depth - 1];
    bool good = value != NULL && !tree->lost;
    if (good && cJSON_IsObject(within))
        good = (value->string = text_new(tree->name)) != NULL;
    if (good && within == NULL)
        tree->root = value;
    else if (good)
        good = cJSON_AddItemToArray(within, value) != 0;
    if (!good)
        cJSON_Delete(value);
    tree->lost = !good;
    return good;
}

void json_tree_name(struct json_tree *tree, struct bytes name)
{
    if (tree != NULL)
        tree->name = name;
}

void json_tree_open(struct json_tree *tree, bool object)
{
    if (tree == NULL || tree->lost)
        return;
    cJSON *value = object ? cJSON_CreateObject() : cJSON_CreateArray();
    if (value_add(tree, value))
        tree->open[tree->depth++] = value;
}

void json_tree_close(struct json_tree *tree)
{
    if (tree != NULL && !tree->lost)
        tree->depth--;
}

void json_tree_string(struct json_tree *tree, struct bytes content)
{
    if (tree == NULL || tree->lost)
        return;
    cJSON *value = cJSON_CreateNull();
    if (value != NULL && (value->valuestring = text_new(content)) != NULL) {
        value->type = cJSON_String;
        (void)value_add(tree, value);
    } else {
        cJSON_Delete(value);
        tree->lost = true;
    }
}

static char *digits_new(const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *out = cJSON_malloc(bytes);
    if (out != NULL)
        memcpy(out, text, bytes);
    return out;
}

void json_tree_number(struct json_tree *tree, struct bytes digits)
{
    char text[JSON_NUMBER_BYTES_MAX + 1];
    if (tree == NULL || tree->lost)
        return;
    memcpy(text, digits.data, digits.len);
    text[digits.len] = '\0';
    cJSON *value = cJSON_CreateNumber(strtod(text, NULL));
    /* More digits than are sure to come out of a double again are kept beside it: json_print. */
    if (value != NULL && digits.len > DBL_DIG && (value->valuestring = digits_new(text)) == NULL) {
        cJSON_Delete(value);
        value = NULL;
    }
    (void)value_add(tree, value);
}

void json_tree_literal(struct json_tree *tree, char letter)
{
    if (tree == NULL || tree->lost)
        return;
    (void)value_add(tree, letter == 'n' ? cJSON_CreateNull() : cJSON_CreateBool(letter == 't'));
}
