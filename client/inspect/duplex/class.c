/* Messages of the full-duplex protocol. One is read in the version of the protocol that it fits best. */
#include "client/inspect/json_message.h"
#include "codec/duplex/messages.h"

static const char FAMILY[] = "duplex";

/* To be freed. */
static void read_best(struct bytes text, struct duplex_message *out)
{
    struct duplex_read_options options = {.profile = &DUPLEX_PROFILES[0]};
    duplex_message_read(text, &options, out);
    for (size_t i = 1; i < DUPLEX_PROFILE_COUNT && out->faults.count > 0; i++) {
        struct duplex_message other;
        options.profile = &DUPLEX_PROFILES[i];
        duplex_message_read(text, &options, &other);
        struct duplex_message worse = other;
        if (other.faults.count < out->faults.count) {
            worse = *out;
            *out = other;
        }
        duplex_message_free(&worse);
    }
}

static enum inspect_fit fit(struct bytes message)
{
    struct duplex_message read;
    read_best(message, &read);
    const enum inspect_fit fits = json_message_fit(read.type < DUPLEX_MESSAGE_OTHER, &read.faults);
    duplex_message_free(&read);
    return fits;
}

static void judge(struct description *description, struct bytes text)
{
    struct duplex_message read;
    read_best(text, &read);
    if (read.has_audio)
        json_message_describe_audio(description, read.audio, DUPLEX_SAMPLE_BYTES);
    json_message_describe_faults(description, &read.faults);
    duplex_message_free(&read);
}

static void describe_entry(struct description *description, const struct inspect_entry *entry)
{
    json_message_describe(description, FAMILY, entry, judge);
}

static void describe(struct description *description, struct bytes message, enum inspect_kind kind)
{
    (void)kind;
    const struct inspect_entry entry = json_message_entry(message);
    describe_entry(description, &entry);
}

const struct inspect_class DUPLEX_INSPECT_CLASS = {
    .family = FAMILY,
    .fit = fit,
    .has_kind = json_message_has_kind,
    .describe = describe,
    .describe_entry = describe_entry,
};
