#include "conformance/splits/split_class.h"

#include <stddef.h>

static const struct split_message HEAD[] = {
    {.text = "{\"type\":\"status\",\"status\":\"connected\",\"message\":\"Grüße\"}"},
    {.text = NULL},
};

/* A reply of four samples, a transcript, a result and an error; not all letters are of one byte. */
static const struct split_message BODY[] = {
    {.text = "{\"type\":\"ai_audio_chunk\",\"audio\":\"AABkAJz/MgA=\",\"is_final\":true,\"transcript\":\"Hé "
             "後\"}"},
    {.text = "{\"type\":\"transcript\",\"speaker\":\"ai\",\"text\":\"Hé 後\",\"timestamp\":1700000000}"},
    {.text = "{\"type\":\"function_result\",\"function_name\":\"f\",\"result\":{\"a\":[1]}}"},
    {.text = "{\"type\":\"error\",\"code\":\"RATE_LIMIT_EXCEEDED\",\"message\":\"später\"}"},
    {.text = NULL},
};

const struct split_class INTERVIEW_SPLITS = {
    .family = "interview", .clause = "IV-OUT-01", .head = HEAD, .body = BODY};
