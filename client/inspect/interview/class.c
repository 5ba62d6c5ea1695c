/* Messages of the realtime interview protocol. One is read in the dialect that it fits best. */
#include "client/inspect/json_message.h"
#include "codec/interview/messages.h"

static const char FAMILY[] = "interview";

/* To be freed. */
static void read_best(struct bytes text, struct interview_message *out)
{
    interview_message_read(text, INTERVIEW_PROFILES[0].dialect, out);
    for (size_t i = 1; i < INTERVIEW_PROFILE_COUNT && out->faults.count > 0; i++) {
        struct interview_message other;
        interview_message_read(text, INTERVIEW_PROFILES[i].dialect, &other);
        struct interview_message worse = other;
        if (other.faults.count < out->faults.count) {
            worse = *out;
            *out = other;
        }
        interview_message_free(&worse);
    }
}

static enum inspect_fit fit(struct bytes message)
{
    struct interview_message read;
    read_best(message, &read);
    const enum inspect_fit fits = json_message_fit(read.type < INTERVIEW_MESSAGE_OTHER, &read.faults);
    interview_message_free(&read);
    return fits;
}

static void judge(struct description *description, struct bytes text)
{
    struct interview_message read;
    read_best(text, &read);
    if (read.has_audio)
        json_message_describe_audio(description, read.audio, INTERVIEW_SAMPLE_BYTES);
    json_message_describe_faults(description, &read.faults);
    interview_message_free(&read);
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

const struct inspect_class INTERVIEW_INSPECT_CLASS = {
    .family = FAMILY,
    .fit = fit,
    .has_kind = json_message_has_kind,
    .describe = describe,
    .describe_entry = describe_entry,
};
