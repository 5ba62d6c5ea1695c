/* What a client's message is, for scripts and journals: by its `type` alone, in either version of the
 * protocol.
 */
#include "server/duplex/scan.h"
#include "server/duplex/session.h"

struct type_name {
    const char *wire;
    const char *name;
};

static const struct type_name NAMES[] = {
    {"session.update", "session.update"},
    {"session.init", "session.update"},
    {"input_audio_buffer.append", "input_audio_buffer.append"},
    {"input.append", "input_audio_buffer.append"},
    {"session.close", "session.close"},
};

const char *duplex_classify(bool binary, struct bytes message)
{
    const struct bytes type = binary ? bytes_of(NULL, 0) : duplex_scan_type(message);
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (bytes_equal_text(type, NAMES[i].wire))
            return NAMES[i].name;
    return "other";
}
