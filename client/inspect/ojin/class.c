#include "client/inspect/ojin/parts.h"
#include "codec/ojin/messages.h"

static enum inspect_fit fit(struct bytes message)
{
    struct ojin_message read;
    if (ojin_inspect_guess(message) != INSPECT_TEXT)
        return INSPECT_FITS; /* no other family has binary messages */
    ojin_message_read(message, &read);
    if (read.type >= OJIN_MESSAGE_OTHER)
        return INSPECT_FITS_NOT;
    return read.error.status == WIRE_OK ? INSPECT_FITS : INSPECT_FITS_TYPE;
}

static bool has_kind(enum inspect_kind kind)
{
    (void)kind;
    return true;
}

const struct inspect_class OJIN_INSPECT_CLASS = {
    .family = "ojin",
    .fit = fit,
    .has_kind = has_kind,
    .describe = ojin_inspect_message,
    .describe_entry = ojin_inspect_entry,
    .build = ojin_inspect_build,
};
