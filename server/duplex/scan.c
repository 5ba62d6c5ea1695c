#include "server/duplex/scan.h"

#include "codec/duplex/profile.h"
#include "codec/wire/json_scan.h"

struct bytes duplex_scan_type(struct bytes message)
{
    struct bytes type;
    return json_scan_text(message, "type", 1, &type) ? type : bytes_of(NULL, 0);
}

bool duplex_scan_is_append(struct bytes message)
{
    const struct bytes type = duplex_scan_type(message);
    for (size_t i = 0; i < DUPLEX_PROFILE_COUNT; i++)
        if (bytes_equal_text(type, DUPLEX_PROFILES[i].dialect->append))
            return true;
    return false;
}

bool duplex_scan_audio(struct bytes message, struct bytes *out)
{
    return json_scan_text(message, "audio", 2, out);
}
