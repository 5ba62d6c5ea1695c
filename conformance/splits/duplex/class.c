#include "conformance/splits/split_class.h"

#include <stddef.h>

static const struct split_message HEAD[] = {
    {.text = "{\"type\":\"session.queue_done\"}"},
    {.recv = "session.update"},
    {.text = "{\"type\":\"session.created\",\"session_id\":\"rt_1700000000123\",\"prompt_length\":256}"},
    {.text = NULL},
};

/* Four samples of speech, a listen, and an error that ends nothing; not all letters are of one byte. */
static const struct split_message BODY[] = {
    {.text = "{\"type\":\"response.output_audio.delta\",\"text\":\"Hé "
             "後\",\"audio\":\"AAAAAAAAAD8AAAC/AACAPg==\","
             "\"end_of_turn\":true,\"kv_cache_length\":300}"},
    {.text = "{\"type\":\"response.listen\",\"kv_cache_length\":310}"},
    {.text = "{\"type\":\"error\",\"error\":{\"code\":\"inference_error\",\"message\":\"später\",\"type\":"
             "\"server_error\"}}"},
    {.text = NULL},
};

const struct split_class DUPLEX_SPLITS = {
    .family = "duplex", .clause = "DX-OUT-01", .head = HEAD, .body = BODY};
