/* Any bytes as an InteractionInput: what reads is written back byte for byte, and its params are read without
 * harm. */
#include <stdlib.h>

#include "codec/ojin/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_params(struct bytes json)
{
    struct ojin_params params = OJIN_PARAMS_DEFAULT;
    struct wire_error error = ojin_params_read(json, &params);
    if (error.status == WIRE_OK)
        return;
    check(error.field != NULL && error.offset <= json.len);
    check(memcmp(&params, &OJIN_PARAMS_DEFAULT, sizeof params) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct bytes message = bytes_of(data, len);
    struct ojin_input input;
    check_params(message);
    struct wire_error error = ojin_input_decode(message, &input);
    if (error.status != WIRE_OK) {
        check(error.status == WIRE_TRUNCATED || error.status == WIRE_SIZE_PAST_END);
        check(error.offset <= len && error.field != NULL);
        return 0;
    }
    uint8_t *out = malloc(len);
    struct writer writer = writer_of(out, len);
    check(out != NULL);
    ojin_input_write(&writer, &input);
    check(!writer.overflow && bytes_equal(bytes_of(out, writer.len), message));
    free(out);
    if (input.params.len > 0)
        check_params(input.params);
    return 0;
}
