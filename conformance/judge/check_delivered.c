#include "conformance/judge/check.h"

static bool payload_equal(bool sent, uint32_t sent_crc, bool seen, uint32_t seen_crc)
{
    return sent == seen && (!sent || sent_crc == seen_crc);
}

/* What was played is told by its picture: the sound heard with it may be the client's own. */
static bool frame_equal(const struct frame_summary *sent, const struct observation *seen,
                        enum observation_kind kind)
{
    static const uint8_t NIL[UUID_BYTES];
    const uint8_t *interaction = seen->has_interaction ? seen->interaction : NIL;
    return seen->kind == kind && sent->index == seen->index &&
           memcmp(sent->interaction, interaction, UUID_BYTES) == 0 &&
           (kind == OBSERVED_PLAYED ||
            payload_equal(sent->has_audio, sent->audio_crc, seen->has_audio, seen->audio_crc)) &&
           payload_equal(sent->has_image, sent->image_crc, seen->has_image, seen->image_crc);
}

static size_t observation_next(const struct judge_input *input, enum observation_kind kind, size_t from)
{
    while (from < input->observation_count && input->observations[from].kind != kind)
        from++;
    return from;
}

/* What stands where the missing frame should: the nearer the first difference, the better to read. */
static void difference_describe(struct text *out, const struct frame_summary *sent,
                                const struct observation *seen, enum observation_kind kind)
{
    if (sent->index != seen->index)
        text_add(out, " (another index)");
    else if (!seen->has_interaction || memcmp(sent->interaction, seen->interaction, UUID_BYTES) != 0)
        text_add(out, " (another interaction)");
    else if (kind == OBSERVED_FRAME &&
             !payload_equal(sent->has_audio, sent->audio_crc, seen->has_audio, seen->audio_crc))
        text_add(out, seen->has_audio ? " (another sound)" : " (no sound)");
    else if (!payload_equal(sent->has_image, sent->image_crc, seen->has_image, seen->image_crc))
        text_add(out, seen->has_image ? " (another picture)" : " (no picture)");
}

static void missing_describe(struct text *out, const struct judge_input *input,
                             const struct journal_entry *entry, uint64_t number, size_t from,
                             enum observation_kind kind)
{
    text_add(out, "frame ");
    text_add_u64(out, number);
    if (entry->step[0] != '\0') {
        text_add(out, " (step ");
        text_add(out, entry->step);
        text_add(out, ")");
    }
    text_add(out, ", ");
    event_describe(out, input, EVENT_SENT, (size_t)entry->sequence);
    text_add(out, ", ");
    text_add(out, kind == OBSERVED_PLAYED ? "was not played; instead " : "was not seen; instead ");
    size_t instead = observation_next(input, kind, from);
    if (instead < input->observation_count) {
        event_describe(out, input, EVENT_SEEN, instead);
        difference_describe(out, &entry->frame, &input->observations[instead], kind);
        return;
    }
    text_add(out, from == 0 ? "no frame at all" : "no frame after the one before it");
    size_t error = observation_next(input, OBSERVED_ERROR, from);
    if (error < input->observation_count) {
        text_add(out, " but ");
        event_describe(out, input, EVENT_SEEN, error);
    }
}

/* Sent and seen keep their order, so taking the first equal frame each time finds all that can be found. */
void check_delivered(const struct pattern *sent, const struct check_window *window,
                     enum observation_kind kind, struct check_outcome *out, struct text *actual)
{
    const struct judge_input *input = sent->input;
    size_t seen = 0;
    uint64_t number = 0;
    for (size_t i = window->from; i < window->to; i++) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        if (!entry->has_frame || !entry->frame.decodes || !pattern_matches(sent, i))
            continue;
        number++;
        size_t found = seen;
        while (found < input->observation_count &&
               !frame_equal(&entry->frame, &input->observations[found], kind))
            found++;
        if (found == input->observation_count) {
            missing_describe(actual, input, entry, number, seen, kind);
            out->status = CHECK_BROKEN;
            out->missing = true;
            out->journal_sequence = entry->sequence;
            return;
        }
        seen = found + 1;
    }
    out->status = number == 0 ? CHECK_UNMET : CHECK_HOLDS;
    if (number == 0) {
        text_add(actual, "no such frame was sent");
        return;
    }
    text_add(actual, "all ");
    text_add_u64(actual, number);
    text_add(actual, kind == OBSERVED_PLAYED ? " frames were played" : " frames were seen");
}
