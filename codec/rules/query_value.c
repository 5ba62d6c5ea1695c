#include "codec/rules/query_value.h"

#include <stdlib.h>

#include "codec/wire/http_head.h"

typedef bool decoder(struct bytes in, uint8_t *out, size_t *out_len);

static bool decodes_to(decoder *decode, struct bytes value, uint8_t *decoded, struct bytes given)
{
    size_t len;
    return decode(value, decoded, &len) && bytes_equal(bytes_of(decoded, len), given);
}

/* `decoded` is as large as the value. */
static const char *fault_of(struct bytes value, struct bytes given, const char *differs, uint8_t *decoded)
{
    size_t len;
    if (!percent_decode(value, decoded, &len))
        return "a '%' that is not followed by two hex digits";
    if (!percent_encoding_is_clean(value))
        return "a character that must be percent-encoded stands bare";
    if (given.len == 0 || decodes_to(form_decode, value, decoded, given))
        return NULL;
    if (decodes_to(percent_decode, value, decoded, given))
        return "a '+' that must be percent-encoded stands bare";
    /* Decoding never makes text longer, so it can be done in place. */
    decoder *const decoders[] = {percent_decode, form_decode};
    for (size_t i = 0; i < sizeof decoders / sizeof decoders[0]; i++) {
        if (percent_decode(value, decoded, &len) &&
            decodes_to(decoders[i], bytes_of(decoded, len), decoded, given))
            return "percent-encoded twice";
    }
    return differs;
}

const char *query_value_fault(struct bytes value, struct bytes given, const char *differs)
{
    uint8_t *decoded = malloc(value.len == 0 ? 1 : value.len);
    if (decoded == NULL)
        return NULL;
    const char *fault = fault_of(value, given, differs, decoded);
    free(decoded);
    return fault;
}
