/* Any bytes as JSON: what passes the strict check is parsed, as cJSON would parse it, printed and passes
 * again; and any bytes at all can be written as a string that passes. */
#include <stdlib.h>

#include "codec/wire/json.h"
#include "codec/wire/text.h"
#include "codec/wire/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_printed(const cJSON *value)
{
    char *printed = cJSON_PrintUnformatted(value);
    if (printed == NULL)
        return;
    check(json_check(bytes_of_text(printed)).status == WIRE_OK);
    cJSON_free(printed);
}

static void check_parsed(struct bytes text, const cJSON *value)
{
    cJSON *other = cJSON_ParseWithLength((const char *)text.data, text.len);
    char *printed = cJSON_PrintUnformatted(value), *other_printed = cJSON_PrintUnformatted(other);
    check(other != NULL && printed != NULL && other_printed != NULL && strcmp(printed, other_printed) == 0);
    cJSON_free(printed);
    cJSON_free(other_printed);
    cJSON_Delete(other);
}

static void check_as_string(struct bytes bytes)
{
    size_t capacity = bytes.len * 6 + 3;
    char *out = malloc(capacity);
    check(out != NULL);
    struct text text = text_of(out, capacity);
    text_add_json_string(&text, bytes);
    check(!text.cut);
    struct wire_error error = json_check(bytes_of(out, text.len));
    bool has_nul = bytes.len > 0 && memchr(bytes.data, 0, bytes.len) != NULL;
    check((error.status == WIRE_OK) == !has_nul);
    free(out);
}

/* Only a repeated name tells the two readers apart, and none is left in what is read. */
static void check_last(struct bytes text, struct wire_error strict)
{
    cJSON *value = NULL;
    const struct wire_error error = json_parse_last(text, &value);
    const bool repeats = json_repeats(text);
    check((error.status == WIRE_OK) == (value != NULL));
    check((strict.status == WIRE_OK) == (error.status == WIRE_OK && !repeats));
    check((strict.status == WIRE_NOT_JSON) == (error.status == WIRE_NOT_JSON));
    if (value != NULL)
        check_printed(value);
    cJSON_Delete(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct bytes text = bytes_of(data, len);
    cJSON *value = NULL;
    struct wire_error error = json_check(text);
    check(json_parse(text, &value).status == error.status);
    check((error.status == WIRE_OK) == (value != NULL));
    check(error.offset <= len && (error.status == WIRE_OK || error.field != NULL));
    if (value != NULL) {
        check(utf8_valid_prefix(text) == len);
        check_parsed(text, value);
        check_printed(value);
        cJSON_Delete(value);
    }
    check_last(text, error);
    check_as_string(text);
    return 0;
}
