#include "conformance/splits/split_class.h"

#include <stddef.h>

static const struct split_message HEAD[] = {
    {.text = "{\"type\":\"sessionReady\",\"payload\":{\"trace_id\":\"123e4567-e89b-42d3-a456-426614174000\","
             "\"status\":\"success\",\"load\":0.25}}"},
    {.text = NULL},
};

/* A frame of speech with four samples and six bytes of a picture, an error that ends nothing, and plain text
 * whose letters are not all of one byte. */
static const struct split_message BODY[] = {
    {.hex = "005b6c7d8e9fa041b182d3e4f5061728390000018bcfe5687b0000002800000001000000020000000801000102030405"
            "06070000000602ffd80102ffd9"},
    {.text =
         "{\"type\":\"errorResponse\",\"payload\":{\"code\":\"FRAME_SIZE_EXCEEDED\",\"message\":\"zu groß\","
         "\"timestamp\":1700000000123}}"},
    {.text = "Später nochmal – 後で"},
    {.text = NULL},
};

const struct split_class OJIN_SPLITS = {.family = "ojin", .clause = "OJ-OUT-12", .head = HEAD, .body = BODY};
