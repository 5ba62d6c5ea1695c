/* What the journal says was sent, beside what the replay would send. */
#include "codec/wire/text.h"
#include "conformance/replay/lane.h"

enum { TEXT_SHOWN_MAX = 100 };

/* Begins "the speech frame 12 of connection 1: its CRC of the sound is ". */
static struct text difference(const struct journal_entry *journal, struct replay_result *out,
                              const char *what)
{
    struct text text = text_of(out->text, sizeof out->text);
    out->outcome = REPLAY_DIFFERENT;
    out->entry = (size_t)journal->sequence;
    if (journal->label[0] != '\0') {
        text_add(&text, journal->label);
        text_add_char(&text, ' ');
    }
    if (journal->has_frame && journal->frame.decodes) {
        text_add(&text, "frame ");
        text_add_u64(&text, journal->frame.index);
        text_add_char(&text, ' ');
    }
    text_add(&text, "of connection ");
    text_add_u64(&text, journal->connection);
    text_add(&text, ": ");
    text_add(&text, what);
    text_add(&text, " is ");
    return text;
}

static bool same_number(const struct journal_entry *journal, struct replay_result *out, const char *what,
                        uint64_t was, uint64_t is)
{
    if (was == is)
        return true;
    struct text text = difference(journal, out, what);
    text_add_u64(&text, was);
    text_add(&text, " in the journal and ");
    text_add_u64(&text, is);
    text_add(&text, " in the replay");
    return false;
}

static bool same_bytes(const struct journal_entry *journal, struct replay_result *out, const char *what,
                       struct bytes was, struct bytes is)
{
    if (bytes_equal(was, is))
        return true;
    struct text text = difference(journal, out, what);
    text_add_printable(&text, was, TEXT_SHOWN_MAX);
    text_add(&text, " in the journal and ");
    text_add_printable(&text, is, TEXT_SHOWN_MAX);
    text_add(&text, " in the replay");
    return false;
}

static bool same_text(const struct journal_entry *journal, struct replay_result *out, const char *what,
                      const char *was, const char *is)
{
    return same_bytes(journal, out, what, bytes_of_text(was), bytes_of_text(is));
}

static bool same_uuid(const struct journal_entry *journal, struct replay_result *out,
                      const uint8_t was[UUID_BYTES], const uint8_t is[UUID_BYTES])
{
    char a_data[UUID_TEXT_BYTES + 1];
    char b_data[UUID_TEXT_BYTES + 1];
    struct text a = text_of(a_data, sizeof a_data);
    struct text b = text_of(b_data, sizeof b_data);
    text_add_uuid(&a, was);
    text_add_uuid(&b, is);
    return same_text(journal, out, "its interaction", a_data, b_data);
}

static bool same_frame(const struct journal_entry *journal, const struct journal_entry *got,
                       struct replay_result *out)
{
    const struct frame_summary *was = &journal->frame;
    const struct frame_summary *is = &got->frame;
    return same_number(journal, out, "whether it decodes", was->decodes, is->decodes) &&
           same_number(journal, out, "its index", was->index, is->index) &&
           same_number(journal, out, "its final flag", was->is_final, is->is_final) &&
           same_uuid(journal, out, was->interaction, is->interaction) &&
           same_number(journal, out, "whether it has sound", was->has_audio, is->has_audio) &&
           same_number(journal, out, "the size of its sound", was->audio_bytes, is->audio_bytes) &&
           same_number(journal, out, "the CRC-32 of its sound", was->audio_crc, is->audio_crc) &&
           same_number(journal, out, "whether it has a picture", was->has_image, is->has_image) &&
           same_number(journal, out, "the size of its picture", was->image_bytes, is->image_bytes) &&
           same_number(journal, out, "the CRC-32 of its picture", was->image_crc, is->image_crc);
}

static const char *kind_word(enum journal_kind kind)
{
    switch (kind) {
    case JOURNAL_WIRE:
        return "a message";
    case JOURNAL_MARK:
        return "a mark";
    case JOURNAL_CAPTURE:
        return "a capture";
    case JOURNAL_STEP:
        return "a step";
    case JOURNAL_FAILED:
        return "a failed step";
    case JOURNAL_DONE:
        return "the script's end";
    case JOURNAL_TRANSPORT:
        return "something below the messages";
    case JOURNAL_FINDING:
    case JOURNAL_OWN_ERROR:
    case JOURNAL_TAKEN:
    case JOURNAL_DROPPED:
        break;
    }
    return "something else";
}

/* The bytes that the journal keeps of it. */
static struct bytes kept(const struct journal_entry *entry)
{
    struct bytes data = entry->wire.data;
    if (entry->has_frame && data.len > JOURNAL_HEAD_BYTES_MAX)
        data.len = JOURNAL_HEAD_BYTES_MAX;
    return data;
}

static bool same_wire(const struct journal_entry *journal, const struct journal_entry *got,
                      struct replay_result *out)
{
    const bool texts = !journal->has_frame && !got->has_frame;
    return same_number(journal, out, "its kind on the wire", journal->wire.kind, got->wire.kind) &&
           same_number(journal, out, "its code", journal->wire.code, got->wire.code) &&
           same_number(journal, out, "whether it is a fault", journal->wire.fault, got->wire.fault) &&
           (!texts || same_bytes(journal, out, "its text", journal->wire.data, got->wire.data)) &&
           (texts || same_frame(journal, got, out)) &&
           same_number(journal, out, "its size", journal->wire.message_bytes, got->wire.message_bytes) &&
           same_bytes(journal, out, "its head", kept(journal), kept(got));
}

bool replay_compare(const struct journal_entry *journal, const struct journal_entry *got,
                    struct replay_result *out)
{
    if (!same_text(journal, out, "this", kind_word(journal->kind), kind_word(got->kind)) ||
        !same_text(journal, out, "what it is", journal->label, got->label) ||
        !same_text(journal, out, "its step", journal->step, got->step) ||
        !same_number(journal, out, "its line of the script", journal->line, got->line) ||
        !same_number(journal, out, "whether it has an interaction", journal->has_interaction,
                     got->has_interaction) ||
        (journal->has_interaction && !same_uuid(journal, out, journal->interaction, got->interaction)))
        return false;
    if (journal->kind == JOURNAL_TRANSPORT)
        return same_number(journal, out, "its size", journal->wire.message_bytes, got->wire.message_bytes) &&
               same_number(journal, out, "its duration", journal->duration_us, got->duration_us) &&
               same_bytes(journal, out, "its bytes", journal->wire.data, got->wire.data);
    if (journal->kind == JOURNAL_WIRE)
        return same_wire(journal, got, out);
    return same_bytes(journal, out, "its sentence", journal->wire.data, got->wire.data);
}
