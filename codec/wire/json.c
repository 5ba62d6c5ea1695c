#include "codec/wire/json.h"

#include <math.h>

#include "codec/wire/json_names.h"

/* 2^53: up to here a double holds every integer. */
static const double INTEGER_MAX = 9007199254740992.0;

struct wire_error json_parse(struct bytes text, cJSON **out)
{
    return json_check_and_keep(text, NULL, out);
}

const cJSON *json_member(const cJSON *object, const char *name)
{
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, name) : NULL;
}

enum wire_status json_integer_read(const cJSON *value, int64_t *out)
{
    if (!cJSON_IsNumber(value))
        return WIRE_WRONG_MEMBER_TYPE;
    double number = value->valuedouble;
    if (!isfinite(number) || number < -INTEGER_MAX || number > INTEGER_MAX)
        return WIRE_OUT_OF_RANGE;
    int64_t integer = (int64_t)number;
    /* Differences of integers below 2^53 are exact, so this is no comparison of roundings. */
    if ((double)integer - number < 0 || (double)integer - number > 0)
        return WIRE_WRONG_MEMBER_TYPE;
    *out = integer;
    return WIRE_OK;
}

bool json_integer(const cJSON *value, int64_t *out)
{
    return json_integer_read(value, out) == WIRE_OK;
}
