#include "conformance/report/json_parts.h"

#include <stdlib.h>

#include "codec/wire/text.h"

/* Strings may hold what a client said: bytes that are no UTF-8 must not get into the report. */
bool json_string_add(cJSON *object, const char *name, const char *value)
{
    size_t capacity = 6 * strlen(value) + 3;
    char *data = malloc(capacity);
    if (data == NULL)
        return false;
    struct text text = text_of(data, capacity);
    text_add_json_string(&text, bytes_of_text(value));
    bool good = cJSON_AddRawToObject(object, name, data) != NULL;
    free(data);
    return good;
}

cJSON *json_object_append(cJSON *array)
{
    cJSON *object = cJSON_CreateObject();
    if (object != NULL)
        cJSON_AddItemToArray(array, object);
    return object;
}

bool json_name_append(cJSON *array, const char *name)
{
    cJSON *item = cJSON_CreateString(name);
    return item != NULL && cJSON_AddItemToArray(array, item);
}
