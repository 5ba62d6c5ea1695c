/* Speech that comes as texts, as the client read it: its deltas. */
#include "conformance/judge/check_words.h"

/* What can be told of a message is cut, so a long text need only begin alike. */
static bool text_fits(const struct speech_summary *sent, const char *seen)
{
    return strncmp(sent->text, seen, sizeof sent->text - 1) == 0;
}

static bool sound_fits(const struct speech_summary *sent, const struct observation *seen)
{
    if (!seen->has_samples || seen->samples != sent->samples)
        return false;
    return sent->samples == 0 || !seen->has_audio || seen->audio_crc == sent->audio_crc;
}

static bool delta_fits(const struct speech_summary *sent, const struct observation *seen)
{
    return seen->kind == OBSERVED_DELTA && text_fits(sent, seen->text) && sound_fits(sent, seen);
}

static size_t delta_next(const struct judge_input *input, size_t from)
{
    while (from < input->observation_count && input->observations[from].kind != OBSERVED_DELTA)
        from++;
    return from;
}

static void missing_say(const struct pattern *sent, const struct journal_entry *entry, uint64_t number,
                        const struct speech_summary *summary, size_t from, struct text *actual)
{
    const struct judge_input *input = sent->input;
    const size_t instead = delta_next(input, from);
    text_add(actual, entry->label);
    text_add(actual, " ");
    text_add_u64(actual, number);
    check_words_step(actual, input->script, entry);
    text_add(actual, " of ");
    check_words_samples(actual, summary->samples, input->script->class->messages->output_rate);
    text_add(actual, ", text \"");
    text_add_printable(actual, bytes_of_text(summary->text), 40);
    text_add(actual, "\" was not reported; instead came ");
    if (instead == input->observation_count) {
        text_add(actual, "no delta report");
        return;
    }
    event_describe(actual, input, EVENT_SEEN, instead);
    const struct observation *seen = &input->observations[instead];
    if (seen->has_samples && seen->samples == summary->samples && !sound_fits(summary, seen))
        text_add(actual, " (other samples)");
}

void check_read(const struct pattern *sent, const struct check_window *window, struct check_outcome *out,
                struct text *actual)
{
    const struct judge_input *input = sent->input;
    struct buffer pcm;
    uint64_t number = 0;
    size_t seen = 0;
    buffer_init(&pcm, SIZE_MAX);
    for (size_t i = pattern_find(sent, window->from, window->to);
         i < window->to && out->status == CHECK_HOLDS; i = pattern_find(sent, i + 1, window->to)) {
        const struct journal_entry *entry = journal_at(input->journal, i);
        struct speech_summary summary;
        buffer_clear(&pcm);
        if (!input->script->class->messages->speech(entry->wire.data, &pcm, &summary) || summary.stops ||
            !summary.decodes)
            continue;
        number++;
        size_t found = seen;
        while (found < input->observation_count && !delta_fits(&summary, &input->observations[found]))
            found++;
        if (found < input->observation_count) {
            seen = found + 1;
            continue;
        }
        missing_say(sent, entry, number, &summary, seen, actual);
        out->status = CHECK_BROKEN;
        out->missing = true;
        out->overtaken = delta_next(input, seen) < input->observation_count;
        out->journal_sequence = entry->sequence;
    }
    buffer_free(&pcm);
    if (out->status != CHECK_HOLDS)
        return;
    out->status = number == 0 ? CHECK_UNMET : CHECK_HOLDS;
    if (number == 0) {
        text_add(actual, "the mock sent no such message");
        return;
    }
    text_add(actual, "all ");
    text_add_u64(actual, number);
    text_add(actual, " were reported");
}
