#include "codec/rules/ojin/input_view.h"

#include "codec/ojin/constants.h"
#include "codec/wire/json.h"
#include "codec/wire/reader.h"

enum {
    PADDED_HEADER_BYTES = 20,
    PADDED_TIMESTAMP_AT = 8,
    PADDED_SIZE_AT = 16,
    PARAMS_SEARCH_BYTES_MAX = 4096
};

static uint64_t swapped_u64(uint64_t value)
{
    uint64_t swapped = 0;
    for (unsigned i = 0; i < 8; i++)
        swapped = swapped << 8 | ((value >> (8 * i)) & 0xFF);
    return swapped;
}

static uint32_t swapped_u32(uint32_t value)
{
    return value << 24 | (value & 0xFF00) << 8 | (value >> 8 & 0xFF00) | value >> 24;
}

static bool is_near(uint64_t value, uint64_t expected, uint64_t tolerance)
{
    return (value > expected ? value - expected : expected - value) <= tolerance;
}

enum input_clock input_clock_of(uint64_t timestamp, uint64_t now_ms)
{
    const uint64_t tolerance_ms = INPUT_TIMESTAMP_TOLERANCE_MS;
    if (is_near(timestamp, now_ms, tolerance_ms))
        return INPUT_CLOCK_RIGHT;
    if (timestamp == 0)
        return INPUT_CLOCK_ZERO;
    if (is_near(timestamp, now_ms / 1000, tolerance_ms / 1000))
        return INPUT_CLOCK_SECONDS;
    if (is_near(timestamp / 1000, now_ms, tolerance_ms))
        return INPUT_CLOCK_MICROSECONDS;
    if (is_near(timestamp / 1000000, now_ms, tolerance_ms))
        return INPUT_CLOCK_NANOSECONDS;
    if (is_near(timestamp, now_ms & UINT32_MAX, tolerance_ms))
        return INPUT_CLOCK_LOW_32_BITS;
    return INPUT_CLOCK_OTHER;
}

const char *input_clock_sentence(enum input_clock clock)
{
    switch (clock) {
    case INPUT_CLOCK_SECONDS:
        return ": seconds, not milliseconds";
    case INPUT_CLOCK_MICROSECONDS:
        return ": microseconds, not milliseconds";
    case INPUT_CLOCK_NANOSECONDS:
        return ": nanoseconds, not milliseconds";
    case INPUT_CLOCK_LOW_32_BITS:
        return ": only the low 32 bits of it";
    case INPUT_CLOCK_RIGHT:
    case INPUT_CLOCK_ZERO:
    case INPUT_CLOCK_OTHER:
        return "";
    }
    return "";
}

/* Would this be a timestamp of now, in the other byte order, whatever its unit? */
static bool is_clock_swapped(uint64_t timestamp, uint64_t now_ms)
{
    switch (input_clock_of(swapped_u64(timestamp), now_ms)) {
    case INPUT_CLOCK_RIGHT:
    case INPUT_CLOCK_SECONDS:
    case INPUT_CLOCK_MICROSECONDS:
    case INPUT_CLOCK_NANOSECONDS:
        return true;
    case INPUT_CLOCK_LOW_32_BITS:
    case INPUT_CLOCK_ZERO:
    case INPUT_CLOCK_OTHER:
        return false;
    }
    return false;
}

static bool is_zero(struct bytes bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        if (bytes.data[i] != 0)
            return false;
    }
    return bytes.len > 0;
}

