/* An InteractionInput changed where a parser reads it: header, params and where the sound begins. */
#include <assert.h>

#include "codec/mutate/json_change.h"
#include "codec/mutate/ojin/parts.h"
#include "codec/ojin/constants.h"

enum {
    /* 000 InteractionInput: struct '!BQI' */
    AT_TYPE = 0,
    AT_TIMESTAMP = 1,
    AT_PARAMS_SIZE = AT_TIMESTAMP + 8,
    SIZE_NEAR = 4, /* bytes by which a size misses */
    SOUND_HEAD = 32
};
static_assert(AT_PARAMS_SIZE + 4 == OJIN_INPUT_HEADER_BYTES, "the fields are those of the header");

/* The length of the params, as far as they are there. */
static size_t params_len(struct bytes message)
{
    if (message.len < OJIN_INPUT_HEADER_BYTES)
        return 0;
    const uint8_t *data = message.data + AT_PARAMS_SIZE;
    const size_t size = (size_t)data[0] << 24 | (size_t)data[1] << 16 | (size_t)data[2] << 8 | data[3];
    const size_t left = message.len - OJIN_INPUT_HEADER_BYTES;
    return size < left ? size : left;
}

/* Says that the params have that size; in one of four the size is left to lie. */
static bool resize(struct mutate_edit *edit, size_t size)
{
    if (!mutate_one_in(edit, 4))
        (void)mutate_put(edit, AT_PARAMS_SIZE, 4, size);
    return true;
}

static bool change_type(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    return mutate_put(edit, AT_TYPE, 1,
                      mutate_one_in(edit, 2) ? mutate_below(edit, 4) : mutate_limit(edit, 1));
}

static bool change_timestamp(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    return mutate_put(edit, AT_TIMESTAMP, 8, mutate_limit(edit, 8));
}

static bool change_size(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    const size_t left = edit->len - OJIN_INPUT_HEADER_BYTES, size = params_len(mutate_bytes(edit));
    const uint64_t near = 1 + mutate_below(edit, SIZE_NEAR);
    switch (mutate_below(edit, 5)) {
    case 0:
        return mutate_put(edit, AT_PARAMS_SIZE, 4, size + near);
    case 1:
        return mutate_put(edit, AT_PARAMS_SIZE, 4, size - near);
    case 2:
        return mutate_put(edit, AT_PARAMS_SIZE, 4, left + mutate_below(edit, 2));
    case 3:
        return mutate_put(edit, AT_PARAMS_SIZE, 4,
                          UINT32_MAX - mutate_below(edit, 2 * OJIN_INPUT_HEADER_BYTES));
    default:
        return mutate_put(edit, AT_PARAMS_SIZE, 4, mutate_limit(edit, 4));
    }
}

static bool change_params(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    const size_t size = params_len(mutate_bytes(edit)), len = edit->len;
    const struct bytes other = edit->other;
    const size_t others = params_len(other);
    edit->other = others == 0 ? bytes_of(NULL, 0) : bytes_of(other.data + OJIN_INPUT_HEADER_BYTES, others);
    const bool changed = mutate_json(edit, OJIN_INPUT_HEADER_BYTES, size);
    edit->other = other;
    return changed && resize(edit, size + edit->len - len);
}

/* Params where there were none, or others in their place. */
static bool put_params(struct mutate_edit *edit, const void *parts)
{
    static const char *const PARAMS[] = {"{}",   "[]",
                                         "null", "0",
                                         " ",    "{\"client_frame_index\":1}",
                                         "{",    "{\"speech_filter_amount\":1e999}",
                                         "\"\"", "{\"client_frame_index\":9007199254740993}"};
    (void)parts;
    const char *params = PARAMS[mutate_below(edit, sizeof PARAMS / sizeof PARAMS[0])];
    return mutate_replace(edit, OJIN_INPUT_HEADER_BYTES, params_len(mutate_bytes(edit)),
                          bytes_of_text(params)) &&
           resize(edit, strlen(params));
}

static bool cut(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    const size_t sound = OJIN_INPUT_HEADER_BYTES + params_len(mutate_bytes(edit));
    const size_t places[] = {AT_TYPE,
                             AT_TIMESTAMP,
                             AT_PARAMS_SIZE,
                             OJIN_INPUT_HEADER_BYTES,
                             sound,
                             sound + 1,
                             mutate_below(edit, sound + 1)};
    return mutate_cut(edit, places[mutate_below(edit, sizeof places / sizeof places[0])]);
}

static bool change_sound_len(struct mutate_edit *edit, const void *parts)
{
    static const uint8_t BYTE[] = {0x80};
    (void)parts;
    return mutate_one_in(edit, 2) ? mutate_cut(edit, edit->len - 1)
                                  : mutate_replace(edit, edit->len, 0, bytes_of(BYTE, sizeof BYTE));
}

static bool shift_header(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    const uint8_t value = (uint8_t)mutate_below(edit, 3);
    const size_t at = mutate_below(edit, OJIN_INPUT_HEADER_BYTES);
    return mutate_one_in(edit, 2) ? mutate_replace(edit, at, 0, bytes_of(&value, 1))
                                  : mutate_replace(edit, at, 1, bytes_of(NULL, 0));
}

static bool add_behind(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    return mutate_repeat(edit, 0, mutate_one_in(edit, 2) ? edit->len : OJIN_INPUT_HEADER_BYTES, edit->len);
}

static bool change_sound(struct mutate_edit *edit, const void *parts)
{
    (void)parts;
    const size_t sound = OJIN_INPUT_HEADER_BYTES + params_len(mutate_bytes(edit));
    const uint8_t value = (uint8_t)mutate_limit(edit, 1);
    const size_t len = edit->len - sound;
    return len > 0 && mutate_replace(edit, sound + mutate_below(edit, len < SOUND_HEAD ? len : SOUND_HEAD), 1,
                                     bytes_of(&value, 1));
}

static const struct mutate_row ROWS[] = {
    {"payload type", 8, false, change_type},
    {"timestamp at a limit", 6, false, change_timestamp},
    {"size of the params", 20, false, change_size},
    {"params", 30, false, change_params},
    {"other params", 10, false, put_params},
    {"input cut off", 10, false, cut},
    {"length of the sound", 6, false, change_sound_len},
    {"header moved by a byte", 4, false, shift_header},
    {"bytes behind the input", 3, false, add_behind},
    {"content of the sound", 3, true, change_sound},
};

bool mutate_ojin_input(struct mutate_edit *edit)
{
    return edit->len >= OJIN_INPUT_HEADER_BYTES &&
           mutate_by_rows(edit, ROWS, sizeof ROWS / sizeof ROWS[0], NULL);
}
