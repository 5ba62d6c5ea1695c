#include "codec/wire/json.h"

#include <math.h>

/* 2^53: up to here a double holds every integer. */
static const double INTEGER_MAX = 9007199254740992.0;

struct wire_error json_parse(struct bytes text, cJSON **out)
{
    struct wire_error error = json_check(text);
    if (error.status != WIRE_OK)
        return error;
    cJSON *value = cJSON_ParseWithLength((const char *)text.data, text.len);
    /* Only memory can be lacking here: whatever json_check passes, cJSON reads. */
    if (value == NULL)
        return (struct wire_error){.status = WIRE_NO_SPACE, .field = "memory"};
    *out = value;
    return error;
}

const cJSON *json_member(const cJSON *object, const char *name)
{
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, name) : NULL;
}

bool json_integer(const cJSON *value, int64_t *out)
{
    if (!cJSON_IsNumber(value))
        return false;
    double number = value->valuedouble;
    if (!isfinite(number) || number < -INTEGER_MAX || number > INTEGER_MAX)
        return false;
    int64_t integer = (int64_t)number;
    /* Differences of integers below 2^53 are exact, so this is no comparison of roundings. */
    if ((double)integer - number < 0 || (double)integer - number > 0)
        return false;
    *out = integer;
    return true;
}