/* Length of the JSON object that `text` begins with; 0 when it begins with none. */
static size_t object_length(struct bytes text)
{
    size_t depth = 0;
    bool in_string = false;
    size_t len_max = text.len < PARAMS_SEARCH_BYTES_MAX ? text.len : PARAMS_SEARCH_BYTES_MAX;
    if (len_max == 0 || text.data[0] != '{')
        return 0;
    for (size_t i = 0; i < len_max; i++) {
        uint8_t c = text.data[i];
        if (in_string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{') {
            depth++;
        } else if (c == '}' && --depth == 0) {
            bool good = json_check(bytes_of(text.data, i + 1)).status != WIRE_NOT_JSON;
            return good ? i + 1 : 0;
        }
    }
    return 0;
}

static void set_audio(struct input_view *view, const struct wire_event *event, size_t from)
{
    view->audio_known = true;
    view->audio_bytes = event->message_bytes - from;
    /* Of a message that was cut, the audio may lie behind the cut. */
    view->audio = from <= event->data.len ? bytes_of(event->data.data + from, event->data.len - from)
                                          : bytes_of(NULL, 0);
    view->audio_zero = is_zero(view->audio);
}

/* Params of `size` bytes at `from`; then the audio. When the size is wrong, the object itself shows where it
 * ends. */
static void read_params(struct input_view *view, const struct wire_event *event, size_t from, uint32_t size)
{
    if (from > event->data.len || size > event->data.len - from) {
        /* Cut off before the params end: nothing can be said about them. */
        set_audio(view, event, from + size);
        return;
    }
    struct bytes rest = bytes_of(event->data.data + from, event->data.len - from);
    view->params_known = true;
    view->params = bytes_of(rest.data, size);
    view->params_error = (struct wire_error){.status = WIRE_OK};
    struct ojin_params params = OJIN_PARAMS_DEFAULT;
    if (size > 0)
        view->params_error = ojin_params_read(view->params, &params);
    bool unread = size == 0 || view->params_error.status == WIRE_NOT_JSON;
    size_t found = unread ? object_length(rest) : 0;
    if (found > 0 && found != size) {
        view->params_misplaced = true;
        view->params_error.status = WIRE_NOT_JSON;
        set_audio(view, event, from + found);
    } else if (view->params_error.status != WIRE_NOT_JSON) {
        set_audio(view, event, from + size);
    }
}

/* A struct of C with its padding written out as it lies in memory, in either byte order. */
static bool is_padded(const struct wire_event *event, uint64_t now_ms, uint32_t *size)
{
    static const uint8_t padding[PADDED_TIMESTAMP_AT - 1] = {0};
    if (event->data.len < PADDED_HEADER_BYTES || event->data.data[0] != OJIN_PAYLOAD_AUDIO ||
        memcmp(event->data.data + 1, padding, sizeof padding) != 0)
        return false;
    struct reader reader = reader_of(event->data);
    reader_take(&reader, PADDED_TIMESTAMP_AT, "padding");
    uint64_t timestamp = reader_u64(&reader, "timestamp");
    *size = reader_u32(&reader, "params_size");
    if (is_clock_swapped(timestamp, now_ms))
        *size = swapped_u32(*size);
    else if (input_clock_of(timestamp, now_ms) != INPUT_CLOCK_RIGHT)
        return false;
    return *size <= event->message_bytes - PADDED_HEADER_BYTES;
}

/* Decides what is wrong with the header and returns the params size to go on with; *whole says whether there
 * is one. */
static uint32_t judge_header(struct input_view *view, const struct wire_event *event, uint64_t now_ms,
                             bool *whole)
{
    uint64_t left = event->message_bytes - OJIN_INPUT_HEADER_BYTES;
    uint32_t swapped = swapped_u32(view->params_bytes);
    bool clock_swapped = view->clock != INPUT_CLOCK_RIGHT && is_clock_swapped(view->timestamp_ms, now_ms);
    bool size_swapped = view->params_bytes > left && swapped <= left;
    *whole = true;
    if (view->payload_type != OJIN_PAYLOAD_AUDIO && view->clock != INPUT_CLOCK_RIGHT && !clock_swapped) {
        view->fault = INPUT_HEADER_NONE;
        *whole = false;
        return 0;
    }
    if (clock_swapped || size_swapped) {
        view->fault = INPUT_HEADER_LITTLE_ENDIAN;
        if (clock_swapped)
            view->clock_judged = false;
        if (swapped <= left)
            return swapped;
        *whole = view->params_bytes <= left;
        return view->params_bytes;
    }
    if (view->params_bytes > left) {
        view->fault = INPUT_HEADER_PAST_END;
        view->clock_judged = view->clock == INPUT_CLOCK_RIGHT;
        *whole = false;
        return 0;
    }
    if (view->payload_type != OJIN_PAYLOAD_AUDIO)
        view->fault = INPUT_HEADER_TYPE;
    return view->params_bytes;
}

void input_view_read(const struct wire_event *event, uint64_t now_ms, struct input_view *out)
{
    *out = (struct input_view){.fault = INPUT_HEADER_GOOD};
    struct reader reader = reader_of(event->data);
    out->payload_type = reader_u8(&reader, "payload_type");
    out->timestamp_ms = reader_u64(&reader, "timestamp");
    out->params_bytes = reader_u32(&reader, "params_size");
    if (!reader_ok(&reader)) {
        out->fault = INPUT_HEADER_SHORT;
        return;
    }
    out->clock = input_clock_of(out->timestamp_ms, now_ms);
    uint32_t params_bytes;
    if (out->clock != INPUT_CLOCK_RIGHT && is_padded(event, now_ms, &params_bytes)) {
        out->fault = INPUT_HEADER_PADDED;
        read_params(out, event, PADDED_HEADER_BYTES, params_bytes);
        return;
    }
    bool whole;
    out->clock_judged = true;
    params_bytes = judge_header(out, event, now_ms, &whole);
    if (out->fault == INPUT_HEADER_NONE)
        out->clock_judged = false;
    if (whole)
        read_params(out, event, OJIN_INPUT_HEADER_BYTES, params_bytes);
}
