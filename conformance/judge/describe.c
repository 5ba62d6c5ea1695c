#include "codec/ws/frame.h"
#include "conformance/judge/pattern.h"

enum { DESCRIBE_TEXT_BYTES_MAX = 80 };

static void describe_frame(struct text *out, int64_t index, bool has_interaction,
                           const uint8_t interaction[UUID_BYTES])
{
    text_add(out, " index ");
    text_add_i64(out, index);
    if (!has_interaction)
        return;
    text_add(out, " interaction ");
    text_add_uuid(out, interaction);
}

static void describe_quoted(struct text *out, const char *member, const char *value)
{
    if (value[0] == '\0')
        return;
    text_add(out, member);
    text_add_printable(out, bytes_of_text(value), DESCRIBE_TEXT_BYTES_MAX);
}

static void describe_number(struct text *out, bool has, const char *member, uint32_t value)
{
    if (!has)
        return;
    text_add(out, member);
    text_add_u64(out, value);
}

/* The members that only the loudspeaker of a full-duplex client has. */
static void describe_speech(struct text *out, const struct observation *observation)
{
    describe_number(out, observation->has_position, " position ", observation->position);
    describe_number(out, observation->has_at, " at sample ", observation->at);
    describe_number(out, observation->has_samples, " samples ", observation->samples);
    describe_number(out, observation->has_cache, " cache ", observation->cache);
}

void observation_describe(struct text *out, const struct session_messages *messages,
                          const struct observation *observation)
{
    static const char *const KINDS[] = {"silence", "speech", "other"};
    text_add(out, observation_kind_name(observation->kind));
    switch (observation->kind) {
    case OBSERVED_FRAME:
    case OBSERVED_PLAYED:
        text_add(out, " ");
        text_add(out, KINDS[frame_kind_of_index(messages, observation->index)]);
        describe_frame(out, observation->index, observation->has_interaction, observation->interaction);
        text_add(out, observation->is_final ? " final" : "");
        break;
    case OBSERVED_CLOSED:
        text_add(out, " code ");
        text_add_u64(out, observation->close_code);
        break;
    case OBSERVED_READY:
    case OBSERVED_CANCELLED:
    case OBSERVED_ERROR:
    case OBSERVED_STATE:
    case OBSERVED_QUEUE:
    case OBSERVED_DELTA:
    case OBSERVED_HEARD:
    case OBSERVED_LISTEN:
    case OBSERVED_TURN:
    case OBSERVED_STATUS:
    case OBSERVED_TRANSCRIPT:
    case OBSERVED_RESULT:
        describe_speech(out, observation);
        describe_quoted(out, " code ", observation->code);
        describe_quoted(out, " text ", observation->text);
        break;
    }
}

static void wire_describe(struct text *out, const struct journal_entry *entry)
{
    text_add(out, entry->label[0] == '\0' ? "event" : entry->label);
    if (entry->has_frame && entry->frame.decodes)
        describe_frame(out, entry->frame.index, true, entry->frame.interaction);
    switch (entry->wire.kind) {
    case WIRE_EVENT_CLOSE:
        if (entry->wire.code == WS_CLOSE_NO_CODE) {
            text_add(out, " without a code (1005)");
            break;
        }
        text_add(out, " code ");
        text_add_u64(out, entry->wire.code);
        break;
    case WIRE_EVENT_RESPONSE:
        text_add(out, " code ");
        text_add_u64(out, entry->wire.code);
        break;
    case WIRE_EVENT_TEXT:
        text_add(out, entry->wire.data.len > 0 ? " " : "");
        text_add_printable(out, entry->wire.data, DESCRIBE_TEXT_BYTES_MAX);
        break;
    case WIRE_EVENT_BINARY:
        text_add(out, " of ");
        text_add_u64(out, entry->wire.message_bytes);
        text_add(out, " bytes");
        break;
    case WIRE_EVENT_REQUEST:
    case WIRE_EVENT_PING:
    case WIRE_EVENT_PONG:
    case WIRE_EVENT_VIOLATION:
    case WIRE_EVENT_END:
    case WIRE_EVENT_TRANSPORT:
        break;
    }
}

void event_describe(struct text *out, const struct judge_input *input, enum event_side side, size_t position)
{
    if (side_is_seen(side)) {
        observation_describe(out, input->script->class->messages, &input->observations[position]);
        return;
    }
    const struct journal_entry *entry = journal_at(input->journal, position);
    if (entry->kind == JOURNAL_WIRE)
        wire_describe(out, entry);
    else
        text_add(out, entry->label);
    text_add(out, " at ");
    text_add_u64(out, entry->at_us / 1000);
    text_add(out, " ms");
}
