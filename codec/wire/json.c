#include "codec/wire/json.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "codec/wire/json_names.h"
#include "codec/wire/text.h"

/* 2^53: up to here a double holds every integer. */
static const double INTEGER_MAX = 9007199254740992.0;

struct wire_error json_parse(struct bytes text, cJSON **out)
{
    return json_check_and_keep(text, NULL, out);
}

/* ---- numbers with all their digits ---- */

enum { KEPT_AS_TEXT = 1 << 16 /* a bit of `type` that cJSON has no use for */ };

/* Numbers with digits of their own are printed as those, and are numbers again afterwards. Its depth is that
 * of what was parsed, JSON_DEPTH_MAX, and a level or two of a description around it. */
static void digits_show(cJSON *value, bool shown)
{
    for (; value != NULL; value = value->next) {
        if (shown && cJSON_IsNumber(value) && value->valuestring != NULL)
            value->type = (value->type & ~cJSON_Number) | cJSON_Raw | KEPT_AS_TEXT;
        else if (!shown && (value->type & KEPT_AS_TEXT) != 0)
            value->type = (value->type & ~(cJSON_Raw | KEPT_AS_TEXT)) | cJSON_Number;
        digits_show(value->child, shown);
    }
}

char *json_print(const cJSON *tree)
{
    cJSON *own = (cJSON *)(uintptr_t)tree;
    if (own == NULL)
        return NULL;
    const cJSON top = *own;
    own->next = NULL; /* what stands beside it is not printed */
    digits_show(own, true);
    char *text = cJSON_PrintUnformatted(own);
    digits_show(own, false);
    own->next = top.next;
    return text;
}

cJSON *json_number_new(uint64_t value)
{
    char digits[JSON_NUMBER_BYTES_MAX + 1];
    struct text text = text_of(digits, sizeof digits);
    text_add_u64(&text, value);
    cJSON *number = cJSON_CreateNumber((double)value);
    char *kept = number == NULL || text.len <= DBL_DIG ? NULL : cJSON_malloc(text.len + 1);
    if (kept != NULL) {
        memcpy(kept, digits, text.len + 1);
        number->valuestring = kept;
    } else if (number != NULL && text.len > DBL_DIG) {
        cJSON_Delete(number);
        number = NULL;
    }
    return number;
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
